"""Where a click may lead that a plan's text offers: to files and to https, never to a command of the editor."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from lsp.wire import PULL, Wire

URI = "file:///tmp/w/links.plan.json"


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with Wire() as wire:
        wire.start(PULL)
        yield wire


def targets(wire: Wire, text: str, uri: str = URI) -> list[str]:
    wire.open(uri, text)
    found = wire.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
    wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    return [link["target"] for link in found or []]


@pytest.mark.parametrize(
    "target",
    [
        "command:workbench.action.terminal.new",
        "command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22id%22%7D",
        "COMMAND:x",
        "command://x/y",
        "http://evil.example/x.json",
        "vscode://file/etc/passwd",
        "vscode-insiders://x",
        "javascript:alert(1)",
        "data:text/html,x",
        "untitled:x",
        "mailto:a@b.example",
        "ssh://-oProxyCommand=id/x",
        "ftp://x/y",
        "x:y",
        "//evil.example/share/x.yaml",
        "////evil.example/share/x.yaml",
        "/%2Fevil.example/share/x.yaml",
        "/%5cevil.example/share/x.yaml",
        "/\\evil.example\\share\\x.yaml",
        "\\\\evil.example\\share\\x.yaml",
        "file://evil.example/share/x.yaml",
        "file:////evil.example/share/x.yaml",
        "FILE://evil.example/share",
        "file:\\\\evil.example\\share",
        "//[x",
        "https://[x",
        "//\u2100.example",
        "https:",
        "https:///x",
        "a\u202ecommand:x",
    ],
)
@pytest.mark.parametrize("key", ["$schema", "policy"])
def test_a_target_that_is_neither_a_file_nor_https_is_no_link(wire: Wire, key: str, target: str) -> None:
    assert targets(wire, json.dumps({key: target, "nodes": []})) == []


@pytest.mark.parametrize(
    ("target", "link"),
    [
        ("a.yaml", "file:///tmp/w/a.yaml"),
        ("./b/a.yaml", "file:///tmp/w/b/a.yaml"),
        ("../a.yaml", "file:///tmp/a.yaml"),
        ("/etc/a.yaml", "file:///etc/a.yaml"),
        ("file:///etc/a.yaml", "file:///etc/a.yaml"),
        ("file://localhost/etc/a.yaml", "file://localhost/etc/a.yaml"),
        ("https://x.example/s.json", "https://x.example/s.json"),
        ("HTTPS://x.example/s.json", "HTTPS://x.example/s.json"),
        ("%63ommand:x", "file:///tmp/w/%63ommand:x"),
        ("a.yaml#L3", "file:///tmp/w/a.yaml#L3"),
    ],
)
def test_files_and_https_are_links(wire: Wire, target: str, link: str) -> None:
    (found,) = targets(wire, json.dumps({"$schema": target, "nodes": []}))
    assert found.lower() == link.lower()


def test_a_plan_on_a_share_leads_to_files_of_its_own_share(wire: Wire) -> None:
    uri = "file://server/share/x.plan.json"
    assert targets(wire, '{"policy": "a.yaml", "nodes": []}', uri) == ["file://server/share/a.yaml"]
    assert targets(wire, '{"policy": "//evil/share/a.yaml", "nodes": []}', uri) == []


def test_a_document_that_is_nowhere_has_links_to_https_only(wire: Wire) -> None:
    text = '{"$schema": "https://x.example/s.json", "policy": ["a.yaml", "command:x"], "nodes": []}'
    assert targets(wire, text, "untitled:Untitled-1.plan.json") == ["https://x.example/s.json"]
