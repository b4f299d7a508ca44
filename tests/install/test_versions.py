"""One version everywhere: a release that says two of them cannot be reported against."""

from __future__ import annotations

import json
import re
from pathlib import Path

import plancheck

EXTENSION = Path(__file__).resolve().parents[2] / "vscode-extension"


def test_the_extension_has_the_version_of_the_package() -> None:
    manifest = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    locked = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    assert (manifest["version"], locked["version"], locked["packages"][""]["version"]) == (plancheck.__version__,) * 3
    newest = (EXTENSION / "CHANGELOG.md").read_text(encoding="utf-8").partition("## ")[2].split()[0]
    assert newest == plancheck.__version__


def test_the_newest_release_of_the_changelog_is_this_version() -> None:
    text = (EXTENSION.parent / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[(.*?)\](?: - (\d{4}-\d\d-\d\d))?$", text, re.MULTILINE)
    assert headings[0] == ("Unreleased", "")
    assert headings[1][0] == plancheck.__version__
    assert headings[1][1]
