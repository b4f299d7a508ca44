"""A build hook: packages say which commit they were made from, in `plancheck/commit.txt`; see `plancheck --version`."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INSIDE = {"wheel": "plancheck/commit.txt", "sdist": "server/plancheck/commit.txt"}


class RecordCommit(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        commit = commit_of(Path(self.root))
        if (
            not commit or version == "editable"
        ):  # from a source archive, which has the file; a checkout's commit changes
            return
        self._folder = tempfile.TemporaryDirectory()
        file = Path(self._folder.name) / "commit.txt"
        file.write_text(f"{commit}\n", encoding="utf-8")
        build_data["force_include"][str(file)] = INSIDE[self.target_name]


def commit_of(root: Path) -> str:
    """The commit of a checkout, with `-dirty` where files differ from it; nothing outside of one."""
    if not (root / ".git").exists():
        return ""
    described = ["git", "-C", str(root), "describe", "--always", "--dirty", "--exclude=*"]
    try:
        return subprocess.run(described, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):  # no git, or a folder of another user
        return ""
