"""The wheel, as somebody gets it who installs plancheck: complete, and at work on every Python that is here."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

import plancheck
from install.environments import ROOT, VERSIONS, clean, framed, install, interpreters, make_environment, run

FAULTY = '{"nodes": [{"idx": 0, "agent": "a", "kind": "decide"}]}'
CALLS = '[{"tool_name": "execute_shell", "args": {}}]'


def check_answers(programs: Path, folder: Path) -> None:
    (folder / "a.plan.json").write_text(FAULTY, encoding="utf-8")
    shown = json.loads(run(programs / "plancheck", "check", "--format", "json", "--no-cache", ".", cwd=folder, code=1))
    (file,) = shown["files"]
    assert (file["path"], [finding["rule"] for finding in file["findings"]]) == (
        "a.plan.json",
        ["unknown_kind"],
    )
    assert "unknown_kind" in run(programs / "python", "-m", "plancheck", "check", "-", cwd=folder, stdin=FAULTY, code=1)


def gate_answers(programs: Path, folder: Path) -> None:
    said = run(programs / "plancheck", "gate", "-", cwd=folder, stdin=CALLS, code=1)
    assert said.startswith("deny: ")


def lsp_answers(programs: Path, folder: Path) -> None:
    parameters: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}}
    asked = framed({"id": 1, "method": "initialize", "params": parameters})
    asked += framed({"id": 2, "method": "shutdown"}) + framed({"method": "exit"})
    said = run(programs / "plancheck", "lsp", cwd=folder, stdin=asked)
    body = said.partition("\n\n")[2].partition("Content-Length")[0]
    server = json.loads(body)["result"]["serverInfo"]
    assert (server["name"], server["version"]) == ("plancheck", plancheck.__version__)


def version_names_the_commit(programs: Path, folder: Path) -> None:
    commit = subprocess.run(
        ["git", "-C", str(ROOT), "rev-parse", "--short=7", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    said = run(programs / "plancheck", "--version", cwd=folder)
    assert re.fullmatch(rf"plancheck {re.escape(plancheck.__version__)} \({commit}\w*(-dirty)?\)\n", said)


def mcp_says_what_it_needs(programs: Path, folder: Path) -> None:
    done = subprocess.run([programs / "plancheck", "mcp"], cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'plancheck[mcp]'" in done.stderr


def mcp_answers(programs: Path, folder: Path) -> None:
    client = {"name": "a test", "version": "1"}
    parameters = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    call = {"name": "gate_plan", "arguments": {"plan": CALLS}}
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": parameters},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": call},
    ]
    command, pipe = [str(programs / "plancheck"), "mcp"], subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, encoding="utf-8", env=clean(), stdin=pipe, stdout=pipe) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.writelines(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
        server.stdin.flush()
        answers = {message["id"]: message for message in map(json.loads, (server.stdout.readline() for _ in range(2)))}
        server.stdin.close()
    assert answers[1]["result"]["serverInfo"]["version"] == plancheck.__version__
    assert answers[2]["result"]["structuredContent"]["decision"] == "deny"


ANSWERS = (check_answers, gate_answers, lsp_answers, version_names_the_commit, mcp_says_what_it_needs)
"""What has to work right after `pip install plancheck`, in a folder of its own each."""


@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_installed_answers(version: str, wheel: Path, tmp_path: Path) -> None:
    if version not in interpreters():
        pytest.skip(f"there is no Python {version} here that can make environments")
    programs = make_environment(tmp_path / "environment", interpreters()[version], wheel)
    for answers in ANSWERS:
        folder = tmp_path / answers.__name__
        folder.mkdir()
        answers(programs, folder)
    install(programs, f"{wheel}[mcp]")
    mcp_answers(programs, tmp_path)


def test_the_python_of_the_tests_is_among_those_found() -> None:
    assert interpreters()


# ---- what PyPI shows -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return message_from_bytes(archive.read(name))


def test_every_link_of_the_page_on_pypi_is_absolute(metadata: Message) -> None:
    page = metadata.get_payload(decode=True)
    assert isinstance(page, bytes)
    targets = re.findall(r"\]\(([^)]*)\)", page.decode("utf-8"))
    assert len(targets) > 20
    assert [target for target in targets if not target.startswith(("https://", "#"))] == []
    blob = f"https://github.com/plancheck/plancheck/blob/v{plancheck.__version__}/"
    files = [target.removeprefix(blob).partition("#")[0] for target in targets if target.startswith(blob)]
    assert len(files) > 20
    assert [file for file in files if not (ROOT / file).exists()] == []
    raw = f"https://raw.githubusercontent.com/plancheck/plancheck/v{plancheck.__version__}/"
    pictures = [target.removeprefix(raw) for target in targets if target.startswith(raw)]
    assert pictures
    assert [picture for picture in pictures if not (ROOT / picture).is_file()] == []


def test_it_says_where_to_read_on_and_what_it_runs_on(metadata: Message) -> None:
    urls = dict(url.split(", ") for url in metadata.get_all("Project-URL", []))
    assert urls.keys() == {"Homepage", "Documentation", "Changelog", "Issues", "Security"}
    classifiers = metadata.get_all("Classifier", [])
    assert {f"Programming Language :: Python :: {version}" for version in VERSIONS[:-1]} <= set(classifiers)


def test_it_holds_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert "plancheck/py.typed" in names
    tops = {name.split("/")[0] for name in names}
    assert tops == {"plancheck", f"plancheck-{plancheck.__version__}.dist-info"}
    assert [name for name in names if name.endswith((".pyc", ".so"))] == []
