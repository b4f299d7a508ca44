"""Every format there is, by the name that `--format` takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TextIO

from plancheck.cli.formats.format import Format
from plancheck.cli.formats.github import Github
from plancheck.cli.formats.json import Json
from plancheck.cli.formats.markdown import Markdown
from plancheck.cli.formats.text import Text
from plancheck.cli.terminal import Painter


class Look(NamedTuple):
    """How the terminal wants it; of no concern to a format that is for programs."""

    paint: Painter
    quiet: bool
    columns: int


FORMATS: dict[str, Callable[[TextIO, Look], Format]] = {
    "text": lambda stream, look: Text(stream, look.paint, look.quiet, look.columns),
    "json": lambda stream, _: Json(stream),
    "markdown": lambda stream, _: Markdown(stream),
    "github": lambda stream, _: Github(stream),
}
