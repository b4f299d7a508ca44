#!/bin/sh
# Installs Microsoft's validator of SARIF for tests/cli/test_sarif.py into .cache/sarif. Safe to run again.
set -eu
cd "$(dirname "$0")/.."
VERSION=5.7.0
case "$(uname -s)" in
  Linux) ;;
  *)
    echo "The validator of SARIF is installed on Linux only: its test is skipped."
    exit 0
    ;;
esac
mkdir -p .cache/sarif
cd .cache/sarif
test "$(cat .ready 2>/dev/null)" = "$VERSION" && exit 0
npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error \
  "@microsoft/sarif-multitool-linux@$VERSION"
chmod u+x node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool
echo "$VERSION" >.ready
