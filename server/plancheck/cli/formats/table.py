"""Every format there is, by the name that `--format` takes. Only the one that is used is imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from plancheck.cli.formats.format import Format
from plancheck.cli.terminal import Painter
from plancheck.tuples import NamedTuple


class Look(NamedTuple):
    """How the terminal wants it; of no concern to a format that is for programs."""

    paint: Painter
    quiet: bool
    columns: int


def _text(stream: TextIO, look: Look) -> Format:
    from plancheck.cli.formats.text import Text

    return Text(stream, look.paint, look.quiet, look.columns)


def _json(stream: TextIO, _: Look) -> Format:
    from plancheck.cli.formats.json import Json

    return Json(stream)


def _markdown(stream: TextIO, _: Look) -> Format:
    from plancheck.cli.formats.markdown import Markdown

    return Markdown(stream)


def _github(stream: TextIO, _: Look) -> Format:
    from plancheck.cli.formats.github import Github

    return Github(stream)


def _sarif(stream: TextIO, _: Look) -> Format:
    from plancheck.cli.formats.sarif import Sarif

    return Sarif(stream)


def _junit(stream: TextIO, _: Look) -> Format:
    from plancheck.cli.formats.junit import Junit

    return Junit(stream)


def _gitlab(stream: TextIO, _: Look) -> Format:
    from plancheck.cli.formats.gitlab import Gitlab

    return Gitlab(stream)


def _rdjson(stream: TextIO, _: Look) -> Format:
    from plancheck.cli.formats.rdjson import Rdjson

    return Rdjson(stream)


FORMATS: dict[str, Callable[[TextIO, Look], Format]] = {
    "text": _text,
    "json": _json,
    "markdown": _markdown,
    "github": _github,
    "sarif": _sarif,
    "junit": _junit,
    "gitlab": _gitlab,
    "rdjson": _rdjson,
}
WITH_FIXES = frozenset({"json", "sarif", "rdjson"})
"""Those for programs that show fixes, each of which has to be tried first."""
WITH_STATISTICS = ("text", "markdown")
"""Those for people, who may want counts in place of findings."""
WITH_FINGERPRINTS = frozenset({"json", "sarif", "gitlab"})
"""Those by which findings are known again."""
