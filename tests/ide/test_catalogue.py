"""Tools of a catalogue while a plan is typed: completed, explained, and found in both directions."""

from __future__ import annotations

import pytest

from ide.marks import cursor as unchecked_cursor
from ide.marks import marked
from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.catalogue.model import Catalogue, CatalogueSource
from plancheck.ide.catalogue import described_at, named_at, tool_lenses, uses_of
from plancheck.ide.complete import complete
from plancheck.ide.hover import hover
from plancheck.ide.navigate import highlights, references
from plancheck.ide.offers import Completion
from plancheck.ide.signature import signature_at
from plancheck.policy.reading import read_policy
from plancheck.text import Edit, apply_edits

TOOLS = """\
{"tools": [
  {"name": "find_order", "title": "Find an order", "description": "Look an order up.\\nBy *number* | or mail.",
   "inputSchema": {"type": "object", "required": ["number"], "additionalProperties": false, "properties": {
     "verbose": {"type": "boolean", "default": true},
     "number": {"type": "string", "description": "As it is on the bill."},
     "filter": {"type": "object", "required": ["state"], "properties": {
       "state": {"enum": ["open", "paid", "it's \\"late\\""]},
       "tags": {"type": "array", "items": {"$ref": "#/$defs/tag"}}}}},
     "$defs": {"tag": {"type": "object", "properties": {"label": {"type": "string"}, "weight": {"type": "integer"}}}}},
   "outputSchema": {"type": "object", "properties": {
     "total": {"type": "number", "description": "In euros."},
     "lines": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}}}},
   "annotations": {"readOnlyHint": true, "openWorldHint": false}},
  {"name": "pay_out", "inputSchema": {"type": "object", "required": ["amount"],
   "properties": {"amount": {"type": "number", "exclusiveMinimum": 0}, "note": {"type": "string"}}}},
  {"name": "ping", "inputSchema": {"type": "object"}},
  {"name": "no_schema"}
]}
"""
CATALOGUE = Catalogue((CatalogueSource("/w/shop.tools.json", TOOLS),))


def cursor(text: str, policy: str | None = None) -> tuple[Snapshot, int]:
    bare, offset = unchecked_cursor(text)
    known = read_policy(policy).policy if policy is not None else None
    return analyze(bare.text, Settings(policy=known, catalogue=CATALOGUE)), offset


def steps(call: str) -> str:
    return f'{{"goal": "g", "steps": [{{"id": "a", {call}}}]}}'


def completed(text: str) -> list[Completion]:
    return complete(*cursor(text))


def page(text: str, policy: str | None = None) -> str:
    found = hover(*cursor(text, policy))
    return "" if found is None else found.markdown


# ---- completion ------------------------------------------------------------------------------------------------------

SHAPES = {
    "steps": '{"goal": "g", "steps": [{"id": "a", "tool": "find_order", "args": {%s}}]}',
    "parameters": '{"goal": "g", "steps": [{"id": "a", "tool": "mcp__shop__find_order", "parameters": {%s}}]}',
    "calls": '[{"tool_name": "find_order", "args": {%s}}]',
    "anthropic": '[{"type": "tool_use", "id": "t", "name": "find_order", "input": {%s}}]',
    "mcp": '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "find_order", "arguments": {%s}}}',
    "langchain": '[{"name": "find_order", "args": {%s}, "id": "c"}]',
}
TWO_STEPS = """\
{"goal": "g", "steps": [
  {"id": "o", "tool": "find_order", "args": {"number": "1"}},
  {"id": "p", "tool": "pay_out", "args": {"amount": "%s"}, "depends_on": ["o"]}
]}
"""
TEXT = '{"tool_calls": [{"id": "c", "type": "function", "function": {"name": "find_order", "arguments": "{%s}"}}]}'


