"""Random plans and random edits of them: whatever was typed, a snapshot kept up with it equals a fresh one."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

from plancheck.analysis.engine import analyze, update
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.policy.reading import read_policy
from plancheck.text import Edit

NAMES = ("rate", "order", "Order", "x")
RULES_TO_IGNORE = ("write_with_no_prior_read", "missing_producer", "redundant_edge", "tool_deny", "nonsense")

POLICY = """
allow_tools: [db.query_ro, db.query, pay, mail.send]
bounds: {pay.amount: [1, 10], db.query.limit: [0, 5]}
deny_tokens_regex: ['hunter[0-9]']
max_steps: 6
require_handlers: true
gate: {max_steps: 5, blocked_tools: [mail.send]}
"""


CLASSES = """
tools:
  db.query_ro: {does: read, source: [private, untrusted]}
  db.query: {does: sql, source: untrusted}
  pay: {does: pay, irreversible: true}
  mail.send: send
  t: approval
recipients: {mail.send.amount: ["50"], pay.query: ["SELECT *"]}
"""


def settings_of(kind: str) -> Settings:
    """Settings to edit under: none, a policy, one that says what tools do, or a policy with few findings shown and a
    rule switched off."""
    if kind == "plain":
        return Settings()
    if kind == "classes":
        return Settings(policy=read_policy(CLASSES).policy)
    policy = read_policy(POLICY).policy
    if kind == "policy":
        return Settings(policy=policy)
    return Settings({"unknown_step": None, "missing_producer": None}, max_findings=4, policy=policy)


def picture(snapshot: Snapshot) -> object:
    """All that a snapshot says, whatever the order in which it was found out."""
    graph = snapshot.graph
    order, flow = graph.order, graph.flow
    return (
        snapshot.plan,
        Counter((snapshot.span(finding), finding) for finding in snapshot.findings),
        [(span, snapshot.span(finding), finding) for span, finding in snapshot.shown_at],
        sorted(snapshot.unchecked, key=repr),
        snapshot.is_valid,
        (graph.preds, graph.dependencies, list(graph.sequence), graph.closing, graph.follower_counts, graph.keystone),
        [(order.ancestors[i], order.certain[i], order.settled[i], flow.slices[i]) for i in range(len(graph))],
        [(set(flow.seen_by(i)), flow.feeds_decision[i]) for i in range(len(graph))],
        (flow.unclear, flow.consumers, order.successors, graph.rank, graph.flagged, graph.islands),
        (graph.touches.steps, graph.touches.names(), graph.mentions.steps, graph.mentions.names()),
        {folded: set(names) for folded, names in graph.touches.spellings.items()},
    )


def assert_as_fresh(snapshot: Snapshot, why: object) -> None:
    terms = snapshot.terms
    fresh = analyze(snapshot.text, snapshot.settings, snapshot.rules, matcher=snapshot.matcher, rego=terms.rego)
    assert picture(snapshot) == picture(fresh), why


# ---- plans -----------------------------------------------------------------------------------------------------------


def random_step(rng: random.Random, dialect: str, position: int, size: int) -> dict[str, Any]:
    if dialect == "declared":
        step: dict[str, Any] = {"idx": position, "agent": "a", "kind": rng.choice(["decision", "tool_call"])}
        others: list[Any] = list(range(position)) or [0]
        if rng.random() < 0.4:
            step["control_preds"] = [rng.choice(others) for _ in range(rng.randint(0, 3))]
    elif dialect == "steps":
        step = {"id": f"s{position}", "tool": rng.choice(["db.query_ro", "db.query", "pay", "t"])}
        others = [f"s{i}" for i in (range(position) if rng.random() < 0.8 else range(size))] or ["s0"]
        step["args"] = {"amount": rng.choice([5, 50, "5", "{{s0.result}}"]), "query": _sql(rng)}
        if rng.random() < 0.5:
            step["args"]["x"] = f"a {{{{{rng.choice(others)}.result.y}}}}"
        if rng.random() < 0.6:
            step["depends_on"] = [rng.choice(others) for _ in range(rng.randint(0, 2))]
        if rng.random() < 0.2:
            step["on_fail"] = rng.choice(["abort", "continue"])
    elif dialect == "trace":
        step = _emitted(rng, position)
        others = [*range(position), "c1"]
    else:
        step = {
            "tool_name": rng.choice(["db.query_ro", "mail.send", "pay", "t"]),
            "args": {"amount": 50, "query": _sql(rng)},
        }
        if rng.random() < 0.5:
            step["args"]["x"] = f"a {{{{{rng.randrange(size)}.result.y}}}}"
        others = list(range(position)) or [0]
    if rng.random() < 0.7:
        step["reads"] = [_read(rng, others) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.6:
        step["writes"] = [rng.choice(NAMES) for _ in range(rng.randint(0, 2))]
    if rng.random() < 0.3:
        step["scope"] = [rng.choice([*NAMES, "*", "ord*", "z*"]) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.1:
        step["plancheck-ignore"] = [rng.choice(RULES_TO_IGNORE)]
    return step


def _emitted(rng: random.Random, position: int) -> dict[str, Any]:
    """A call in one of the shapes that models emit."""
    name, arguments = rng.choice(["db.query_ro", "mail.send", "pay"]), {"amount": 50, "query": _sql(rng)}
    text = json.dumps(arguments)
    text = rng.choice([text, text, text[:-1], "", text.replace("amount", "query")])
    call: dict[str, Any] = rng.choice(
        [
            {"function": {"name": name, "arguments": text}},
            {"type": "function_call", "name": name, "arguments": text},
            {"type": "tool_use", "name": name, "input": arguments},
            {"method": "tools/call", "params": {"name": name, "arguments": arguments}},
        ]
    )
    return {"id": f"c{position}", **call} if rng.random() < 0.7 else call


def _sql(rng: random.Random) -> str:
    return rng.choice(["SELECT 1", "DELETE FROM t", "CALL p()", "{{s0.result}}", "hunter2"])


def _read(rng: random.Random, others: list[Any]) -> Any:
    name = rng.choice(NAMES)
    if rng.random() < 0.3:
        return name
    read: dict[str, Any] = {"id": name}
    if rng.random() < 0.6:
        read["producer"] = rng.choice(others)
    for flag in ("volatile", "pinned", "revalidates"):
        if rng.random() < 0.3:
            read[flag] = True
    return read


def random_text(rng: random.Random, dialect: str) -> str:
    """A plan of few steps, one a line."""
    size = rng.randint(2, 8)
    lines = ",\n".join(json.dumps(random_step(rng, dialect, position, size)) for position in range(size))
    ignored = '"plancheck-ignore": ["unused_write"], ' if rng.random() < 0.2 else ""
    if dialect == "declared":
        return f'{{{ignored}"nodes": [\n{lines}\n]}}\n'
    if dialect == "steps":
        return f'{{"goal": "g", {ignored}"steps": [\n{lines}\n], "meta": {{"note": "hunter2"}}}}\n'
    if dialect == "trace":
        return _random_trace(rng, lines)
    return f"[\n{lines}\n]\n"


def _random_trace(rng: random.Random, calls: str) -> str:
    answer = json.dumps({"role": "tool", "content": json.dumps({"tool_name": "mail.send", "args": {"q": "hunter2"}})})
    return rng.choice(
        [
            f"[\n{calls}\n]\n",
            f'{{"tool_calls": [\n{calls}\n], "model": "hunter2"}}\n',
            f'{{"role": "assistant", "content": [\n{calls}\n]}}\n',
            f'{{"role": "assistant", "content": [{{"type": "text"}}], "tool_calls": [\n{calls}\n]}}\n',
            f'{{"messages": [{{"role": "assistant", "tool_calls": [\n{calls}\n]}}, {answer}]}}\n',
            f'{{"message": {{"role": "assistant", "tool_calls": [\n{calls}\n]}}, "more": {answer}}}\n',
        ]
    )


# ---- edits -----------------------------------------------------------------------------------------------------------

PIECES = (
    *'{}[]",:\\ \n01a',
    "null",
    "true",
    '"producer": 0',
    '"reads": ["x"], ',
    '"control_preds": [0], ',
    "{{s0.result}}",
)


def random_edit(rng: random.Random, snapshot: Snapshot, dialect: str) -> Edit:
    """Another step in the place of one, a few characters more or less, or a step more or less."""
    text = snapshot.text
    lines = text.split("\n")
    kind = rng.random()
    if kind < 0.55 and len(lines) > 3:
        number = rng.randrange(1, len(lines) - 2)
        start = sum(len(line) + 1 for line in lines[:number])
        size = len(lines) - 3
        comma = "," if number < len(lines) - 3 else ""
        return Edit(start, start + len(lines[number]), json.dumps(random_step(rng, dialect, number - 1, size)) + comma)
    if kind < 0.6:
        return Edit(0, len(text), random_text(rng, dialect))
    start = rng.randrange(len(text) + 1)
    end = min(start + rng.choice([0, 0, 1, 1, 2, 8, 40]), len(text))
    return Edit(start, end, rng.choice(["", *PIECES]) if end > start else rng.choice(PIECES))


def run_of_edits(seed: object, dialect: str, kind: str, count: int) -> None:
    """Edit a plan again and again, comparing with a fresh snapshot each time."""
    rng = random.Random(f"{dialect} {kind} {seed}")
    settings = settings_of(kind)
    snapshot = analyze(random_text(rng, dialect), settings)
    for number in range(count):
        edit = random_edit(rng, snapshot, dialect)
        before = snapshot.text
        snapshot = update(snapshot, edit)
        assert_as_fresh(snapshot, (seed, number, before, edit))
        if snapshot.tree.problems and rng.random() < 0.6:  # healthy again, or all would end in ruins
            snapshot = update(snapshot, Edit(0, len(snapshot.text), random_text(rng, dialect)))
            assert_as_fresh(snapshot, (seed, number, "replaced"))
