"""A file is the same file however its URI is spelled, and there is a URI for every file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from lsp.plans import FAULTY, HEALTHY
from lsp.test_workspace import pull_workspace
from lsp.wire import PULL, Wire
from plancheck.lsp.identity import key_of, key_of_path, path_of, uri_of


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///w/a(b)/x.json", "/w/a(b)/x.json"),
        ("file:///w/a%28b%29/x.json", "/w/a(b)/x.json"),
        ("file:///w/./c/../a%20b;c/x.json", "/w/a b;c/x.json"),
        ("file://localhost/w/%C3%A9", "/w/é"),
        ("file:///w/%FF.json", "/w/\udcff.json"),
        ("untitled:Untitled-1", None),
        ("file:relative", None),
        ("file://", None),
        ("file:///%00", None),
        ("file:///\ud800", None),
        ("file://[", None),
    ],
)
def test_the_path_of_a_uri(uri: str, path: str | None) -> None:
    assert path_of(uri) == path


@pytest.mark.parametrize("name", ["plain.json", "a(b) é;#?%.json", "\udcff.json", "😀.json"])
def test_every_file_name_has_a_uri_that_leads_back(name: str) -> None:
    uri = uri_of(f"/w/{name}")
    assert uri.isascii()
    assert path_of(uri) == f"/w/{name}"


def test_a_key_follows_links_and_is_not_led_in_circles(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "loop").symlink_to("loop")
    assert key_of((tmp_path / "link" / "x.json").as_uri()) == key_of_path(str(tmp_path / "real" / "x.json"))
    assert key_of((tmp_path / "loop").as_uri()) == key_of_path(str(tmp_path / "loop"))
    assert key_of("untitled:Untitled-1") == "untitled:Untitled-1"


@pytest.fixture
def spelled(tmp_path: Path) -> tuple[Path, str]:
    """A plan in a folder whose name may be written in two ways in a URI, and the way that this client prefers."""
    (tmp_path / "a(b)").mkdir()
    (tmp_path / "a(b)" / "x.plan.json").write_text(FAULTY)
    return tmp_path, f"{tmp_path.as_uri()}/a(b)/x.plan.json"


def last_shown(wire: Wire) -> dict[str, list[Any]]:
    """What a client shows that takes URIs as they are written."""
    published = [m["params"] for m in wire.log if m.get("method") == "textDocument/publishDiagnostics"]
    shown = {params["uri"]: params["diagnostics"] for params in published}
    return {uri: items for uri, items in shown.items() if items}


def test_findings_stay_with_the_clients_spelling_when_a_document_is_closed(spelled: tuple[Path, str]) -> None:
    root, uri = spelled
    with Wire() as wire:
        wire.start({}, root)
        wire.quiet(1)
        wire.open(uri, FAULTY)
        assert wire.published(uri, 1)
        wire.quiet()
        assert last_shown(wire).keys() == {uri}
        wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        assert wire.published(uri) == []
        assert wire.published(uri)
        assert last_shown(wire).keys() == {uri}


def test_a_document_is_found_under_any_spelling(spelled: tuple[Path, str]) -> None:
    root, uri = spelled
    other = (root / "a(b)" / "x.plan.json").as_uri()
    assert other != uri
    with Wire() as wire:
        wire.start(PULL, root)
        wire.open(uri, HEALTHY)
        assert wire.pull(other)["items"] == []
        assert pull_workspace(wire)[uri]["items"] == []
        wire.change(other, 2, {"text": FAULTY})
        assert wire.pull(uri)["items"]
        assert {symbol["location"]["uri"] for symbol in wire.request("workspace/symbol", {"query": "fraud"})} == {uri}


def test_the_folders_spelling_is_kept_for_files_that_were_never_opened(spelled: tuple[Path, str]) -> None:
    root, uri = spelled
    with Wire() as wire:
        folder = {"uri": f"{root.as_uri()}/a(b)", "name": "w"}
        params = {"processId": None, "rootUri": None, "capabilities": PULL, "workspaceFolders": [folder]}
        wire.request("initialize", params, timeout=60)
        wire.notify("initialized", {})
        assert pull_workspace(wire).keys() == {uri}


def test_a_file_that_is_open_under_its_own_name_and_under_a_link_is_two_documents(tmp_path: Path) -> None:
    (tmp_path / "x.plan.json").write_text(FAULTY)
    (tmp_path / "y.plan.json").symlink_to("x.plan.json")
    real, link = (tmp_path / "x.plan.json").as_uri(), (tmp_path / "y.plan.json").as_uri()
    with Wire() as wire:
        wire.start(PULL, tmp_path)
        wire.open(real, FAULTY)
        wire.open(link, HEALTHY)
        assert wire.pull(real)["items"]
        assert wire.pull(link)["items"] == []
        wire.notify("textDocument/didClose", {"textDocument": {"uri": link}})
        assert wire.pull(real)["items"]
        assert pull_workspace(wire).keys() == {real}, "the link is no file of its own"


def test_a_name_that_is_not_utf_8_hides_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "bad.plan.json").write_text(FAULTY)
    (tmp_path / os.fsdecode(b"\xff.plan.json")).write_text(FAULTY)
    with Wire() as wire:
        wire.start(PULL, tmp_path)
        reports = pull_workspace(wire)
        assert (tmp_path / "bad.plan.json").as_uri() in reports
        assert len(reports) == 2, "the other one is reported on too, or that it was not checked"
        assert all(report["items"] for report in reports.values())
        assert wire.request("workspace/symbol", {"query": "fraud"})


def test_a_link_that_leads_in_a_circle_hides_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "bad.plan.json").write_text(FAULTY)
    (tmp_path / "loop.plan.json").symlink_to("loop.plan.json")
    with Wire() as wire:
        wire.start(PULL, tmp_path)
        assert pull_workspace(wire)[(tmp_path / "bad.plan.json").as_uri()]["items"]
        assert wire.request("workspace/symbol", {"query": "fraud"})


def test_a_folder_that_cannot_be_looked_into_is_shown_as_such(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    with Wire() as wire:
        wire.start(PULL, gone)
        (item,) = pull_workspace(wire)[gone.as_uri()]["items"]
        assert item["message"].startswith("Not checked: ")
        assert item["data"] == {"unchecked": "failure"}