@pytest.mark.parametrize("shape", SHAPES)
def test_argument_names_the_required_ones_first(shape: str) -> None:
    found = completed(SHAPES[shape] % "$0")
    assert [(item.label, item.detail) for item in found] == [
        ("number", "required, string"),
        ("verbose", "true or false"),
        ("filter", "object with state, tags"),
    ]
    assert [item.insert_text for item in found] == [
        '"number": "$1"',
        '"verbose": ${1:true}',
        '"filter": {"state": "open"\\}',
    ]
    assert found[0].documentation == "As it is on the bill."


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_there_is_not_offered_again(shape: str) -> None:
    assert [item.label for item in completed(SHAPES[shape] % '"number": "1", "v$0"')] == ["verbose", "filter"]
    assert [item.label for item in completed(SHAPES[shape] % '"$0", "number": "1"')] == ["verbose", "filter"]


def test_names_and_values_inside_json_text_are_escaped() -> None:
    found = completed(TEXT % '\\"number\\": \\"1\\", $0')
    assert [(item.label, item.insert_text) for item in found] == [
        ("verbose", '\\\\"verbose\\\\": ${1:true}'),
        ("filter", '\\\\"filter\\\\": {\\\\"state\\\\": \\\\"open\\\\"\\}'),
    ]
    found = completed(TEXT % '\\"filter\\": {\\"state\\": \\"$0\\"}')
    assert [(item.label, item.insert_text) for item in found] == [
        ("open", '\\"open\\"'),
        ("paid", '\\"paid\\"'),
        ('it\'s "late"', '\\"it\'s \\\\\\"late\\\\\\"\\"'),
    ]


@pytest.mark.parametrize("shape", SHAPES)
def test_values_at_any_depth(shape: str) -> None:
    assert [item.label for item in completed(SHAPES[shape] % '"filter": {"state": "$0"}')][:3] == [
        "open",
        "paid",
        'it\'s "late"',
    ]
    assert [item.label for item in completed(SHAPES[shape] % '"filter": {"tags": [{"$0"}]}')] == ["label", "weight"]
    labels = [(item.label, item.detail) for item in completed(SHAPES[shape] % '"verbose": $0')]
    assert labels[:2] == [("true", "by default"), ("false", "")]


def test_a_value_replaces_what_was_typed() -> None:
    text = SHAPES["steps"] % '"filter": {"state": "pa$0"}'
    snapshot, offset = cursor(text)
    paid = next(item for item in complete(snapshot, offset) if item.label == "paid")
    assert paid.filter_text == '"paid'
    edited = apply_edits(snapshot.text, [Edit(*paid.span, paid.insert_text)])
    assert edited == SHAPES["steps"] % '"filter": {"state": "paid"}'


def test_tools_of_the_catalogue_come_first() -> None:
    found = completed('{"goal": "g", "steps": [{"id": "a", "tool": "mine"}, {"id": "b", "tool": "$0"}]}')
    assert [item.label for item in found] == ["find_order", "pay_out", "ping", "no_schema", "mine"]
    assert found[0].detail == "Find an order"
    assert "| `number` (required) | string | As it is on the bill. |" in found[0].documentation
    for text in (
        '[{"tool_name": "$0"}]',
        '{"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "$0"}}]}]}',
        '[{"type": "tool_use", "id": "x", "name": "f$0", "input": {}}]',
    ):
        assert [item.label for item in completed(text)][:4] == ["find_order", "pay_out", "ping", "no_schema"], text


def test_members_of_a_result() -> None:
    text = TWO_STEPS
    found = completed(text % "{{o.result.$0}}")
    assert [(item.label, item.insert_text, item.detail) for item in found[:2]] == [
        ("total", "total", "number"),
        ("lines", "lines", "list of object with `sku`"),
    ]
    assert found[0].documentation == "In euros."
    snapshot, offset = cursor(text % "{{o.result.to$0")
    total = complete(snapshot, offset)[0]
    edited = apply_edits(snapshot.text, [Edit(*total.span, total.insert_text)])
    assert edited == text % "{{o.result.total"
    assert [item.label for item in completed(text % "${o.result.lines[0].$0}")][:1] == ["sku"]
    assert [item.label for item in completed(text % "{{o.result.total.$0}}")] == ["o"]
    assert [item.label for item in completed(text % "{{nobody.result.$0}}")] == ["o"]


def test_nothing_is_made_up_for_a_tool_that_is_not_described() -> None:
    assert completed(steps('"tool": "no_schema", "args": {$0}')) == []
    assert completed(steps('"tool": "unknown", "args": {$0}')) == []
    assert completed(steps('"tool": "ping", "args": {$0}')) == []


