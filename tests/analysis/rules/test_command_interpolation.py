"""What another step has found out, in the text of a command."""

from __future__ import annotations

import pytest

from analysis.rules.in_dialects import TRACES, WITH_REFERENCES, check_call

FOUND = {
    "at the end": ("shell", '{"command": "rm {{«a.result.file»}}"}'),
    "in quotes": ("bash", """{"cmd": "grep '{{«a.result.word»}}' x.txt", "timeout": 5}"""),
    "with a dollar": ("run_command", '{"command": "ls ${«a.result.dir»}"}'),
    "the command itself": ("terminal.exec", '{"command": "{{«a.result.command»}}"}'),
    "in a comment": ("execute_command", '{"command": "ls # {{«a.result.why»}}"}'),
    "in a here-document": ("bash", r'{"script": "cat <<EOF\n{{«a.result.text»}}\nEOF"}'),
    "for a shell in a list": ("subprocess.run", '{"command": ["sh", "-c", "rm {{«a.result.file»}}"]}'),
    "for a shell behind others": (
        "exec",
        '{"args": ["sudo", "/bin/bash", "-o", "pipefail", "-lc", "rm {{«a.result.file»}}"]}',
    ),
    "for a shell elsewhere": ("exec", '{"command": ["ssh", "-p", "22", "host", "ls", "{{«a.result.dir»}}"]}'),
    "for powershell": (
        "exec",
        '{"command": ["C:/Windows/PowerShell.exe", "-NoProfile", "-Command", "ls {{«a.result.dir»}}"]}',
    ),
    "the program of a list": ("exec", '{"command": ["{{«a.result.program»}}", "-v"]}'),
    "the program and its words apart": ("exec", '{"command": "bash", "args": ["-c", "ls {{«a.result.dir»}}"]}'),
    "one of several": ("bash", '{"commands": ["cd /tmp", "ls {{«a.result.dir»}}"]}'),
    "without a name": ("bash", '{"input": "ls {{«a.result.dir»}}"}'),
    "deeper inside": ("shell.run", '{"options": [{"Shell_Command": "ls {{«a.result.dir»}}"}]}'),
    "in JSON text": ("bash", r'{"request": «"{\"command\": \"ls {{a.result.dir}}\"}"»}'),
    "words for a shell": ("subprocess.run", '{"args": ["ls {{«a.result.dir»}}"], "shell": true}'),
    "letters that look alike": ("bаsh", '{"command": "rm {{«a.result.x»}}"}'),
    "wide letters": ("bash", '{"ｃommand": "rm {{«a.result.x»}}"}'),
    "an object": ("bash", '{"command": {"text": "rm {{«a.result.x»}}"}}'),
    "words as a text": ("exec", '{"command": "rm", "args": "{{«a.result.x»}}"}'),
    "words in two lists": ("exec", '{"command": ["bash", "-c"], "args": ["rm {{«a.result.x»}}"]}'),
    "for somebody else": ("exec", '{"command": ["su", "bob", "-c", "rm {{«a.result.x»}}"]}'),
    "a list in a list": ("exec", '{"command": [["sh", "-c", "rm {{«a.result.x»}}"]]}'),
    "JSON text in JSON text": (
        "bash",
        '{"x": «"{\\"y\\": \\"{\\\\\\"command\\\\\\": \\\\\\"rm {{a.result.x}}\\\\\\"}\\"}"»}',
    ),
    "a call in an argument": ("queue", '{"do": {"bash": {"command": "rm {{«a.result.x»}}"}}}'),
    "a call in a text": (
        "queue",
        '{"text": «"do {\\"tool\\": \\"bash\\", \\"args\\": {\\"command\\": \\"rm {{a.result.x}}\\"}}"»}',
    ),
}
"""By what is wrong: the tool and its arguments, with marks where findings are."""
FINE = {
    "words of a list": ("bash", '{"command": ["ls", "{{a.result.dir}}"]}'),
    "behind the script of a list": ("exec", r'{"command": ["bash", "-c", "ls \"$1\"", "_", "{{a.result.dir}}"]}'),
    "a file that is run": ("exec", '{"command": ["bash", "run.sh", "{{a.result.dir}}", "-c", "x"]}'),
    "words behind a program": ("exec", '{"command": "ls", "args": ["-l", "{{a.result.dir}}"]}'),
    "the folder": ("shell", '{"command": "ls", "cwd": "{{a.result.dir}}", "timeout": "{{a.result.seconds}}"}'),
    "the environment": ("bash", '{"command": "ls $DIR", "env": {"DIR": "{{a.result.dir}}", "CMD": "{{a.result.x}}"}}'),
    "a variable": ("bash", '{"command": "ls ${HOME} $1 {a.result}"}'),
    "another tool": ("git.commit", '{"command": "amend {{a.result.id}}"}'),
    "what stands on standard input": (
        "bash",
        '{"command": "wc -l", "stdin": "{{a.result.text}}", "input": "{{a.result.text}}"}',
    ),
    "a terminal of an airport": ("airport.find", '{"terminal": "{{a.result.terminal}}"}'),
    "a word that counts": ("exec", '{"command": ["grep", "-c", "{{a.result.x}}", "file"]}'),
    "the key of ssh": ("exec", '{"command": ["ssh", "-i", "{{a.result.x}}", "host"]}'),
    "a message": ("exec", '{"command": ["git", "commit", "-m", "{{a.result.x}}"]}'),
    "the number of a terminal": ("terminal", '{"id": "{{a.result.x}}"}'),
}


@pytest.mark.parametrize("case", FOUND)
@pytest.mark.parametrize("shape", WITH_REFERENCES)
def test_command_interpolation(shape: str, case: str) -> None:
    check_call("command_interpolation", WITH_REFERENCES[shape], *FOUND[case])


@pytest.mark.parametrize("case", FINE)
@pytest.mark.parametrize("shape", WITH_REFERENCES)
def test_what_is_no_command_interpolation(shape: str, case: str) -> None:
    check_call("command_interpolation", WITH_REFERENCES[shape], *FINE[case])


@pytest.mark.parametrize("case", FOUND)
@pytest.mark.parametrize("shape", TRACES)
def test_a_trace_has_no_references(shape: str, case: str) -> None:
    tool, arguments = FOUND[case]
    check_call("command_interpolation", TRACES[shape], tool, arguments.replace("«", "").replace("»", ""))
