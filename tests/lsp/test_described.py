"""Policies and configurations in an editor, over real pipes: what is offered in them, and one name in several files."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp.test_workspace import ACCEPTING
from lsp.wire import PULL, Wire
from plancheck.text import Edit, LineIndex, apply_edits

POLICY = """allow_tools: [crm.find, payments.transfer]
bounds:
  payments.transfer.amount: [0.01, 1000]
gate:
  not_frist: [payments.transfer]
"""
PLAN = """{"goal": "pay", "steps": [
  {"id": "find", "tool": "crm.find", "args": {"name": "Jo"}},
  {"id": "pay", "tool": "payments.transfer", "args": {"amount": 5}, "on_fail": "abort", "depends_on": ["find"]}
]}
"""
OTHER = """{"goal": "refund", "steps": [
  {"id": "back", "tool": "payments.transfer", "args": {"amount": 7}, "on_fail": "abort"}
]}
"""
TOOLS = """{"tools": [
  {"name": "crm.find", "description": "Finds customers.",
   "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}}},
  {"name": "payments.transfer", "inputSchema": {"type": "object", "properties": {"amount": {"type": "number"}}}}
]}
"""
TOML = 'tools = ["tools.json"]\nprofile = "stict"\n'
CAPABLE: dict[str, Any] = {
    "textDocument": {
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
        "completion": {"completionItem": {"snippetSupport": True}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "definition": {"linkSupport": True},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}


def capable(pulls: bool) -> dict[str, Any]:
    return {**CAPABLE, "textDocument": {**CAPABLE["textDocument"], **(PULL["textDocument"] if pulls else {})}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = {"plan-policy.yaml": POLICY, "pay.plan.json": PLAN, "other.plan.json": OTHER, "tools.json": TOOLS}
    for name, text in {**texts, "plancheck.toml": TOML}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture(params=[False, True], ids=["push", "pull"])
def wire(request: pytest.FixtureRequest, folder: Path) -> Iterator[Wire]:
    with Wire(answers=ACCEPTING) as connected:
        connected.start(capable(request.param), root=folder)
        yield connected


def at(path: Path, text: str, words: str, into: int = 1) -> dict[str, Any]:
    """The parameters of a request about a place inside some words of a file."""
    position = LineIndex(text).position(text.index(words) + into).to_dict()
    return {"textDocument": {"uri": path.as_uri()}, "position": position}


def opened(wire: Wire, path: Path) -> tuple[Path, str]:
    text = path.read_text(encoding="utf-8")
    wire.open(path.as_uri(), text)
    return path, text


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    lines = LineIndex(text)

    def offset(position: dict[str, int]) -> int:
        return lines.offset(position["line"], position["character"])

    return apply_edits(
        text, [Edit(offset(e["range"]["start"]), offset(e["range"]["end"]), e["newText"]) for e in edits]
    )


def named(found: list[dict[str, Any]], folder: Path) -> list[str]:
    """Locations as `file:line:words`."""
    shown = []
    for location in found:
        name = location["uri"].rpartition("/")[2]
        start, end = location["range"]["start"], location["range"]["end"]
        line = (folder / name).read_text(encoding="utf-8").split("\n")[start["line"]]
        shown.append(f"{name}:{start['line'] + 1}:{line[start['character'] : end['character']]}")
    return sorted(shown)


def test_hover_completion_and_symbols_of_a_policy(wire: Wire, folder: Path) -> None:
    path, text = opened(wire, folder / "plan-policy.yaml")
    page = wire.request("textDocument/hover", at(path, text, "crm.find"))["contents"]["value"]
    assert "used by 1 plan" in page
    assert "Finds customers." in page
    page = wire.request("textDocument/hover", at(path, text, "bounds"))["contents"]["value"]
    assert "The numbers that arguments may be" in page
    found = wire.request("textDocument/documentSymbol", {"textDocument": {"uri": path.as_uri()}})
    assert [symbol["name"] for symbol in found] == ["allow_tools", "bounds", "gate"]
    wire.change(path.as_uri(), 2, {"text": text.replace("[0.01, 1000]", "[0.01, 1000]\n  c")})
    position = {"line": 3, "character": 3}
    items = wire.request("textDocument/completion", {"textDocument": {"uri": path.as_uri()}, "position": position})
    assert [item["label"] for item in items["items"]] == ["crm.find.name"]
    edit = items["items"][0]["textEdit"]
    assert edit["range"] == {"start": {"line": 3, "character": 2}, "end": {"line": 3, "character": 3}}
    assert edit["newText"] == "crm.find.name: [${1:0}, ${2:1000}]"


def test_a_configuration_and_its_fixes(wire: Wire, folder: Path) -> None:
    path, text = opened(wire, folder / "plancheck.toml")
    page = wire.request("textDocument/hover", at(path, text, "profile"))["contents"]["value"]
    assert "Without it: `recommended`." in page
    asked = at(path, text, "profile = ", 11)
    found = wire.request("textDocument/completion", asked)["items"]
    assert [item["label"] for item in found] == ["recommended", "strict", "security"]
    (action,) = fixes(wire, path, text, "stict")
    assert applied(text, action["edit"]["documentChanges"][0]["edits"]) == text.replace("stict", "strict")


def shown(wire: Wire, path: Path) -> list[dict[str, Any]]:
    """The diagnostics of an open file, asked for or published."""
    answer = wire.answer(wire.ask("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}}))
    if "result" in answer:
        return list(answer["result"]["items"])
    published = [m["params"] for m in wire.log if m.get("method") == "textDocument/publishDiagnostics"]
    known = [p["diagnostics"] for p in published if p["uri"] == path.as_uri() and p.get("version") == 1]
    return known[-1] if known else wire.published(path.as_uri(), 1)


def fixes(wire: Wire, path: Path, text: str, words: str) -> list[dict[str, Any]]:
    position = at(path, text, words)["position"]
    items = shown(wire, path)
    context = {"diagnostics": items}
    params = {"textDocument": {"uri": path.as_uri()}, "range": {"start": position, "end": position}, "context": context}
    found: list[dict[str, Any]] = wire.request("textDocument/codeAction", params)
    return found


def test_a_misspelling_is_put_right_and_the_fix_is_attached_to_its_diagnostic(wire: Wire, folder: Path) -> None:
    path, text = opened(wire, folder / "plan-policy.yaml")
    (action,) = fixes(wire, path, text, "not_frist")
    assert action["title"] == "Change it to `not_first`"
    assert action["kind"] == "quickfix"
    assert [item["code"] for item in action["diagnostics"]] == ["policy_unknown_key"]
    (change,) = action["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": path.as_uri(), "version": 1}
    assert applied(text, change["edits"]) == text.replace("not_frist", "not_first")


def test_the_fix_is_made_for_the_text_as_it_is_now(wire: Wire, folder: Path) -> None:
    path, text = opened(wire, folder / "plan-policy.yaml")
    text = f"# é😀\n{text}"
    wire.change(path.as_uri(), 2, {"text": text})
    position = at(path, text, "not_frist")["position"]
    where = {"start": position, "end": position}
    params = {"textDocument": {"uri": path.as_uri()}, "range": where, "context": {"diagnostics": []}}
    (action,) = wire.request("textDocument/codeAction", params)
    (change,) = action["edit"]["documentChanges"]
    assert change["textDocument"]["version"] == 2
    assert applied(text, change["edits"]) == text.replace("not_frist", "not_first")


CALLS = ['other.plan.json:2:"payments.transfer"', 'pay.plan.json:3:"payments.transfer"']
MENTIONS = ["plan-policy.yaml:1:payments.transfer", "plan-policy.yaml:3:payments.transfer"]


@pytest.mark.parametrize("name", ["plan-policy.yaml", "pay.plan.json", "tools.json"])
def test_references_of_a_tool_lead_to_plans_policies_and_catalogues(wire: Wire, folder: Path, name: str) -> None:
    path, text = opened(wire, folder / name)
    params = {**at(path, text, "payments.transfer"), "context": {"includeDeclaration": True}}
    found = named(wire.request("textDocument/references", params), folder)
    assert found == sorted([*CALLS, *MENTIONS, 'tools.json:4:"payments.transfer"'])
    params["context"]["includeDeclaration"] = False
    assert named(wire.request("textDocument/references", params), folder) == sorted([*CALLS, *MENTIONS])


def test_nothing_is_missed_where_a_policy_is_typed_while_it_is_answered(wire: Wire, folder: Path) -> None:
    """Each key puts something new in force, also for plans that the answer has not come to yet."""
    for number in range(40):
        (folder / f"more{number}.plan.json").write_text(OTHER, encoding="utf-8")
    path, text = opened(wire, folder / "plan-policy.yaml")
    params = {**at(path, text, "payments.transfer"), "context": {"includeDeclaration": True}}
    asked = wire.ask("textDocument/references", params)
    for number in range(20):
        wire.change(path.as_uri(), 2 + number, {"text": f"{text}#{' ' * number}\n"})
        time.sleep(0.02)
    found = named(wire.answer(asked)["result"], folder)
    more = [f'more{number}.plan.json:2:"payments.transfer"' for number in range(40)]
    assert found == sorted([*CALLS, *MENTIONS, *more, 'tools.json:4:"payments.transfer"'])


def test_from_a_bound_to_the_arguments_that_it_is_about(wire: Wire, folder: Path) -> None:
    path, text = opened(wire, folder / "plan-policy.yaml")
    params = {**at(path, text, ".amount", 3), "context": {"includeDeclaration": True}}
    found = named(wire.request("textDocument/references", params), folder)
    assert found == ['other.plan.json:2:"amount"', 'pay.plan.json:3:"amount"']


def test_definition_leads_from_a_policy_into_the_catalogue(wire: Wire, folder: Path) -> None:
    path, text = opened(wire, folder / "plan-policy.yaml")
    (link,) = wire.request("textDocument/definition", at(path, text, "crm.find"))
    assert link["targetUri"] == (folder / "tools.json").as_uri()
    assert link["targetSelectionRange"]["start"] == {"line": 1, "character": 11}


def test_a_bounded_argument_shows_the_bound_and_where_it_is_set(wire: Wire, folder: Path) -> None:
    path, text = opened(wire, folder / "pay.plan.json")
    page = wire.request("textDocument/hover", at(path, text, '"amount"'))["contents"]["value"]
    uri = (folder / "plan-policy.yaml").as_uri()
    assert f"The policy allows from 0.01 to 1000 ([plan-policy.yaml, line 3](<{uri}#L3>))." in page


def test_definition_leads_from_a_bounded_argument_to_its_catalogue_and_to_the_policy(wire: Wire, folder: Path) -> None:
    path, text = opened(wire, folder / "pay.plan.json")
    links = wire.request("textDocument/definition", at(path, text, '"amount"'))
    found = {
        link["targetUri"].rpartition("/")[2]: (
            text.split("\n")[link["targetSelectionRange"]["start"]["line"]][
                link["targetSelectionRange"]["start"]["character"] : link["targetSelectionRange"]["end"]["character"]
            ]
        )
        for link in links
        for text in [(folder / link["targetUri"].rpartition("/")[2]).read_text()]
    }
    assert found == {"tools.json": '"amount"', "plan-policy.yaml": "payments.transfer.amount"}


@pytest.mark.parametrize("name", ["plan-policy.yaml", "pay.plan.json", "tools.json"])
def test_a_tool_is_renamed_in_all_plans_policies_and_catalogues(wire: Wire, folder: Path, name: str) -> None:
    path, text = opened(wire, folder / name)
    where = at(path, text, "payments.transfer")
    assert wire.request("textDocument/prepareRename", where)["placeholder"] == "payments.transfer"
    edit = wire.request("textDocument/rename", {**where, "newName": "bank.pay"})
    changes = {change["textDocument"]["uri"]: change for change in edit["documentChanges"]}
    before_of = {"plan-policy.yaml": POLICY, "pay.plan.json": PLAN, "other.plan.json": OTHER, "tools.json": TOOLS}
    for file, before in before_of.items():
        change = changes.pop((folder / file).as_uri())
        assert change["textDocument"]["version"] == (1 if file == name else None)
        expected = before.replace("not_frist: [payments.transfer]", "not_frist: [?]").replace(
            "payments.transfer", "bank.pay"
        )
        assert applied(before, change["edits"]) == expected.replace("[?]", "[payments.transfer]")
    assert changes == {}


def test_what_is_typed_and_not_saved_counts(wire: Wire, folder: Path) -> None:
    policy, text = opened(wire, folder / "plan-policy.yaml")
    plan, plan_text = opened(wire, folder / "pay.plan.json")
    wire.change(policy.as_uri(), 2, {"text": "# new\n" + text})
    wire.change(plan.as_uri(), 2, {"text": "\n" + plan_text})
    edit = wire.request("textDocument/rename", {**at(plan, "\n" + plan_text, "payments.transfer"), "newName": "x.y"})
    changes = {change["textDocument"]["uri"]: change for change in edit["documentChanges"]}
    assert applied("# new\n" + text, changes[policy.as_uri()]["edits"]).startswith(
        "# new\nallow_tools: [crm.find, x.y]"
    )
    assert changes[policy.as_uri()]["textDocument"]["version"] == 2
    assert applied("\n" + plan_text, changes[plan.as_uri()]["edits"]) == "\n" + plan_text.replace(
        "payments.transfer", "x.y"
    )


@pytest.mark.parametrize(
    ("name", "words", "new", "message"),
    [
        ("plan-policy.yaml", "crm.find", "a*", "cannot be the name of a tool"),
        ("plan-policy.yaml", "bounds", "x", "There is nothing to rename here"),
        ("tools.json", "crm.find", "payments.transfer", "The catalogue has a tool `payments.transfer` already"),
        ("plan-policy.yaml", "payments.transfer", "a[0]", "would be the key of a bound"),
    ],
)
def test_a_rename_that_cannot_be_is_refused(
    wire: Wire, folder: Path, name: str, words: str, new: str, message: str
) -> None:
    path, text = opened(wire, folder / name)
    error = wire.error("textDocument/rename", {**at(path, text, words), "newName": new})
    assert message in error["message"]


def test_other_yaml_and_toml_files_are_nobodys_business(wire: Wire, folder: Path) -> None:
    for name, text in (("compose.yaml", "allow_tools: [a]\n"), ("pyproject.toml", "[project]\nname = 'x'\n")):
        (folder / name).write_text(text)
        path, text = opened(wire, folder / name)
        where = at(path, text, "a", 0)
        assert wire.request("textDocument/hover", where) is None
        assert wire.request("textDocument/completion", where) is None
        assert wire.request("textDocument/definition", where) is None
        assert wire.request("textDocument/prepareRename", where) is None
        assert wire.request("textDocument/documentSymbol", {"textDocument": {"uri": path.as_uri()}}) == []


def test_plancheck_in_a_pyproject_is_a_configuration(wire: Wire, folder: Path) -> None:
    text = "[project]\nname = 'x'\n\n[tool.plancheck]\nprofile = 'strict'\n\n"
    (folder / "pyproject.toml").write_text(text)
    path, _ = opened(wire, folder / "pyproject.toml")
    page = wire.request("textDocument/hover", at(path, text, "profile"))["contents"]["value"]
    assert page.startswith("**`profile`**")
    where = {"textDocument": {"uri": path.as_uri()}, "position": {"line": 5, "character": 0}}
    labels = [item["label"] for item in wire.request("textDocument/completion", where)["items"]]
    assert "include" in labels
    assert "profile" not in labels
    where["position"] = {"line": 2, "character": 0}
    assert wire.request("textDocument/completion", where) is None


@pytest.mark.parametrize("text", ["allow_tools: [" + "x" * 1_000_000, "a: &a [*a]\n", "\t\n" * 100_000, "- " * 50_000])
def test_hostile_policies_are_answered(wire: Wire, folder: Path, text: str) -> None:
    path = folder / "plan-policy.yaml"
    wire.open(path.as_uri(), text)
    where = {"textDocument": {"uri": path.as_uri()}, "position": {"line": 0, "character": 14}}
    for method in ("hover", "completion", "definition", "prepareRename"):
        wire.request(f"textDocument/{method}", where, timeout=60)
    wire.request("textDocument/references", {**where, "context": {"includeDeclaration": True}}, timeout=60)
    wire.request("textDocument/documentSymbol", {"textDocument": where["textDocument"]}, timeout=60)
