"""The packaged extension: small, complete, and with the settings that the server takes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import IO, Any

import pytest

ROOT = Path(__file__).parent.parent.parent
VSIX = ROOT / "vscode-extension" / "plancheck.vsix"
MANIFEST = ROOT / "vscode-extension" / "package.json"

PLAN = '{"nodes": [{"idx": 0, "agent": "a", "kind": "tool_call", "writes": ["x"]}]}'


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vsix")
    with zipfile.ZipFile(VSIX) as archive:
        archive.extractall(folder)
    return folder / "extension"


def manifest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return found


def test_it_is_small() -> None:
    assert VSIX.stat().st_size < 8_000_000


def test_it_holds_no_compiled_code_and_no_tests(unpacked: Path) -> None:
    names = [path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()]
    assert "bundled/libs/plancheck/lsp/server.py" in names
    assert [name for name in names if name.endswith((".so", ".pyd", ".pyc", ".map", ".ts"))] == []
    assert [name for name in names if "/tests/" in name or "node_modules" in name] == []


def test_every_file_that_the_manifest_names_is_there(unpacked: Path) -> None:
    packed = json.loads((unpacked / "package.json").read_text(encoding="utf-8"))
    contributes = packed["contributes"]
    named = [packed["main"], packed["icon"], *(schema["url"] for schema in contributes["jsonValidation"])]
    named += [step["media"]["markdown"] for guide in contributes["walkthroughs"] for step in guide["steps"]]
    assert [name for name in named if not (unpacked / name).is_file()] == []


def test_the_pictures_of_its_readme_are_in_it(unpacked: Path) -> None:
    (readme,) = [path for path in unpacked.iterdir() if path.name.lower() == "readme.md"]
    named = re.findall(r"!\[[^]]*\]\(([^)]*)\)", readme.read_text(encoding="utf-8"))
    assert len(named) == 3
    assert [name for name in named if not (unpacked / name).is_file()] == []


def test_each_step_of_the_walkthrough_has_its_picture(unpacked: Path) -> None:
    for page in (unpacked / "walkthrough").glob("*.md"):
        (named,) = re.findall(r"!\[[^]]+\]\(([^)]*)\)", page.read_text(encoding="utf-8"))
        assert (page.parent / named).is_file()


def message(**fields: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **fields}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def next_message(stream: IO[bytes]) -> dict[str, Any]:
    length = 0
    while line := stream.readline().strip():
        if line.lower().startswith(b"content-length:"):
            length = int(line.partition(b":")[2])
    assert length, "the server ended"
    found: dict[str, Any] = json.loads(stream.read(length))
    return found


def test_it_answers_without_any_installed_package(unpacked: Path) -> None:
    """`-S` leaves out site-packages, `-I` all else that is not Python's own: a machine without pip packages."""
    document = {"uri": "file:///nowhere/a.plan.json", "languageId": "json", "version": 1, "text": PLAN}
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", str(unpacked / "bundled" / "launch.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    params: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {"textDocument": {"diagnostic": {}}}}
    process.stdin.write(message(id=1, method="initialize", params=params))
    process.stdin.write(message(method="initialized", params={}))
    process.stdin.write(message(method="textDocument/didOpen", params={"textDocument": document}))
    asked = {"textDocument": {"uri": document["uri"]}}
    process.stdin.write(message(id=2, method="textDocument/diagnostic", params=asked))
    process.stdin.write(message(id=3, method="plancheck/graph", params=asked))
    process.stdin.flush()
    assert process.stdout is not None
    seen: dict[object, dict[str, Any]] = {}
    while not {1, 2, 3} <= seen.keys():
        answer = next_message(process.stdout)
        if "method" not in answer:
            seen[answer["id"]] = answer
    process.stdin.write(message(id=4, method="shutdown"))
    process.stdin.write(message(method="exit"))
    process.communicate(timeout=20)
    assert process.returncode == 0
    assert seen[1]["result"]["serverInfo"]["name"] == "plancheck"
    assert [item["code"] for item in seen[2]["result"]["items"]] == ["write_with_no_prior_read"]
    assert [node["identity"] for node in seen[3]["result"]["graph"]["nodes"]] == [0]


def test_its_settings_are_those_of_the_server() -> None:
    """Every setting of the manifest is one that the server takes or the client keeps to itself, and none is missing."""
    from plancheck.lsp.settings import parse_client_settings

    settings = manifest()["contributes"]["configuration"]["properties"]
    own = {"plancheck.interpreter", "plancheck.importStrategy", "plancheck.path", "plancheck.trace.server"}
    assert own <= settings.keys()
    sent: dict[str, Any] = {}
    for name in settings.keys() - own:
        _, top, *below = name.split(".")
        default = settings[name]["default"]
        sent[top] = {below[0]: default} if below else default
    parsed, problems = parse_client_settings(sent)
    defaults, _ = parse_client_settings({})
    assert problems == []
    assert parsed == defaults
    # the extension says itself what VS Code's own JSON server reports and what the user treats as a plan; options are
    # set with their rules
    of_the_client = {"reported_by_editor", "options", "plans"}
    assert {_snake(name) for name in sent} == set(defaults._fields) - of_the_client


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def test_its_version_is_the_servers() -> None:
    from plancheck import __version__

    assert manifest()["version"] == __version__
