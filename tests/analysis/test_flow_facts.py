"""An edit runs the rules about what flows where again only where it changes a tool, a reference or the order."""

from __future__ import annotations

import pytest

from analysis.edits import assert_as_fresh
from analysis.rules.flow_plans import POLICY, Act, rendered
from plancheck.analysis.engine import analyze, update
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import Settings
from plancheck.policy.reading import read_policy
from plancheck.text import Edit

PLAN = [
    Act("web", {"page": 1}),
    Act("books", {"year": 1999}),
    Act("sum", {"x": "{{s0.result}} and {{s1.result}}"}),
    Act("send", {"to": "jo@example.com", "text": "so: {{s2.result}}"}),
    Act("close", {"id": "account"}),
]
FLOWING = ["untrusted_into_effect", "private_data_out", "unapproved_irreversible_step"]
EDITS = [
    ("1999", "2001", []),
    ("so: ", "thus: ", []),
    ("jo@example", "al@example", []),
    ("account", "accounts", []),
    ("jo@example.com", "jo@example.net", ["private_data_out"]),
    ("{{s2.result}}", "{{s1.result}}", ["untrusted_into_effect"]),
    ('"web"', '"look"', ["untrusted_into_effect"]),
    ('"sum"', '"ask"', ["untrusted_into_effect", "unapproved_irreversible_step"]),
]


@pytest.mark.parametrize(("old", "new", "expected"), EDITS)
def test_what_an_edit_runs_again(old: str, new: str, expected: list[str]) -> None:
    text = rendered(PLAN, "steps")
    before = analyze(text, Settings(policy=read_policy(POLICY).policy))
    start = text.index(old)
    after = update(before, Edit(start, start + len(old), new))
    assert_as_fresh(after, new)
    checks = {name: RULES[name].checks[0] for name in FLOWING}
    same = {name for name, check in checks.items() if after.emitted.tables[check] is before.emitted.tables[check]}
    assert same.isdisjoint(expected)
    if not expected:
        assert same == set(FLOWING)