# ---- hover -----------------------------------------------------------------------------------------------------------

TABLE = """\
**`find_order`**: only reads (according to the catalogue).

**Find an order** — Look an order up. By \\*number\\* \\| or mail.

| argument | | |
|---|---|---|
| `number` (required) | string | As it is on the bill. |
| `verbose` | true or false |  |
| `filter` | object with `state`, `tags` |  |

Result: object with `total`, `lines`.

From `shop.tools.json`: only reads, stays inside."""


@pytest.mark.parametrize(
    "text",
    [
        steps('"tool": "find_$0order"'),
        '[{"tool_name": "find_$0order"}]',
        '{"tool_calls": [{"id": "c", "function": {"name": "find_$0order", "arguments": "{}"}}]}',
    ],
)
def test_hover_on_a_tool(text: str) -> None:
    found = page(text)
    assert found.startswith(TABLE + "\n\n**Step ")


def test_hover_on_tools_that_are_not_described() -> None:
    assert "It takes no arguments." in page(steps('"tool": "pi$0ng"'))
    assert "What it takes is not described." in page(steps('"tool": "no_$0schema"'))
    assert "It is not in the catalogue of tools." in page(steps('"tool": "un$0known"'))


def test_hover_on_an_argument() -> None:
    policy = "bounds: {pay_out.amount: [0, 10]}"
    expected = (
        "**`amount`**: number, greater than 0, required\n\nAn argument of `pay_out`.\n\nThe policy allows from 0 to 10."
    )
    assert page(steps('"tool": "pay_out", "args": {"am$0ount": 5}'), policy) == expected
    assert page(steps('"tool": "pay_out", "args": {"amount": $05}'), policy) == expected
    assert page(SHAPES["mcp"] % '"number": "$01"') == (
        "**`number`**: string, required\n\nAs it is on the bill.\n\nAn argument of `find_order`."
    )
    assert page(TEXT % '\\"verb$0ose\\": true') == (
        "**`verbose`**: true or false\n\nBy default `true`.\n\nAn argument of `find_order`."
    )
    inner = page(SHAPES["calls"] % '"filter": {"tags": [{"we$0ight": 1}]}')
    assert inner == "**`filter.tags[0].weight`**: integer\n\nAn argument of `find_order`."
    assert page(steps('"tool": "pay_out", "args": {"un$0known": 5}')) == ""


def test_hover_on_a_reference_says_what_it_gives() -> None:
    text = TWO_STEPS
    assert page(text % "{{o.res$0ult.total}}").endswith("\n\nValue: number. In euros.")
    assert page(text % "{{o.res$0ult.lines[0].sku}}").endswith("\n\nValue: string.")
    assert "Value" not in page(text % "{{o.res$0ult.nothing}}")


def test_descriptions_are_text_and_cut() -> None:
    evil = TOOLS.replace("Look an order up.", "[click](command:evil) <img src=x> " + "x" * 5_000)
    catalogue = Catalogue((CatalogueSource("/w/t.json", evil),))
    text = steps('"tool": "find_order"')
    found = hover(analyze(text, Settings(catalogue=catalogue)), text.index("find_order"))
    assert found is not None
    assert "\\[click\\](command:evil) \\<img src=x\\>" in found.markdown
    assert len(found.markdown) < 3_000


# ---- signature -------------------------------------------------------------------------------------------------------

LABEL = "find_order(number: string, verbose?: true or false, filter?: object with state, tags)"


@pytest.mark.parametrize(
    ("arguments", "active"),
    [
        ("$0", "number: string"),
        ('"number": "1"$0', None),
        ('"verbose": true$0 ', "verbose?: true or false"),
        ('"verbose": true $0', "number: string"),
        ('"number": "1", $0', None),
        ('"verbose": tr$0ue', "verbose?: true or false"),
        ('"filter": {"state": "$0"}', "filter?: object with state, tags"),
        ('"filter": {$0}', "filter?: object with state, tags"),
        ('"unknown": $01', None),
    ],
)
@pytest.mark.parametrize("shape", ["steps", "calls", "mcp", "text"])
def test_the_signature_inside_the_arguments(shape: str, arguments: str, active: str | None) -> None:
    text = TEXT % arguments.replace('"', '\\"') if shape == "text" else SHAPES[shape] % arguments
    found = signature_at(*cursor(text))
    assert found is not None
    assert found.label == LABEL
    named = None if found.active is None else found.parameters[found.active]
    assert (None if named is None else found.label[named.start : named.end]) == active
    assert found.parameters[0].page == "As it is on the bill."


