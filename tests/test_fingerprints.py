"""A fingerprint tells a finding from the others of its document, and stays the same when something else is edited."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, TypeAlias

import pytest

from analysis.edits import random_step, settings_of
from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Finding
from plancheck.analysis.settings import Settings
from plancheck.analysis.snapshot import Snapshot
from plancheck.checked import checked_findings
from plancheck.fingerprints import fingerprints

Steps: TypeAlias = list[dict[str, Any]]
Groups: TypeAlias = dict[object, set[str]]

DIALECTS = ("declared", "steps", "calls", "trace")
EDITS_OF_EACH = 250
MARK = "x-mark"


class Plans:
    """Makes steps that are told apart by a mark, and texts of them."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect
        self.rng = random.Random(f"fingerprints {dialect}")
        self.marks = 0

    def step(self) -> dict[str, Any]:
        self.marks += 1
        step = random_step(self.rng, self.dialect, self.rng.randrange(1, 9), 9)
        step[MARK] = self.marks
        if self.dialect == "declared":
            step["idx"] = self.marks
        elif "id" in step:
            step["id"] = f"s{self.marks}"
        if self.rng.random() < 0.2:
            step["writes"] = ["ledger", "café", "ledger"]
        return step

    def edited(self, steps: Steps) -> Steps:
        """Another step comes, goes, changes or moves, of which the others know nothing."""
        steps, position = steps.copy(), self.rng.randrange(len(steps))
        kind = self.rng.choice(["insert", "insert", "remove", "replace", "reorder", "reformat"])
        if kind == "insert" and len(steps) < 12:
            steps.insert(position, self.step())
        elif kind == "remove" and len(steps) > 3:
            del steps[position]
        elif kind == "replace":
            steps[position] = self.step()
        elif kind == "reorder":
            self.rng.shuffle(steps)
        return steps

    def text(self, steps: Steps) -> str:
        whole: Any = steps
        if self.dialect == "declared":
            whole = {"nodes": steps}
        elif self.dialect == "steps":
            whole = {"goal": "g", "steps": steps}
        indent, is_ascii = self.rng.choice([None, 0, 2, 7]), self.rng.random() < 0.5
        return self.rng.choice(["", "\n\n"]) + json.dumps(whole, indent=indent, ensure_ascii=is_ascii)


def groups(snapshot: Snapshot, steps: Steps) -> Groups:
    """The fingerprints of a document, of findings that nothing but their order tells apart together."""
    found: Groups = {}
    for finding, fingerprint in zip(snapshot.shown, fingerprints(snapshot, snapshot.shown), strict=True):
        found.setdefault(_identity(snapshot, finding, steps), set()).add(fingerprint)
    assert sum(map(len, found.values())) == len(snapshot.shown), "two findings have the same fingerprint"
    return found


def _identity(snapshot: Snapshot, finding: Finding, steps: Steps) -> object:
    place = finding.place
    if place.step is None:
        return finding.rule, place.path, finding.resource
    step = snapshot.plan.steps[place.step]
    has_name = isinstance(steps[place.step].get("idx", steps[place.step].get("id")), (int, str))
    if has_name or not place.path:
        return finding.rule, steps[place.step][MARK], place.path, finding.resource
    start, end = snapshot.span(finding)
    token = snapshot.text[start:end]
    value = json.loads(token) if token[0] == token[-1] == '"' else token
    path = tuple(name for name in place.path if not isinstance(name, int))
    return finding.rule, step.call and step.call.tool, path, value, finding.resource


@pytest.mark.parametrize("dialect", DIALECTS)
def test_edits_elsewhere_leave_it_alone(dialect: str) -> None:
    plans = Plans(dialect)
    settings = settings_of("policy")
    steps = [plans.step() for _ in range(6)]
    before = groups(analyze(plans.text(steps), settings), steps)
    compared = 0
    for _ in range(EDITS_OF_EACH):
        steps = plans.edited(steps)
        after = groups(analyze(plans.text(steps), settings), steps)
        for identity in before.keys() & after.keys():
            old, new = before[identity], after[identity]
            assert old <= new or new <= old, identity
            compared += min(len(old), len(new))
        before = after
    assert compared > 5 * EDITS_OF_EACH


def of_text(text: str, settings: Settings | None = None) -> Iterator[tuple[str, str]]:
    snapshot = analyze(text, settings or Settings())
    return ((finding.rule, finding.fingerprint) for finding in checked_findings(snapshot, with_fixes=False))


