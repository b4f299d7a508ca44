#!/bin/sh
# Pin all that is installed for developing, for every Python from 3.10 on: requirements.lock, a file of constraints.
# What is pinned stays as it is where it can; `scripts/lock.sh --upgrade` takes the newest versions.
set -eu
cd "$(dirname "$0")/.."
tools=.cache/lock
test -x $tools/bin/uv || {
  ${PYTHON:-python3} -m venv $tools
  $tools/bin/pip install --quiet --disable-pip-version-check "uv>=0.9,<1"
}
$tools/bin/uv pip compile --quiet --universal --python-version 3.10 --all-extras --group dev --group docs --group agents \
  --no-annotate --no-header --no-strip-markers --output-file requirements.lock "$@" pyproject.toml
