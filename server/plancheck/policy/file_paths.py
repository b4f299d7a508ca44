"""Paths of files that lead somewhere else than they seem to."""

from __future__ import annotations

import re
from unicodedata import normalize

from plancheck.lazy_regex import regex
from plancheck.plan.carried import folded_key
from plancheck.plan.dialects.references import references_in

_NAMES = frozenset(
    {
        *(
            "path",
            "paths",
            "file",
            "files",
            "filename",
            "filenames",
            "filepath",
            "filepaths",
            "pathname",
            "dir",
            "dirs",
        ),
        *("directory", "folder", "source", "destination", "src", "dst", "dest", "target", "from", "to", "sourcepath"),
        *("destinationpath", "targetpath", "sourcefile", "targetfile", "outputfile", "outputpath", "inputfile"),
        *("inputpath", "absolutepath", "relativepath", "oldpath", "newpath", "output", "outfile", "infile", "location"),
    }
)
_SEPARATOR = re.compile(r"[/\\]")
_CODE = regex(r"%(?:c0%a[ef]|c1%9c|[0-9a-f]{2})", re.IGNORECASE)
_OVERLONG = {"%c0%ae": ".", "%c0%af": "/", "%c1%9c": "\\"}
_MOST_DECODED = 4
LONGEST = 10_000


def is_path_name(key: str) -> bool:
    """Whether an argument of that name is the path of a file, in a tool for files."""
    return folded_key(key) in _NAMES


def climbs(path: str) -> bool:
    """Whether a path has a segment `..`, also behind percent signs, backslashes and wide characters."""
    if len(path) > LONGEST or ("." not in path and "%" not in path and path.isascii()):
        return False
    for _ in range(_MOST_DECODED):
        plain = path if path.isascii() else normalize("NFKC", path.replace("\u2025", ".."))
        if ".." in plain and any(
            segment.partition(";")[0].strip(" \t\r\n\0") == ".." for segment in _SEPARATOR.split(plain)
        ):
            return True
        path = _CODE.sub(lambda code: _OVERLONG.get(code[0].lower()) or chr(int(code[0][1:3], 16)), plain)
        if path == plain:
            break
    return False


_ROOT = regex(r"\s*(?:file:/{0,3})?(?:[A-Za-z]:)?[/\\]*")


def has_no_root(path: str, key: str) -> bool:
    """Whether a path begins with a reference, so that what another step gives decides in which folder it is. What is
    called `from` or `to` may be a line or a time as well."""
    if folded_key(key) in ("from", "to"):
        return False
    first = next(references_in(path), None)
    if first is None:
        return False
    start = max(path.rfind("{{", 0, first[2].start), path.rfind("${", 0, first[2].start))
    root = _ROOT.match(path)
    return root is not None and root.end() >= start - (path[start - 1 : start] == "$")
