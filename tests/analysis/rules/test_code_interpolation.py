"""What another step has found out, in the text of a program."""

from __future__ import annotations

import pytest

from analysis.rules.in_dialects import TRACES, WITH_REFERENCES, check_call

FOUND = {
    "in a string": ("run_python", """{"code": "print('{{«a.result.name»}}')"}"""),
    "as a value": ("execute_code", '{"code": "x = {{«a.result.x»}}", "language": "python"}'),
    "the code itself": ("run_javascript", '{"source_code": "${«a.result.code»}"}'),
    "in a comment": ("notebook.exec", '{"cell": "1 + 1  # {{«a.result.why»}}"}'),
    "an expression": ("eval", '{"expression": "{{«a.result.a»}} * 2"}'),
    "a script of a language": ("run_python_script", '{"script": "print({{«a.result.x»}})"}'),
    "in a list of words": ("exec", '{"command": ["python3.11", "-c", "print({{«a.result.x»}})"]}'),
    "several lines": ("run_code", r'{"code": ["import os", "os.remove(\"{{«a.result.file»}}\")"]}'),
    "for node": ("exec", '{"argv": ["node", "-e", "f({{«a.result.x»}})"]}'),
    "in JSON text": ("run_code", r'{"request": «"{\"code\": \"f({{a.result.x}})\"}"»}'),
    "behind other words": (
        "exec",
        '{"command": ["/usr/bin/env", "python3", "-W", "ignore", "-c", "f({{«a.result.x»}})"]}',
    ),
    "at once": ("exec", '{"command": ["perl", "-ef({{«a.result.x»}})"]}'),
}
"""By what is wrong: the tool and its arguments, with marks where findings are."""
FINE = {
    "variables": ("run_python", '{"code": "print(x)", "variables": {"x": "{{a.result.x}}", "code": "{{a.result.x}}"}}'),
    "standard input": ("run_python", '{"code": "print(input())", "stdin": "{{a.result.x}}"}'),
    "a template of the program": ("run_python", r'{"code": "print(f\"{a.result} {{a}}\")"}'),
    "words behind the program": ("exec", '{"command": ["python", "-c", "import sys", "{{a.result.x}}"]}'),
    "a file that is run": ("exec", '{"command": ["python", "run.py", "{{a.result.x}}"]}'),
    "a code that is none": ("coupon.apply", '{"code": "{{a.result.code}}"}'),
    "the language": ("execute_code", '{"code": "1 + 1", "language": "{{a.result.language}}"}'),
    "a review of code": ("code_review", '{"code": "{{a.result.code}}"}'),
    "words of a file that is run": ("exec", '{"command": ["python", "x.py", "-c", "{{a.result.x}}"]}'),
    "a notebook": ("run_notebook", '{"notebook": "a.ipynb", "parameters": {"region": "{{a.result.x}}"}}'),
}


@pytest.mark.parametrize("case", FOUND)
@pytest.mark.parametrize("shape", WITH_REFERENCES)
def test_code_interpolation(shape: str, case: str) -> None:
    check_call("code_interpolation", WITH_REFERENCES[shape], *FOUND[case])


@pytest.mark.parametrize("case", FINE)
@pytest.mark.parametrize("shape", WITH_REFERENCES)
def test_what_is_no_code_interpolation(shape: str, case: str) -> None:
    check_call("code_interpolation", WITH_REFERENCES[shape], *FINE[case])


@pytest.mark.parametrize("case", FOUND)
@pytest.mark.parametrize("shape", TRACES)
def test_a_trace_has_no_references(shape: str, case: str) -> None:
    tool, arguments = FOUND[case]
    check_call("code_interpolation", TRACES[shape], tool, arguments.replace("«", "").replace("»", ""))
