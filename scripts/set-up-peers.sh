#!/bin/sh
# Installs VS Code's JSON server, against which tests/benchmarks/test_lsp.py measures ours. Safe to run again.
set -eu
cd "$(dirname "$0")/.."
mkdir -p .cache/peers
cd .cache/peers
test -x node_modules/.bin/vscode-json-language-server ||
  npm install --no-save --ignore-scripts --no-audit --no-fund vscode-langservers-extracted@4.10.0