@pytest.mark.parametrize(
    "text",
    [
        steps('"tool": "find_order", $0"args": {}'),
        steps('"tool": "find_$0order", "args": {}'),
        steps('"tool": "unknown", "args": {$0}'),
        steps('"tool": "find_order", "args": $0'),
        "$0",
        "[$0]",
    ],
)
def test_no_signature_elsewhere(text: str) -> None:
    assert signature_at(*cursor(text)) is None


# ---- from one file to the other --------------------------------------------------------------------------------------


def target(text: str) -> str | None:
    """What the way into the catalogue leads to: the token, and the line that it is in."""
    found = described_at(*cursor(text))
    return None if found is None else f"{found.site.line}: {TOOLS[slice(*found.site.span)]}"


def test_the_way_into_the_catalogue() -> None:
    assert target(steps('"tool": "find_$0order"')) == '2: "find_order"'
    assert target(steps('"tool": "mcp__x__pay$0_out"')) == '14: "pay_out"'
    assert target(steps('"tool": "find_order", "args": {"ver$0bose": true}')) == '4: "verbose"'
    assert target(steps('"tool": "find_order", "args": {"filter": {"st$0ate": 1}}')) == '7: "state"'
    assert target(SHAPES["calls"] % '"filter": {"tags": [{"we$0ight": 1}]}') == '9: "weight"'
    assert target(TEXT % '\\"num$0ber\\": 1') == '5: "number"'
    for nowhere in (
        '"tool": "un$0known"',
        '"tool": "find_order", "args": {"o$0ther": 1}',
        '"tool": "find_order", "ar$0gs": {}',
    ):
        assert target(steps(nowhere)) is None


def test_the_calls_of_a_tool() -> None:
    text = """\
        {"goal": "g", "steps": [
          {"id": "a", "tool": «"find_order"»},
          {"id": "b", "tool": "ping"},
          {"id": "c", "tool": «"mcp__shop__find_order"», "args": {"job": {"tool_name": «"find_order"», "args": {}}}}
        ]}
        """
    bare = text.replace("«", "").replace("»", "")
    snapshot = analyze(bare, Settings(catalogue=CATALOGUE))
    assert marked(bare, uses_of(snapshot, CATALOGUE.tools["find_order"])) == text
    assert uses_of(snapshot, CATALOGUE.tools["pay_out"]) == []


def test_the_same_tool_in_one_plan_needs_no_catalogue() -> None:
    text = (
        '{"goal": "g", "steps": [{"id": "a", "tool": «"x$0"»}, {"id": "b", "tool": "y"}, {"id": "c", "tool": «"x"»}]}'
    )
    snapshot, offset = unchecked_cursor(text.replace("«", "").replace("»", ""))
    expected = text.replace("$0", "")
    assert marked(snapshot.text, references(snapshot, offset)) == expected
    assert marked(snapshot.text, [found.span for found in highlights(snapshot, offset)]) == expected


def test_lenses_above_the_tools() -> None:
    [file] = CATALOGUE.files
    lenses = tool_lenses(file, {("/w/shop.tools.json", "find_order"): 3, ("/w/shop.tools.json", "ping"): 1})
    assert [(TOOLS[slice(*lens.span)], lens.command.title) for lens in lenses] == [
        ('"find_order"', "used by 3 plans"),
        ('"pay_out"', "not used by any plan"),
        ('"ping"', "used by 1 plan"),
        ('"no_schema"', "not used by any plan"),
    ]
    for lens in lenses:
        found = named_at(file, lens.span.start + 2)
        assert found is not None
        assert f'"{found.name}"' == TOOLS[slice(*lens.span)]
    assert named_at(file, 0) is None
