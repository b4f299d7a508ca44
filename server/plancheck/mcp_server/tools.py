"""The tools of the server, as values: what each is called with, what it answers, and how."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from typing import Any

from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Severity
from plancheck.analysis.rule_page import whole_page
from plancheck.analysis.rules import RULES
from plancheck.api import CheckedFinding, UncheckedPlace, check_text, fix_text
from plancheck.checked import (
    CONFIGURATION_FAULT,
    NOWHERE,
    checked_findings,
    dialect_name,
    unchecked_file,
    unchecked_places,
)
from plancheck.gate.documents import MOST_VALUES, NotWritten, document_text
from plancheck.mcp_server import outputs
from plancheck.mcp_server.arguments import ToolArgument, ToolRefusal, input_schema, read_arguments
from plancheck.mcp_server.judge import Judge
from plancheck.plan.dialects.keys import nearest
from plancheck.policy.showing import shortened
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason


class ServedTool(NamedTuple):
    name: str
    title: str
    description: str
    arguments: tuple[ToolArgument, ...]
    output_schema: Mapping[str, Any]
    answer: Callable[..., dict[str, Any]]
    """From the judge and the values of the arguments to the result; ToolRefusal where there is none."""
    is_recorded: bool = False
    """Whether each call adds to the log of decisions, where there is one."""

    @property
    def input_schema(self) -> dict[str, Any]:
        return input_schema(self.arguments)

    def call(self, judge: Judge, given: Mapping[str, Any]) -> dict[str, Any]:
        """The result of a call. Raises ToolRefusal."""
        return self.answer(judge, **read_arguments(self.name, self.arguments, given))


PLAN = ToolArgument(
    "plan",
    "The whole plan: its JSON text (best: repeated keys and places are seen), or the same as an object or a list. "
    "Plans of steps, lists of tool calls, messages with tool calls and declared plans are recognised by their content.",
    (str, dict, list),
    "the plan as JSON text, as an object or as a list",
    {"anyOf": [{"type": "string"}, {"type": "object"}, {"type": "array", "items": {}}]},
    is_required=True,
)


def check_plan(judge: Judge, plan: Any) -> dict[str, Any]:
    text = _text(plan)
    if isinstance(text, NotWritten):
        return {"dialect": None, "clean": False, **_remaining(judge, (), (_past_limit(text),))}
    result = check_text(text, settings=judge.settings)
    remaining = _remaining(judge, result.findings, result.unchecked)
    is_clean = not remaining["findings"] and not remaining["unchecked"]
    return {"dialect": result.dialect, "clean": is_clean, **remaining}


def fix_plan(judge: Judge, plan: Any, unsafe: bool) -> dict[str, Any]:
    text = _text(plan)
    if isinstance(text, NotWritten):
        raise ToolRefusal(text.message)
    fixed = fix_text(text, settings=judge.settings, unsafe=unsafe)
    return {
        "text": fixed.text,
        "changed": fixed.text != text,
        "applied": [
            {"rule": fix.rule, "step": fix.step, "title": fix.title, "safe": fix.safe} for fix in fixed.applied
        ],
        **_remaining(judge, fixed.findings, fixed.unchecked),
    }


def gate_plan(judge: Judge, plan: Any) -> dict[str, Any]:
    text = _text(plan)
    try:
        return judge.decide(plan if isinstance(text, NotWritten) else text).to_dict()
    except OSError as error:
        why = error.strerror or error
        raise ToolRefusal(f"The decision cannot be recorded, so there is none: {why}. Do not run the plan.") from error


def explain_rule(_: Judge, rule: str) -> dict[str, Any]:
    found = RULES.get(rule)
    if found is None:
        right = nearest(rule, RULES)
        hint = f"did you mean `{right}`?" if right else "`check_plan` names the rules of its findings."
        raise ToolRefusal(f"Unknown rule `{shortened(rule)}`: {hint}")
    return {
        "rule": found.name,
        "severity": found.severity.word,
        "category": found.category.value,
        "tags": list(found.tags),
        "summary": found.summary,
        "page": whole_page(found),
    }


def plan_graph(judge: Judge, plan: Any, format: str) -> dict[str, Any]:  # noqa: A002 - as the command calls it
    text = _text(plan)
    if isinstance(text, NotWritten):
        raise ToolRefusal(text.message)
    snapshot = analyze(text, judge.settings)
    dialect = dialect_name(snapshot)
    if dialect is None:
        found: list[CheckedFinding | UncheckedPlace] = [
            *unchecked_places(snapshot),
            *checked_findings(snapshot, with_fixes=False, with_fingerprints=False),
        ]
        raise ToolRefusal(found[0].message if found else "This is not a plan.")
    from plancheck.plan.graph.export import describe, to_dot, to_mermaid

    picture = describe(snapshot.plan, snapshot.graph)
    drawn = {"mermaid": to_mermaid, "dot": to_dot}.get(format)
    return {
        "dialect": dialect,
        "format": format,
        "drawing": None if drawn is None else drawn(picture),
        "graph": picture.to_dict() if drawn is None else None,
        "errors": sum(finding.severity is Severity.ERROR for finding in snapshot.findings),
    }


def _text(plan: Any) -> str | NotWritten:
    """A plan as the text that is judged, whichever way it was given."""
    try:
        return document_text(plan) if _is_json(plan) else json.dumps(plan)
    except RecursionError:
        return document_text(plan)
    except ValueError as error:
        raise ToolRefusal(f"This plan cannot be written down as JSON: {error}.") from error


def _is_json(plan: Any) -> bool:
    """Whether there is no number in a plan that JSON has not. With one, the text that was sent is judged, and that
    is not JSON, as in a file. The gate of a program writes such numbers down as texts, which an agent could use."""
    todo, seen = [plan], 0
    while todo and seen <= MOST_VALUES:
        seen += 1
        part = todo.pop()
        if isinstance(part, float) and not isfinite(part):
            return False
        if isinstance(part, (dict, list)):
            todo += part.values() if isinstance(part, dict) else part
    return True


def _past_limit(why: NotWritten) -> UncheckedPlace:
    return UncheckedPlace(why.rule, Reason.LIMIT.value, why.message, "", 0, 0, NOWHERE)


def _remaining(judge: Judge, findings: Iterable[CheckedFinding], unchecked: Iterable[UncheckedPlace]) -> dict[str, Any]:
    """What is wrong with a plan, and what could not be checked, the configuration included."""
    faults = (unchecked_file(CONFIGURATION_FAULT, fault) for fault in judge.configuration_faults)
    places = [place.to_dict() for place in (*faults, *unchecked)]
    listed = [finding.to_dict() for finding in findings]
    counted = Counter(finding["severity"] for finding in listed)
    summary = {severity.word: counted[severity.word] for severity in Severity}
    return {"findings": listed, "unchecked": places, "summary": {**summary, "unchecked": len(places)}}


TOOLS: dict[str, ServedTool] = {
    tool.name: tool
    for tool in (
        ServedTool(
            "check_plan",
            "Check a plan",
            "Find the mistakes in a plan of an agent before it runs: steps that wait for nothing, stale data, unknown "
            "tools, wrong arguments, secrets, what the policy forbids. Nothing is run or written. The answer is "
            "advice; whether the plan may run is for `gate_plan` to say.",
            (PLAN,),
            outputs.CHECK,
            check_plan,
        ),
        ServedTool(
            "fix_plan",
            "Fix a plan",
            "Apply the fixes of what `check_plan` finds, and return the new text with what is still wrong. No file is "
            "written.",
            (
                PLAN,
                ToolArgument(
                    "unsafe",
                    "Also apply fixes that may change what the plan does: read the result before you use it.",
                    (bool,),
                    "true or false",
                    {"type": "boolean"},
                    default=False,
                ),
            ),
            outputs.FIXED,
            fix_plan,
        ),
        ServedTool(
            "gate_plan",
            "Decide on a plan",
            "Decide whether a plan may run, by the policy of whoever started this server: allow, deny, requires_hitl "
            "(a human must look first) or undecided. Run a plan only after allow, and exactly the plan that was "
            "judged. The policy cannot be given or changed by a call. `plancheck://policy` shows it.",
            (PLAN,),
            outputs.DECISION,
            gate_plan,
            is_recorded=True,
        ),
        ServedTool(
            "explain_rule",
            "Explain a rule",
            "The page of a rule: what it reports, why that is bad, a bad and a good example, how to fix it.",
            (
                ToolArgument(
                    "rule",
                    "The name of a rule, as in a finding's `rule`.",
                    (str,),
                    "the name of a rule",
                    {"type": "string"},
                    is_required=True,
                ),
            ),
            outputs.RULE_PAGE,
            explain_rule,
        ),
        ServedTool(
            "plan_graph",
            "Draw a plan",
            "The control and data flow of a plan: which step waits for which, and whose results it uses.",
            (
                PLAN,
                ToolArgument(
                    "format",
                    "A drawing in Mermaid or Graphviz' DOT, or the nodes and edges as data.",
                    (str,),
                    "mermaid, dot or json",
                    {"type": "string"},
                    default="mermaid",
                    choices=("mermaid", "dot", "json"),
                ),
            ),
            outputs.GRAPH,
            plan_graph,
        ),
    )
}