def test_it_is_the_same_for_ever() -> None:
    """Whoever changes how it is made closes and opens every alert of every user: there had better be a reason."""
    declared = '{"nodes": [{"idx": 3, "agent": "a", "kind": "tool_call", "reads": ["order"], "writes": ["ledger"]}]}'
    assert list(of_text(declared)) == [("write_with_no_prior_read", "81100bbf468ce52c5f52910bc388d482")]
    calls = '[{"tool_name": "drop_database", "args": {"rows": [{"name": "a", "at": null}]}}]'
    assert list(of_text(calls, settings_of("policy"))) == [
        ("blocked_tool", "3d60ceebe7966f773c9e277e574fe1a6"),
        ("tool_deny", "6c0b90de6b3c48f9392b615c2e7acceb"),
    ]


def test_neither_words_nor_offsets_matter() -> None:
    snapshot = analyze('{"nodes": [{"idx": 0, "agent": "a", "kind": "tool_call", "writes": ["x"]}]}')
    (finding,) = snapshot.shown
    reworded = finding._replace(message="Something else.", severity=finding.severity)
    assert list(fingerprints(snapshot, [finding])) == list(fingerprints(snapshot, [reworded]))


def test_a_list_has_no_positions() -> None:
    one = (
        '{"nodes": [{"idx": 0, "agent": "a", "kind": "tool_call", "reads": [{"id": "a"}, {"id": "b", "pined": true}]}]}'
    )
    other = one.replace('{"id": "a"}, ', "")
    moved = one.replace('{"id": "a"}, {"id": "b", "pined": true}', '{"id": "b", "pined": true}, {"id": "a"}')
    renamed = one.replace('"b"', '"c"')
    (found,) = of_text(one)
    assert found[0] == "unknown_key"
    assert [*of_text(other), *of_text(moved)] == [found, found]
    assert list(of_text(renamed)) != [found]


def test_equal_findings_are_counted() -> None:
    text = '{"nodes": [{"idx": 0, "agent": "a", "kind": "tool_call", "writes": ["x", "x", "x"]}]}'
    found = list(of_text(text))
    fewer = list(of_text(text.replace('"x", ', "", 1)))
    assert len(set(found)) == len(found)
    assert set(fewer) <= set(found)


def test_two_places_in_one_text_are_told_apart() -> None:
    step = '{"id": "%s", "tool": "t", "args": {"q": "%s"}}'
    text = f'{{"goal": "g", "steps": [{step % ("a", "x")}, {step % ("b", "{{c.result}} and {{d.result}}")}]}}'
    found = dict.fromkeys(of_text(text))
    swapped = dict.fromkeys(of_text(text.replace("{{c.result}} and {{d.result}}", "{{d.result}}, {{c.result}}")))
    assert len(found) >= 2
    assert set(found) == set(swapped)


def test_a_secret_does_not_show_in_it() -> None:
    """Whoever guesses a secret must not be able to check it against a fingerprint."""
    text = '[{"tool_name": "t", "args": {"list": ["ghp_%s"]}}]'
    one, other = text % "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", text % "z1Y2x3W4v5U6t7S8r9Q0p1O2n3M4l5K6j7I8"
    found = [pair for pair in of_text(one) if pair[0] == "raw_secret"]
    assert found
    assert found == [pair for pair in of_text(other) if pair[0] == "raw_secret"]


@pytest.mark.parametrize(
    "text",
    [
        '[{"tool_name": "mail.send", "args": ' + '{"a": ' * 400 + "1" + "}" * 400 + "}]",
        '[{"tool_name": "mail.send", "args": {"n": ' + "9" * 5000 + "}}]",
        '[{"tool_name": "mail.send", "args": {"n": 1e999, "s": "\\ud800"}}]',
        '[{"tool_name": 1, "args": [',
        '{"nodes": [1, [], "x", {"idx": {}}]}',
        '{"goal": 1, "steps": {"a": 1}, "steps": []}',
        "",
        "[]",
    ],
)
def test_hostile_documents(text: str) -> None:
    found = list(of_text(text, settings_of("policy")))
    assert found
    assert len({fingerprint for _, fingerprint in found}) == len(found)


@pytest.mark.parametrize(
    "text",
    ['{"steps": [{"id": "a", "tool_name": "x", "args": {"n": [1]}}]}', '{"nodes": [{"idx": 0, "reads": [{"id": 1}]}]}'],
)
def test_a_text_that_is_half_typed_has_fingerprints_too(text: str) -> None:
    for end in range(len(text)):
        snapshot = analyze(text[:end])
        assert len(list(fingerprints(snapshot, snapshot.findings))) == len(snapshot.findings)
