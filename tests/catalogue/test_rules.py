"""Calls against a catalogue, in marks: all that the five rules say about a plan, and all that they do not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analysis.marks import check_rule
from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Severity
from plancheck.analysis.fix.fixpoint import fix_all
from plancheck.analysis.settings import Settings
from plancheck.catalogue.model import Catalogue, CatalogueSource
from plancheck.unknown import Reason, Unknown

TOOLS = """\
{"tools": [
  {"name": "get_weather", "inputSchema": {"type": "object", "required": ["city"], "properties": {
    "city": {"type": "string"}, "days": {"type": "integer", "maximum": 14}, "units": {"enum": ["C", "F"]},
    "at": {"type": "object", "required": ["lat"], "properties": {"lat": {"type": "number"}, "lon": {"type": "number"}},
           "additionalProperties": false}}},
   "outputSchema": {"type": "object", "properties": {
     "temperature": {"type": "number"}, "places": {"type": "array", "items": {"type": "object", "properties": {
       "name": {"type": "string"}}}}}}},
  {"name": "mail.send", "inputSchema": {"type": "object", "additionalProperties": false, "required": ["to", "text"],
    "properties": {"to": {"type": "string", "pattern": "@"}, "text": {"type": "string"},
                   "copies": {"type": "array", "items": {"type": "string"}}}}},
  {"name": "anything", "inputSchema": {"type": "object", "additionalProperties": true, "properties": {"a": {}}}},
  {"name": "unknown_arguments"}
]}
"""
CATALOGUE = Catalogue((CatalogueSource("/c/tools.json", TOOLS),))
SETTINGS = Settings(catalogue=CATALOGUE)


def test_tools_that_are_not_there() -> None:
    check_rule(
        None,
        """
        [
          {"tool_name": "get_weather", "args": {"city": "Bern"}},
          {"tool_name": "get_wether", "args": {"city": "Bern"}},
                        ~~~~~~~~~~~~ unknown_tool: Step 1 calls `get_wether`, which is not in the catalogue of tools: did you mean `get_weather`?
          {"tool_name": "mcp__w__get_weather", "args": {"city": "Bern"}},
          {"tool_name": "teleport", "args": {}},
                        ~~~~~~~~~~ unknown_tool: Step 3 calls `teleport`, which is not in the catalogue of tools: correct the name, or add the tool to the catalogue.
          {"tool_name": "${TOOL}", "args": {}}
                        ~~~~~~~~~ tool_deny: not checked (runtime): Which tool `${TOOL}` is cannot be known before the run: name the tool.
        ]
        """,  # noqa: E501
        SETTINGS,
    )


def test_no_tool_of_the_plan_is_there() -> None:
    check_rule(
        None,
        """
        [
        ~ unknown_tool: None of this plan's tools is in the catalogue (`teleport`, `beam`): is it the right catalogue?
          {"tool_name": "teleport", "args": {}},
          {"tool_name": "beam", "args": {}}
        ]
        """,
        SETTINGS,
    )
    check_rule(
        None,
        """
        [{"tool_name": "teleport"}]
                       ~~~~~~~~~~ unknown_tool: Step 0 calls `teleport`…
        """,
        SETTINGS,
    )


def test_a_carried_call_is_checked() -> None:
    check_rule(
        None,
        """
        [
          {"tool_name": "anything", "args": {"a": {"type": "function", "function": {"name": "telport", "arguments": {}}}}},
                        ~~~~~~~~~~ unknown_tool: Step 0 calls `telport`…
          {"tool_name": "anything", "args": {"a": {"type": "tool_use", "name": "get_weather", "input": {"city": 5}}}}
                                                                                                                ~ wrong_argument: `city` must be a string, not 5: see the arguments of `get_weather`.
        ]
        """,  # noqa: E501
        SETTINGS,
    )


def test_arguments() -> None:
    check_rule(
        None,
        """
        [
          {"tool_name": "get_weather"},
                        ~~~~~~~~~~~~~ missing_argument: Step 0 calls `get_weather` without `city`: add it.
          {"tool_name": "get_weather", "args": {"citty": "Bern"}},
                                                ~~~~~~~ unknown_argument: `citty` is not an argument of `get_weather`: did you mean `city`?
          {"tool_name": "get_weather", "args": {"city": "Bern", "colour": 1}},
                                                                ~~~~~~~~ unknown_argument: `colour` is not an argument of `get_weather`: it has `city`, `days`, `units`, `at`.
          {"tool_name": "get_weather", "args": {"city": "Bern", "days": 15, "units": "K"}},
                                                                        ~~ wrong_argument: `days` must be at most 14, not 15: see the arguments of `get_weather`.
                                                                                     ~~~ wrong_argument: `units` must be one of `C`, `F`, not `K`: see the arguments of `get_weather`.
          {"tool_name": "get_weather", "args": {"city": "Bern", "at": {"lon": 7.4, "height": 500}}},
                                                                ~~~~ missing_argument: Step 4 calls `get_weather` without `at.lat`: add it.
                                                                                   ~~~~~~~~ unknown_argument: `at.height` is not an argument of `get_weather`: it has `lat`, `lon`.
          {"tool_name": "mail.send", "args": {"to": "ada", "copies": ["a", 5]}},
                        ~~~~~~~~~~~ missing_argument: Step 5 calls `mail.send` without `text`: add it.
                                                    ~~~~~ wrong_argument: `to` must match the pattern `@`: see the arguments of `mail.send`.
                                                                           ~ wrong_argument: `copies[1]` must be a string, not 5: see the arguments of `mail.send`.
          {"tool_name": "anything", "args": {"b": 1}},
          {"tool_name": "unknown_arguments", "args": {"b": 1}}
        ]
        """,  # noqa: E501
        SETTINGS,
    )


def test_severities_of_unknown_arguments() -> None:
    def severity(tool: str, settings: Settings = SETTINGS, **arguments: Any) -> list[Severity]:
        plan = json.dumps([{"tool_name": tool, "args": arguments}])
        return [finding.severity for finding in analyze(plan, settings).findings if finding.rule == "unknown_argument"]

    assert severity("get_weather", city="Bern", colour=1) == [Severity.WARNING]
    assert severity("get_weather", citty="Bern") == [Severity.ERROR]  # the tool lacks what it requires
    assert severity("mail.send", to="a@b", text="", colour=1) == [Severity.ERROR]
    hint = Settings({"unknown_argument": Severity.HINT}, catalogue=CATALOGUE)
    assert severity("mail.send", hint, to="a@b", text="", colour=1) == [Severity.HINT]
    error = Settings({"unknown_argument": Severity.ERROR}, catalogue=CATALOGUE)
    assert severity("get_weather", error, city="Bern", colour=1) == [Severity.ERROR]


def test_references_fit_anything_unless_the_result_says_otherwise() -> None:
    check_rule(
        None,
        """
        {"goal": "g", "steps": [
          {"id": "a", "tool": "get_weather", "args": {"city": "${CITY}", "days": "${context.days}", "units": "{{unit}}"}},
          {"id": "b", "tool": "get_weather", "args": {"city": "{{a.result.places[0].name}}", "days": "{{a.result.temperature}}"}, "depends_on": ["a"]},
          {"id": "c", "tool": "get_weather", "args": {"city": "{{a.result.temperature}}"}, "depends_on": ["a"]},
                                                              ~~~~~~~~~~~~~~~~~~~~~~~~~~ wrong_argument: `city` must be string, and step a gives number: take another value.
          {"id": "d", "tool": "get_weather", "args": {"city": "in {{a.result.temperature}}"}, "depends_on": ["a"]},
          {"id": "e", "tool": "mail.send", "args": {"to": "{{a.result}}", "text": "{{a.result.structuredContent.temperature}}"}, "depends_on": ["a"]}
                                                          ~~~~~~~~~~~~~~ wrong_argument: `to` must be string…
                                                                                  ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ wrong_argument: `text` must be string…
        ]}
        """,  # noqa: E501
        SETTINGS,
    )


def test_results_that_are_not_there() -> None:
    check_rule(
        "unknown_result",
        """
        {"goal": "g", "steps": [
          {"id": "a", "tool": "x.get_weather", "args": {"city": "Bern"}},
          {"id": "b", "tool": "anything", "args": {"a": "it is {{a.result.temprature}} in ${a.result.places[0].nam}"}, "depends_on": ["a"]},
                                                                          ~~~~~~~~~~ unknown_result: The result of `get_weather` has no `temprature`: did you mean `temperature`?
                                                                                                               ~~~ unknown_result: The result of `get_weather` has no `nam`: did you mean `name`?
          {"id": "c", "tool": "anything", "args": {"a": "{{a.result.sun}} {{b.result.whatever}} {{a.result.content[0].text}}"}, "depends_on": ["b"]}
                                                                    ~~~ unknown_result: The result of `get_weather` has no `sun`: it has `temperature`, `places`.
        ]}
        """,  # noqa: E501
        SETTINGS,
    )


@pytest.mark.parametrize("path", ["", ".sum", ".result.sum", ".structuredContent.result.sum"])
def test_a_result_in_an_object_of_its_own_is_read_with_and_without_it(path: str) -> None:
    wrapped = {
        "type": "object",
        "properties": {"result": {"type": "object", "properties": {"sum": {"type": "integer"}}}},
    }
    tools = [
        {"name": "add", "outputSchema": wrapped},
        {"name": "pay", "inputSchema": {"properties": {"a": {"type": "number"}}}},
    ]
    catalogue = Catalogue((CatalogueSource("/c/t.json", json.dumps(tools)),))

    def found(reference: str) -> list[str]:
        pay = {"id": "b", "tool": "pay", "args": {"a": f"{{{{a.result{reference}}}}}"}, "depends_on": ["a"]}
        plan = {"goal": "g", "steps": [{"id": "a", "tool": "add"}, pay]}
        return [finding.rule for finding in analyze(json.dumps(plan), Settings(catalogue=catalogue)).findings]

    assert found(path) == []
    assert found(f"{path}.nothing" if path else ".nothing") == ["unknown_result"]


@pytest.mark.parametrize(
    "text",
    [
        '[{"tool_name": "get_weather", "args": }]',
        '[{"tool_name": "get_weather", "args": {"ci": }}]',
        '[{"tool_name": "get_weather", "args": {"city": }}]',
        '[{"tool_name": "get_weather", "args": {"city"}}]',
        '[{"tool_name": }]',
        '[{"tool_name": "get_weather", "args": "Bern"}]',
        '[{"tool_name": "get_weather", "args": [1]}]',
        '[{"tool_name": "get_weather", "arguments": {"city": "Bern"}}]',
        '{"nodes": [{"idx": 0, "agent": "a", "kind": "tool_call"}]}',
    ],
)
def test_nothing_is_said_about_what_is_half_typed_or_wrong_otherwise(text: str) -> None:
    found = {finding.rule for finding in analyze(text, SETTINGS).findings}
    assert not found & {"unknown_tool", "unknown_argument", "missing_argument", "wrong_argument", "unknown_result"}


def test_a_tool_with_a_mistake_in_its_schema_is_not_checked_rather_than_fine() -> None:
    tools = '[{"name": "a", "parameters": {"properties": {"x": {"type": "txt"}}}}, {"name": "b"}]'
    check_rule(
        None,
        """
        [{"tool_name": "a", "args": {"x": 1}}, {"tool_name": "b"}]
                       ~~~ wrong_argument: not checked (not_understood): What the catalogue says about `a` has a mistake: correct it there.
        """,  # noqa: E501
        Settings(catalogue=Catalogue((CatalogueSource("/c/tools.json", tools),))),
    )


@pytest.mark.parametrize("tools", ["{", '{"tools": [{}]}', "5"])
def test_with_a_broken_catalogue_no_tool_is_called_unknown_and_none_is_fine(tools: str) -> None:
    snapshot = analyze('[{"tool_name": "a"}]', Settings(catalogue=Catalogue((CatalogueSource("/c/t.json", tools),))))
    assert snapshot.findings == []
    (unchecked,) = snapshot.unchecked
    assert (unchecked.rule, unchecked.reason) == ("catalogue_fault", Reason.FAILURE)
    assert unchecked.message.startswith("The tools in t.json are not all known, because of a mistake in line 1: ")


def test_a_file_that_cannot_be_read_is_a_failure() -> None:
    fault = Unknown(Reason.FAILURE, "The tools cannot be read.")
    snapshot = analyze('[{"tool_name": "a"}]', Settings(catalogue=Catalogue((), (fault,))))
    assert [(place.reason, place.message) for place in snapshot.unchecked] == [fault]
    assert snapshot.findings == []


def test_a_pattern_that_hangs_is_not_run_here() -> None:
    tools = json.dumps([{"name": "a", "parameters": {"properties": {"x": {"pattern": "^(a+)+$"}}}}])
    plan = json.dumps([{"tool_name": "a", "args": {"x": "a" * 40 + "!"}}])
    snapshot = analyze(plan, Settings(catalogue=Catalogue((CatalogueSource("/c/t.json", tools),))))
    assert [(place.rule, place.reason) for place in snapshot.unchecked] == [("wrong_argument", Reason.LIMIT)]


@pytest.mark.parametrize(
    ("before", "after", "is_safe"),
    [
        ('{"city": "Bern", "days": "5"}', '{"city": "Bern", "days": 5}', True),
        ('{"city": 5}', '{"city": "5"}', True),
        ('{"city": true}', '{"city": "true"}', True),
        ('{"city": "Bern", "days": "05"}', '{"city": "Bern", "days": "05"}', True),
        ('{"city": "Bern", "days": "15"}', '{"city": "Bern", "days": "15"}', True),
        ('{"city": "Bern", "units": "c"}', '{"city": "Bern", "units": "C"}', False),
        ('{"citty": "Bern"}', '{"city": "Bern"}', False),
        ('{"city": "Bern", "colour": 1}', '{"city": "Bern"}', False),
        ('{"days": 1}', '{"days": 1, "city": ""}', False),
        ("{}", '{"city": ""}', False),
        ("null", '{"city": ""}', False),
        ('{"city": "Bern", "at": {}}', '{"city": "Bern", "at": {"lat": 0}}', False),
    ],
)
def test_fixes(before: str, after: str, is_safe: bool) -> None:
    text = f'[{{"tool_name": "get_weather", "args": {before}}}]'
    fixed = fix_all(analyze(text, SETTINGS), unsafe=not is_safe).snapshot.text
    assert json.loads(fixed) == [{"tool_name": "get_weather", "args": json.loads(after)}]


def test_fixes_of_tools_and_results() -> None:
    text = """{"goal": "g", "steps": [
      {"id": "a", "tool": "functions.get_wether", "args": {"city": "Bern"}},
      {"id": "b", "tool": "get_weather", "args": {"city": "x {{a.result.temprature}}"}, "depends_on": ["a"]},
      {"id": "c", "tool": "get_weather"}
    ]}"""
    fixed = fix_all(analyze(text, SETTINGS), unsafe=True).snapshot
    assert fixed.findings == []
    assert '"functions.get_weather"' in fixed.text
    assert '"x {{a.result.temperature}}"' in fixed.text
    assert '{"id": "c", "tool": "get_weather", "args": {"city": ""}}' in fixed.text
