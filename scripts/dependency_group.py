"""Print a dependency group of pyproject.toml, one shell word each, for a pip that knows no `--group` yet."""

import sys
from pathlib import Path

import tomllib

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
print(" ".join(requirement for requirement in project["dependency-groups"][sys.argv[1]]))
