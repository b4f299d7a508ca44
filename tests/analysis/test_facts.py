"""A rule is run again where an edit matters to it: typed key by key, every example reads as if it had been there at
once. A rule that looks past the facts it says it needs is right in a fresh look and wrong after an edit: it goes red
here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from analysis.edits import assert_as_fresh, run_of_edits
from analysis.test_examples import under_its_policy
from plancheck.analysis.data_facts import FLOW
from plancheck.analysis.engine import analyze, update
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import Category, Check, Rule, each_resource, each_step
from plancheck.analysis.rules import RULES
from plancheck.analysis.subjects import Subject
from plancheck.plan.graph.flow import Flow
from plancheck.plan.graph.touches import Resource
from plancheck.plan.model import Place
from plancheck.text import Edit
from plancheck.workspace.rego.asker import EngineAsker
from rego.engines import engine

BESIDE_THE_STEPS = """\
{"goal": "AKIAQ3EGRIRKL5Z7XW2M", "context": ["AKIAQ3EGRIRKL5Z7XW2M"], "steps": [
  {"id": "list", "tool": "http.get"}
]}
"""
IN_A_NAME = """\
{"goal": "look", "AKIAQ3EGRIRKL5Z7XW2M": [], "steps": [
  {"id": "list", "tool": "http.get"}
]}
"""
CARRIED_BESIDE_THE_STEPS = """\
{"event_type": "agent.plan", "context": {"next": {"tool_name": "execute_shell"}}, "steps": [
  {"tool_name": "crm.find"}
]}
"""
PAID_BESIDE_THE_STEPS = """\
{"event_type": "agent.plan", "context": {"next": {"tool_name": "payments.transfer", "args": {"amount": 5000}}},
 "steps": [{"tool_name": "crm.find"}]}
"""
PAID_TO_BESIDE_THE_STEPS = PAID_BESIDE_THE_STEPS.replace('"amount": 5000', '"to": "Bob"')
DENIED_BY_A_PATTERN = """\
{"goal": "sign in", "steps": [
  {"id": "hunter", "tool": "web.login", "args": {"x": "{{hunter.result.hunter2}}", "y": "{{hunte.result.hunter3}}"}}
]}
"""
USED_BESIDE_THE_STEPS = """\
{"event_type": "agent.plan", "context": {"a": {"tool": "db.write"}, "b": [{"tool_name": "db.write"}]},
 "steps": [{"tool_name": "crm.find", "args": {"job": "{'tool': 'db.write'}"}}]}
"""
REFUNDED_BESIDE_THE_STEPS = """\
{"event_type": "agent.plan", "context": {"a": {"tool": "payments.refund"}, "b": {"tool_name": "payments.refund"}},
 "steps": [{"tool_name": "crm.find", "args": {"job": "{\\"name\\": \\"payments.refund\\", \\"args\\": {}}"}}]}
"""
LIMITED_BESIDE_THE_STEPS = """\
{"event_type": "agent.plan", "context": {"next": {"tool_name": "crm.find", "meta": {"limit": 500}}},
 "steps": [{"tool_name": "crm.find", "args": {"name": "Bob"}, "meta": "{\\"limit\\": 50}"}]}
"""
HIDDEN_BESIDE_THE_STEPS = """\
{"event_type": "agent.plan", "context": {"then": "payments.transfer(amount=5000)", "else": "<delete_all/>"},
 "steps": [{"tool_name": "crm.find", "args": {"then": [{"delete_all": {}}]}}]}
