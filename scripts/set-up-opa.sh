#!/bin/sh
# Makes an opa for tests/rego: the one on the path, else one built by Go's own tool into .cache/opa. Safe to run again.
set -eu
cd "$(dirname "$0")/.."
VERSION=v1.10.1
if command -v opa >/dev/null || test -x .cache/opa/opa; then
  exit 0
fi
if ! command -v go >/dev/null; then
  echo "There is neither opa nor Go, so the tests of policies with opa are skipped; those with regopy run."
  exit 0
fi
mkdir -p .cache/opa
GOBIN="$PWD/.cache/opa" go install "github.com/open-policy-agent/opa@$VERSION" ||
  echo "opa could not be built, so the tests of policies with opa are skipped; those with regopy run."
