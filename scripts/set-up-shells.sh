#!/bin/sh
# Installs Debian's zsh and fish for tests/cli/test_completion.py. Safe to run again.
set -eu
missing=""
for shell in zsh fish; do
  command -v "$shell" >/dev/null || missing="$missing $shell"
done
test -n "$missing" || exit 0
if ! command -v apt-get >/dev/null; then
  echo "There is no apt-get to install$missing: the tests of completion in them are skipped."
  exit 0
fi
sudo=""
test "$(id -u)" = 0 || sudo="sudo"
$sudo apt-get update -qq
# shellcheck disable=SC2086  # a list of words
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