"""
WRITTEN_BESIDE_THE_STEPS = """\
{"effects": ["ledger"], "nodes": [{"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["orders/1"]}]}
"""
OFF_BY_ONE = """\
[
  {"tool_name": "crm.find"},
  {"tool_name": "crm.find", "args": {"x": "{{1.result}}"}},
  {"tool_name": "mail.send", "args": {"x": "{{2.result}}", "y": "{{1.result}}"}}
]
"""
COUNTED_FROM_ZERO = """\
{"goal": "x", "steps": [
  {"id": "1", "tool": "crm.find"},
  {"id": "2", "tool": "crm.find", "args": {"x": "{{0.result}}"}},
  {"id": "3", "tool": "mail.send", "args": {"x": "{{1.result}}", "y": "{{2.result}}"}, "depends_on": ["1"]}
]}
"""
CALLED_BY_ID = """\
{"event_type": "agent.plan", "context": {"who": 1}, "steps": [
  {"id": "a", "tool_name": "crm.find", "args": {"x": "{{context.how}} {{b.result}}"}},
  {"id": 0, "tool_name": "crm.find", "args": {"x": "{{a.output}} {{a.result}} {{0.result}}"}}
]}
"""
TAKEN_FROM_A_RESULT = """\
{"goal": "pay", "steps": [
  {"id": "a", "tool": "look", "args": {}},
  {"id": "b", "tool": "pay", "args": {"amount": "{{a.result.name}}"}, "depends_on": ["a"]},
  {"id": "c", "tool": "pay", "args": {"amount": "{{a.result.sum}}"}, "depends_on": ["b"]}
]}
"""
TOOLS_WITH_RESULTS = """\
[{"name": "look", "outputSchema": {"properties": {"name": {"type": "string"}, "sum": {"type": "integer"}}}},
 {"name": "pay", "parameters": {"properties": {"amount": {"type": "number"}}}}]
"""
CALLED_BESIDE_THE_STEPS = {
    "sql_interpolation": ("db.query", '{"query": "SELECT {{a.result}}"}'),
    "command_interpolation": ("bash", '{"cmd": ["sh", "-c", "ls {{a.result}}"]}'),
    "code_interpolation": ("eval", '{"code": "f({{a.result}})"}'),
    "unfiltered_write": ("db.query", '{"query": "DELETE FROM t"}'),
    "internal_address": ("x", '{"url": "http://169.254.169.254"}'),
    "path_traversal": ("file.read", '{"path": "../x"}'),
    "cleartext_endpoint": ("x", '{"url": "http://example.com"}'),
    "unpinned_remote_code": ("bash", '{"cmd": "uvx x"}'),
    "placeholder_left": ("x", '{"key": "YOUR_KEY"}'),
}
EXAMPLES = [
    *(
        (
            RULES[name],
            f'{{"context": [{{"tool_name": "{tool}", "args": {arguments}}}], "steps": [{{"tool_name": "a"}}]}}',
        )
        for name, (tool, arguments) in CALLED_BESIDE_THE_STEPS.items()
    ),
    *(
        (rule, rule.bad)
        for rule in RULES.values()
        if rule.bad and not (rule.is_about_policy or rule.is_about_catalogue)
    ),
    (RULES["wrong_argument"]._replace(catalogue=TOOLS_WITH_RESULTS), TAKEN_FROM_A_RESULT),
    (RULES["unknown_result"]._replace(catalogue=TOOLS_WITH_RESULTS), TAKEN_FROM_A_RESULT.replace("sum", "total")),
    (RULES["bad_reference"], OFF_BY_ONE),
    (RULES["bad_reference"], COUNTED_FROM_ZERO),
    (RULES["bad_reference"], CALLED_BY_ID),
    (RULES["raw_secret"], BESIDE_THE_STEPS),  # the page shows one of its checks
    (RULES["raw_secret"], IN_A_NAME),
    (RULES["raw_secret"]._replace(policy="deny_tokens_regex: ['hunter[0-9]']"), DENIED_BY_A_PATTERN),
    (RULES["blocked_tool"], CARRIED_BESIDE_THE_STEPS),
    (RULES["tool_deny"], CARRIED_BESIDE_THE_STEPS),
    (RULES["write_deny"], WRITTEN_BESIDE_THE_STEPS),
    (RULES["hidden_call"], HIDDEN_BESIDE_THE_STEPS),
    (RULES["blocked_tool"], HIDDEN_BESIDE_THE_STEPS),
    (RULES["bound_violation"], PAID_BESIDE_THE_STEPS),
    (RULES["needs_human"], PAID_BESIDE_THE_STEPS),
    (RULES["recipient_deny"]._replace(policy="recipients: {payments.transfer.to: [ACME]}"), PAID_TO_BESIDE_THE_STEPS),
    (RULES["misplaced_arguments"], LIMITED_BESIDE_THE_STEPS),
    (RULES["too_many_uses"], USED_BESIDE_THE_STEPS),
    (RULES["too_many_steps"], USED_BESIDE_THE_STEPS),
    (RULES["missing_verification"], REFUNDED_BESIDE_THE_STEPS),
    (RULES["wrong_first_step"], REFUNDED_BESIDE_THE_STEPS),
]
NAMES = [rule.name for rule, _ in EXAMPLES]


ASKER = EngineAsker(engine=engine("regopy"))


def type_key_by_key(text: str, rule: Rule) -> None:
    """Type the text from its first character to its last."""
    rules = {**RULES, rule.name: rule}
    snapshot = analyze("", under_its_policy(rule), rules, rego=ASKER)
    for offset, character in enumerate(text):
        snapshot = update(snapshot, Edit(offset, offset, character), rules=rules)
        assert_as_fresh(snapshot, snapshot.text)


def retype_every_character(text: str, rule: Rule) -> None:
    """Take every character out, one by one, and put it back."""
    rules = {**RULES, rule.name: rule}
    snapshot = analyze(text, under_its_policy(rule), rules, rego=ASKER)
    for offset, character in enumerate(text):
        for edit in (Edit(offset, offset + 1, ""), Edit(offset, offset, character)):
            snapshot = update(snapshot, edit, rules=rules)
            assert_as_fresh(snapshot, (snapshot.text, edit))


@pytest.mark.parametrize(("rule", "text"), EXAMPLES, ids=NAMES)
def test_the_bad_example_typed_key_by_key(rule: Rule, text: str) -> None:
    type_key_by_key(text, rule)


@pytest.mark.parametrize(("rule", "text"), EXAMPLES, ids=NAMES)
def test_every_character_of_the_bad_example_retyped(rule: Rule, text: str) -> None:
    retype_every_character(text, rule)


def test_every_check_has_something_to_say_about_an_example_that_is_typed() -> None:
    """A check that is silent throughout could look past its needs, and nothing above would see it."""
    seen: set[Check] = set()
    for rule, text in EXAMPLES:
        tables = analyze(text, under_its_policy(rule)).emitted.tables
        seen.update(check for check in rule.checks if check in tables and tables[check].entries)
    assert [rule.name for rule in RULES.values() for check in rule.checks if check not in seen] == []


@pytest.mark.parametrize("kind", ["plain", "policy", "classes", "few findings shown"])
@pytest.mark.parametrize("dialect", ["declared", "steps", "calls", "trace"])
@pytest.mark.parametrize("seed", range(28))
def test_five_thousand_random_edits(dialect: str, kind: str, seed: int) -> None:
    run_of_edits(seed, dialect, kind, 20)


# ---- tests of the tests ----------------------------------------------------------------------------------------------

CHEATED = """{"nodes": [
  {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["order"]},
  {"idx": 1, "agent": "a", "kind": "tool_call", "writes": ["ledger"]},
  {"idx": 2, "agent": "a", "kind": "tool_call", "reads": ["rate"]}
]}
"""


def counts_all_writes(resources: Iterable[Resource], flow: Flow) -> Iterator[Finding]:
    """Looks at the writes of all steps, of which it was told nothing."""
    total = sum(len(step.writes) for step in flow._steps)
    for resource in resources:
        for use in resource.reads:
            yield Finding(Place(use.step, use.read.path), f"{total} writes", use.outline.identity, resource.name)


def reads_the_step_before(steps: Iterable[Subject], flow: Flow) -> Iterator[Finding]:
    """Looks at the step before in the list, which is no fact that it needs."""
    for position, step in steps:
        if position:
            before = len(flow._steps[position - 1].reads)
            yield Finding(Place(position, step.identity_path), f"{before} reads before", step.outline.identity)


@pytest.mark.parametrize(
    "check", [each_resource(counts_all_writes, FLOW), each_step(reads_the_step_before, FLOW)], ids=["resource", "step"]
)
def test_a_rule_that_looks_past_its_needs_is_found_out(check: object) -> None:
    cheat = Rule("touch_outside_scope", Severity.WARNING, Category.DATA, "", CHEATED, "", (check,))  # type: ignore[arg-type]
    with pytest.raises(AssertionError):
        retype_every_character(CHEATED, cheat)
