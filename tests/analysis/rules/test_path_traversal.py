"""Paths that may lead out of their folders."""

from __future__ import annotations

import pytest

from analysis.rules.in_dialects import EVERYWHERE, TRACES, WITH_REFERENCES, check_call

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
    "behind a semicolon": ("file.read", '{"path": «"a/..;x/y"»}'),
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


ROOTLESS = {
    "as a whole": ("file.read", '{"path": «"{{a.result.path}}"»}'),
    "at the beginning": ("file.read", '{"path": «"${a.result.dir}/x"»}'),
    "behind a slash": ("read_file", '{"file_path": «"/{{a.result.path}}"»}'),
    "behind a drive": ("write_file", r'{"path": «"C:\\{{a.result.path}}"»}'),
    "behind a scheme": ("file.read", '{"path": «"file:///{{a.result.path}}"»}'),
    "behind a blank": ("file.list", '{"paths": [«" {{ a.result.path }}/x"»]}'),
}
ROOTED = {
    "behind a folder": ("file.read", '{"path": "/data/{{a.result.name}}.csv"}'),
    "behind a folder of the environment": ("file.read", '{"path": "${HOME}/{{a.result.name}}"}'),
    "behind this folder": ("file.read", '{"path": "./{{a.result.name}}"}'),
    "behind the beginning of a name": ("write_file", '{"path": "report-{{a.result.id}}.csv"}'),
    "what is written": ("write_file", '{"path": "a.txt", "content": "{{a.result.text}}"}'),
    "a line": ("read_file", '{"path": "a.txt", "from": "{{a.result.line}}"}'),
    "no file": ("crm.find", '{"path": "{{a.result.path}}"}'),
}


@pytest.mark.parametrize("case", ROOTLESS)
@pytest.mark.parametrize("shape", WITH_REFERENCES)
def test_another_step_decides_in_which_folder_a_file_is(shape: str, case: str) -> None:
    check_call("path_traversal", WITH_REFERENCES[shape], *ROOTLESS[case])


@pytest.mark.parametrize("case", ROOTED)
@pytest.mark.parametrize("shape", WITH_REFERENCES)
def test_a_fixed_folder(shape: str, case: str) -> None:
    check_call("path_traversal", WITH_REFERENCES[shape], *ROOTED[case])


@pytest.mark.parametrize("case", ROOTLESS)
@pytest.mark.parametrize("shape", TRACES)
def test_a_trace_has_no_references(shape: str, case: str) -> None:
    tool, arguments = ROOTLESS[case]
    check_call("path_traversal", TRACES[shape], tool, arguments.replace("«", "").replace("»", ""))
