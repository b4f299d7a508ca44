"""Paths that may lead out of their folders."""

from __future__ import annotations

import pytest

from analysis.rules.in_dialects import EVERYWHERE, check_call

FOUND = {
    "at the beginning": ("file.read", '{"path": «"../secrets.txt"»}'),
    "in the middle": ("read_file", '{"file_path": «"reports/../../etc/passwd"»}'),
    "backslashes": ("write_file", r'{"filename": «"reports\\..\\..\\x"»}'),
    "percent signs": ("file.read", '{"path": «"reports/%2e%2e/x"»}'),
    "percent signs twice": ("file.read", '{"path": «"reports/%252e%252e%252fx"»}'),
    "wide characters": ("file.read", '{"path": «"．．/x"»}'),
    "in a list": ("open_file", '{"paths": ["a.txt", «"../b.txt"»]}'),
    "alone": ("file.list", '{"directory": «".."»}'),
    "with a blank": ("file.read", '{"path": «"a/.. /b"»}'),
}
"""By what is wrong: the tool and its arguments, with marks where findings are."""
FINE = {
    "a plain path": ("file.read", '{"path": "/data/reports/2026.csv"}'),
    "dots in a name": ("file.read", '{"path": "v1..v2.diff"}'),
    "three dots": ("file.read", '{"path": "src/.../x"}'),
    "the folder itself": ("file.read", '{"path": "./reports"}'),
    "a range of commits": ("git.diff", '{"path": "main..topic", "range": "../x"}'),
    "what is written": ("write_file", '{"path": "a.md", "content": "See ../b.md"}'),
    "a hidden file": ("file.read", '{"path": "..config/x"}'),
    "no file": ("http.get", '{"path": "../x"}'),
}


@pytest.mark.parametrize("case", FOUND)
@pytest.mark.parametrize("shape", EVERYWHERE)
def test_path_traversal(shape: str, case: str) -> None:
    check_call("path_traversal", EVERYWHERE[shape], *FOUND[case])


@pytest.mark.parametrize("case", FINE)
@pytest.mark.parametrize("shape", EVERYWHERE)
def test_what_is_no_path_traversal(shape: str, case: str) -> None:
    check_call("path_traversal", EVERYWHERE[shape], *FINE[case])
