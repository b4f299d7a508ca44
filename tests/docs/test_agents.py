"""The programs in docs/agents.md, run as they are on the page, in a process of their own, with the real packages. In
place of the models, a server on this machine answers their SDKs over HTTP, by a script."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from anthropic import Anthropic
from openai import OpenAI

from cli.command import ROOT, environment
from docs.test_pages import as_pattern, blocks, sessions
from plancheck.gate import DecisionLog, PolicyGate

PAGE = ROOT / "docs/agents.md"
PROGRAMS = dict(session for _, language, block in blocks(PAGE) if language == "console" for session in sessions(block))
"""Commands, with what the page says that they print."""

VERIFY = ("verify_order", {"order": "A-1002"})
REFUND = ("refund_order", {"order": "A-1002", "amount": 20})


def next_move(conversation: str) -> tuple[str, dict[str, Any]] | str:
    """What the model says next: it refunds at once, learns that it has to verify, does so, and refunds."""
    if "20 paid back" in conversation:
        return "Done: 20 euros are on their way."
    if "A-1002 arrived broken" in conversation:
        return REFUND
    return VERIFY if "missing_verification" in conversation else REFUND


def openai_response(move: tuple[str, dict[str, Any]] | str, number: int) -> dict[str, Any]:
    if isinstance(move, str):
        text = {"type": "output_text", "text": move, "annotations": []}
        output = {"type": "message", "id": f"m{number}", "role": "assistant", "status": "completed", "content": [text]}
    else:
        name, arguments = move
        output = {
            "type": "function_call",
            "id": f"fc{number}",
            "call_id": f"c{number}",
            "name": name,
            "arguments": json.dumps(arguments),
            "status": "completed",
        }
    thought = {"type": "reasoning", "id": f"rs{number}", "summary": []}
    return {
        "id": f"r{number}",
        "object": "response",
        "created_at": 0,
        "model": "scripted",
        "status": "completed",
        "output": [thought, output],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def anthropic_message(move: tuple[str, dict[str, Any]] | str, number: int) -> dict[str, Any]:
    if isinstance(move, str):
        content: list[dict[str, Any]] = [{"type": "text", "text": move}]
    else:
        name, arguments = move
        call = {"type": "tool_use", "id": f"t{number}", "name": name, "input": arguments}
        content = [{"type": "text", "text": "I shall do that."}, call]
    return {
        "id": f"m{number}",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": content,
        "stop_reason": "end_turn" if isinstance(move, str) else "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def chat_completion(move: tuple[str, dict[str, Any]] | str, number: int) -> dict[str, Any]:
    assert not isinstance(move, str)
    name, arguments = move
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": f"c{number}", "type": "function", "function": function}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {"index": 0, "finish_reason": "tool_calls", "message": message}
    return {"id": "x", "object": "chat.completion", "created": 0, "model": "scripted", "choices": [choice]}


ANSWERS = {
    "/v1/responses": openai_response,
    "/v1/chat/completions": chat_completion,
    "/v1/messages": anthropic_message,
}


class ScriptedModel(BaseHTTPRequestHandler):
    asked: list[str]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.asked.append(self.path)
        conversation = json.dumps(body.get("input", body.get("messages")))
        answer = json.dumps(ANSWERS[self.path](next_move(conversation), len(self.asked))).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Says nothing."""


@contextmanager
def scripted_model() -> Iterator[tuple[str, list[str]]]:
    """The address of a model, and the paths that it was asked under."""
    asked: list[str] = []
    handler = type("Handler", (ScriptedModel,), {"asked": asked})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with every file of the page."""
    for name, _, block in blocks(PAGE):
        if name:
            (tmp_path / name).write_text(block, encoding="utf-8")
    return tmp_path


def run(folder: Path, program: str, address: str) -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    keys = {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": f"{address}/v1"}
    keys |= {"ANTHROPIC_API_KEY": "none", "ANTHROPIC_BASE_URL": address}
    done = subprocess.run(
        [sys.executable, program],
        cwd=folder,
        env=environment({**keys, "PATH": path, "PYTHONWARNINGS": "default"}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=120,
    )
    return done.stdout


@pytest.mark.parametrize("command", PROGRAMS)
def test_a_program_prints_what_the_page_says(folder: Path, command: str) -> None:
    program = command.removeprefix("python ")
    with scripted_model() as (address, asked):
        shown = run(folder, program, address)
    assert as_pattern(PROGRAMS[command]).fullmatch(shown), shown
    assert len(asked) == (4 if program.endswith("_loop.py") else 0)
    decisions = [record["decision"] for record in DecisionLog(folder / "decisions.jsonl").records()]
    assert decisions == LOGGED[program]


LOGGED = {
    "plain.py": ["deny", "allow"],
    "graph.py": ["requires_hitl"] * 4,
    "openai_loop.py": ["deny", "allow", "allow"],
    "anthropic_loop.py": ["deny", "allow", "allow"],
    "mcp_client.py": ["allow"],
}


def test_dumps_are_judged_as_they_are() -> None:
    """Whole answers, messages, calls and conversations of each SDK, as its client has read them from an answer."""
    gate = PolicyGate({"allow_tools": ["verify_order"]})
    user: Any = {"role": "user", "content": "Is it missing_verification?"}  # which makes it verify
    with scripted_model() as (address, _):
        with OpenAI(api_key="none", base_url=f"{address}/v1") as openai:
            chat = openai.chat.completions.create(model="gpt-6-sol", messages=[user])
            response = openai.responses.create(model="gpt-6-sol", input=[user])
        with Anthropic(api_key="none", base_url=address) as anthropic:
            message = anthropic.messages.create(model="claude-sonnet-5-5", max_tokens=9, messages=[user])
    answer = chat.choices[0].message
    tool = {"role": "tool", "tool_call_id": "c1", "content": "execute_shell()"}
    plans: list[Any] = [
        *(chat.model_dump(), answer.model_dump(), [user, answer.model_dump(), tool], answer.model_dump_json()),
        *(response.model_dump(), [item.model_dump() for item in response.output], response.model_dump_json()),
        *(message.model_dump(), [block.model_dump() for block in message.content], [user, message.model_dump()]),
    ]
    for plan in plans:
        decision = gate.evaluate_plan(plan)
        assert decision.allow, (decision.feedback, plan)
        refused = PolicyGate({"allow_tools": ["refund_order"]}).evaluate_plan(plan)
        assert (refused.verdict.value, refused.rule_matched, len(refused.findings)) == ("deny", "tool_deny", 1)


def test_every_program_of_the_page_is_run() -> None:
    named = {name for name, language, _ in blocks(PAGE) if language == "python" and name}
    unnamed = [block for name, language, block in blocks(PAGE) if language == "python" and not name]
    assert unnamed == []
    assert named - {"shop.py"} == {command.removeprefix("python ") for command in PROGRAMS} == LOGGED.keys()


def test_every_recipe_is_in_the_table_at_the_top() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(re.findall(r"^\| \[.*\]\(#", page, re.MULTILINE)) == len(PROGRAMS)
