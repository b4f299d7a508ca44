#!/bin/sh
# Installs three servers of the Model Context Protocol, whose tools tests/catalogue/test_mcp_servers.py saves and checks
# plans against. Safe to run again.
set -eu
cd "$(dirname "$0")/.."
VERSION=2026.8.31
mkdir -p .cache/mcp
cd .cache/mcp
test "$(cat .ready 2>/dev/null)" = "$VERSION" && exit 0
npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error \
  "@modelcontextprotocol/server-filesystem@$VERSION" \
  "@modelcontextprotocol/server-memory@$VERSION" \
  "@modelcontextprotocol/server-everything@$VERSION"
echo "$VERSION" >.ready
