"""What a diagnostic carries, and when it comes, stays and goes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.plans import EXAMPLES, FAULTY, HEALTHY, position
from lsp.wire import PULL, Wire, replace
from plancheck import check_text
from plancheck.analysis.rules import RULES

URI = "file:///tmp/diagnostics.plan.json"
PUSH: dict[str, Any] = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}
ALL_PARTS = {"relatedInformation": True, "codeDescriptionSupport": True, "dataSupport": True}


def test_a_diagnostic_carries_all_that_an_editor_can_show() -> None:
    with Wire() as wire:
        wire.start({"textDocument": {"publishDiagnostics": ALL_PARTS}})
        wire.open(URI, FAULTY, version=7)
        items = wire.published(URI, 7)
        assert items
        for item in items:
            assert item["source"] == "plancheck"
            assert item["code"] in RULES
            assert item["codeDescription"]["href"].endswith(f"docs/rules.md#{item['code']}")
            assert item["data"]["rule"] == item["code"]
            assert item["range"]["start"]["line"] == item["range"]["end"]["line"], "no wider than a line"
        related = [information for item in items for information in item.get("relatedInformation", ())]
        assert related
        assert all(information["location"]["uri"] == URI for information in related)


@pytest.mark.parametrize("way", ["publishDiagnostics", "diagnostic"])
@pytest.mark.parametrize(
    ("capability", "part"),
    [
        ("relatedInformation", "relatedInformation"),
        ("codeDescriptionSupport", "codeDescription"),
        ("dataSupport", "data"),
    ],
)
def test_an_editor_is_sent_only_what_it_makes_use_of(way: str, capability: str, part: str) -> None:
    """Each edit sends all diagnostics again: what nobody reads would be most of it."""
    with Wire() as wire:
        wire.start({"textDocument": {way: {capability: True}}})
        wire.open(URI, FAULTY, version=7)
        items = wire.published(URI, 7) if way == "publishDiagnostics" else wire.pull(URI)["items"]
        parts = {"relatedInformation", "codeDescription", "data"}
        assert set().union(*(item.keys() for item in items)) & parts == {part}


@pytest.mark.parametrize("plan", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_the_editor_sees_what_the_api_says(plan: Path) -> None:
    text = plan.read_text(encoding="utf-8")
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, text)
        seen = [(item["code"], item["message"], item["range"]) for item in wire.pull(URI)["items"]]
    assert seen == [(f.rule, f.message, f.range.to_dict()) for f in check_text(text).findings]


def test_dead_structure_is_tagged_unnecessary() -> None:
    text = FAULTY.replace('"plan_id"', '"plancheck-ignore": ["unknown_step"], "plan_id"')
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, text)
        tags = {item["code"]: item.get("tags") for item in wire.pull(URI)["items"]}
    assert tags["unused_suppression"] == [1]


def test_related_information_only_for_those_who_show_it() -> None:
    with Wire() as wire:
        wire.start()
        wire.open(URI, FAULTY)
        assert not any("relatedInformation" in item for item in wire.published(URI, 1))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_columns_in_every_encoding(encoding: str) -> None:
    text = '{"nodes": [{"idx": 0, "agent": "😀é", "kind": "nonsense"}]}'
    with Wire() as wire:
        capabilities = wire.start({**PULL, "general": {"positionEncodings": [encoding]}})
        assert capabilities["positionEncoding"] == encoding
        wire.open(URI, text)
        (item,) = wire.pull(URI)["items"]
        start = text.index('"nonsense"')
        assert item["range"]["start"] == position(text, start, encoding)
        assert item["range"]["end"] == position(text, start + len('"nonsense"'), encoding)
        wire.change(URI, 2, {"range": item["range"], "text": '"decision"'})
        assert wire.pull(URI)["items"] == []


def test_published_diagnostics_are_cleared_on_close() -> None:
    with Wire() as wire:
        wire.start()
        wire.open(URI, FAULTY)
        assert wire.published(URI, 1)
        wire.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        assert wire.published(URI) == []
        wire.change(URI, 2, {"text": FAULTY})
        assert not [m for m in wire.quiet() if m.get("method") == "textDocument/publishDiagnostics"]


def test_a_document_closed_before_it_was_looked_at_shows_nothing() -> None:
    with Wire() as wire:
        wire.start()
        document = {"uri": URI, "languageId": "json", "version": 1, "text": FAULTY}
        wire.send_all(
            [
                {"method": "textDocument/didOpen", "params": {"textDocument": document}},
                {"method": "textDocument/didClose", "params": {"textDocument": {"uri": URI}}},
            ]
        )
        published = [m for m in wire.quiet(1) if m.get("method") == "textDocument/publishDiagnostics"]
        assert published[-1]["params"]["diagnostics"] == []
        assert all(message["params"]["diagnostics"] == [] for message in published)


def test_a_pull_says_when_nothing_changed() -> None:
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, FAULTY)
        first = wire.pull(URI)
        assert first["kind"] == "full"
        again = wire.pull(URI, first["resultId"])
        assert (again["kind"], again["resultId"]) == ("unchanged", first["resultId"])
        wire.change(URI, 2, replace(0, 0, 0, " "))
        assert wire.pull(URI, first["resultId"])["kind"] == "full"


def test_a_document_reopened_is_not_taken_for_the_one_before() -> None:
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, FAULTY)
        first = wire.pull(URI)
        wire.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        wire.open(URI, HEALTHY)
        again = wire.pull(URI, first["resultId"])
        assert (again["kind"], again["items"]) == ("full", [])


@pytest.mark.parametrize("version", [5, 3, -1])
def test_an_edit_with_a_stale_version_changes_nothing(version: int) -> None:
    with Wire() as wire:
        wire.start(PULL)
        wire.open(URI, FAULTY, version=5)
        first = wire.pull(URI)
        assert first["items"]
        wire.change(URI, version, {"text": HEALTHY})
        assert wire.pull(URI)["items"] == first["items"], "asked without an id, so that it was looked at again"
        assert wire.pull(URI, first["resultId"])["kind"] == "unchanged"
        wire.change(URI, 6, {"text": HEALTHY})
        assert wire.pull(URI)["items"] == []


def test_a_file_past_the_limit_gets_one_note_and_its_syntax_checked() -> None:
    with Wire() as wire:
        wire.start(PULL, options={"maxFileSize": 100})
        wire.open(URI, FAULTY)
        (item,) = wire.pull(URI)["items"]
        assert (item["code"], item["severity"], item["data"]["unchecked"]) == ("file_too_large", 2, "limit")
        assert item["message"].startswith("Not checked: ")
        wire.change(URI, 2, {"text": FAULTY + "]"})
        assert {item["code"] for item in wire.pull(URI)["items"]} == {"file_too_large", "syntax_error"}
        wire.change(URI, 3, {"text": '{"nodes": [7]}'})
        assert [item["code"] for item in wire.pull(URI)["items"]] == ["wrong_type"]


def test_a_json_file_that_is_no_plan_gets_nothing() -> None:
    with Wire() as wire:
        wire.start(PULL)
        wire.open("file:///tmp/package.json", "{")
        assert wire.pull("file:///tmp/package.json")["items"] == []
        hover = {"textDocument": {"uri": "file:///tmp/package.json"}, "position": {"line": 0, "character": 0}}
        assert wire.request("textDocument/hover", hover) is None


def test_an_unsaved_document_is_checked() -> None:
    with Wire() as wire:
        wire.start(PULL)
        wire.open("untitled:Untitled-1", FAULTY)
        assert wire.pull("untitled:Untitled-1")["items"]


def test_an_action_is_attached_to_its_own_finding_and_no_other_at_the_same_place() -> None:
    volatile = '{"id": "q", "volatile": true}, {"id": "r", "volatile": true}'
    taken = '{"id": "q", "producer": 0}, {"id": "r", "producer": 0}'
    text = (
        f'{{"nodes": [\n{{"idx": 0, "agent": "a", "kind": "tool_call", "reads": [{volatile}]}},\n'
        f'{{"idx": 1, "agent": "b", "kind": "decision", "reads": [{taken}]}}\n]}}'
    )
    literals: dict[str, Any] = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
    with Wire() as wire:
        wire.start({"textDocument": {**PULL["textDocument"], "codeAction": literals}})
        wire.open(URI, text)
        items = wire.pull(URI)["items"]
        twins = [item for item in items if item["range"]["start"]["line"] == 2]
        assert len({(item["code"], str(item["range"])) for item in twins}) < len(twins) == 2
        for given in (items, [{**item, "data": None} for item in items]):
            params = {"textDocument": {"uri": URI}, "range": twins[0]["range"], "context": {"diagnostics": given}}
            offered = wire.request("textDocument/codeAction", params)
            fixes = [action for action in offered if action["kind"] == "quickfix"]
            about = {action["title"]: [item["message"] for item in action["diagnostics"]] for action in fixes}
            for name, item in zip("qr", twins, strict=True):
                assert f"`{name}`" in item["message"]
                own = [messages for title, messages in about.items() if f"`{name}`" in title]
                assert own
                assert all(messages == [item["message"]] for messages in own)
