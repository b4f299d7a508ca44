#!/bin/sh
# Makes an actionlint for tests/install, built by Go's own tool into .cache/actionlint. Safe to run again.
set -eu
cd "$(dirname "$0")/.."
VERSION=v1.7.12
if command -v actionlint >/dev/null || test -x .cache/actionlint/actionlint; then
  exit 0
fi
if ! command -v go >/dev/null; then
  echo "There is neither actionlint nor Go, so the test of workflows with actionlint is skipped; the others run."
  exit 0
fi
mkdir -p .cache/actionlint
GOBIN="$PWD/.cache/actionlint" go install "github.com/rhysd/actionlint/cmd/actionlint@$VERSION" ||
  echo "actionlint could not be built, so the test of workflows with actionlint is skipped; the others run."
