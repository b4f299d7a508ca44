"""Plans for the rules about what flows where, written once and rendered in every dialect that names tools."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.policy.reading import read_policy


class Act(NamedTuple):
    """A step: its tool, its arguments, and in plans of steps what it waits for and what happens when it fails."""

    tool: str
    args: Any = None
    after: list[str] | None = None
    on_fail: str | None = None
    kind: str | None = None


POLICY = """
tools:
  web: {does: read, source: untrusted}
  books: {does: read, source: private}
  inbox: {does: read, source: [private, untrusted]}
  look: read
  sum: other
  ask: approval
  pay: pay
  send: send
  wipe: delete
  shell: exec
  post: http
  close: {does: write, irreversible: true}
  note: write
recipients:
  send.to: ['*@example.com']
"""
DIALECTS = ("steps", "calls", "calls with ids")


def rendered(acts: list[Act], dialect: str) -> str:
    """One step a line. References are written as in plans of steps, `{{s0.result}}`."""
    lines = [json.dumps(_step(number, act, dialect)) for number, act in enumerate(acts)]
    text = ",\n".join(lines)
    if dialect == "calls":
        text = re.sub(r"\{\{s(\d+)\.", r"{{\1.", text)
    return f'{{"goal": "g", "steps": [\n{text}\n]}}\n' if dialect == "steps" else f"[\n{text}\n]\n"


def _step(number: int, act: Act, dialect: str) -> dict[str, Any]:
    more = {} if act.kind is None else {"kind": act.kind}
    if dialect == "trace":
        return {"type": "tool_use", "id": f"c{number}", "name": act.tool, "input": act.args or {}, **more}
    if dialect != "steps":
        return {
            **({"id": f"s{number}"} if dialect != "calls" else {}),
            "tool_name": act.tool,
            "args": act.args or {},
            **more,
        }
    found = {
        "id": f"s{number}",
        "tool": act.tool,
        "args": act.args or {},
        "depends_on": act.after,
        "on_fail": act.on_fail,
    }
    return {**{key: value for key, value in found.items() if value is not None}, **more}


def reported(rule: str, acts: list[Act], dialect: str, policy: str = POLICY) -> list[tuple[Any, ...]]:
    """What a rule says about a plan: for each finding, its step and those of the related places, and each of these is
    the name of the step's tool."""
    text = rendered(acts, dialect)
    settings = Settings(policy=read_policy(policy).policy) if policy else Settings()
    snapshot = analyze(text, settings)
    found = []
    for finding in snapshot.findings:
        if finding.rule == rule:
            places = [*(related.place for related in finding.related), finding.place]
            for place in places:
                assert place.step is not None
                span = snapshot.place_span(place)
                assert text[span.start : span.end] == json.dumps(acts[place.step].tool)
                assert snapshot.lines.line_of(span.start) == place.step + 1
            found.append(tuple(place.step for place in places))
    assert [item for item in snapshot.unchecked if item.rule == rule] == []
    return sorted(found, key=lambda steps: steps[-1])
