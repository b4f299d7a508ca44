"""Every rule by its own documentation: the page, the plan on which it speaks, the plan on which all are silent."""

from __future__ import annotations

import re

import pytest

from analysis.marks import looking_for
from plancheck.analysis.engine import analyze
from plancheck.analysis.finding import Tag
from plancheck.analysis.rule import Rule
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import Settings
from plancheck.catalogue.model import Catalogue, CatalogueSource
from plancheck.catalogue.shapes import read_catalogue
from plancheck.frozen import replace
from plancheck.policy.reading import read_policy, rego_text
from plancheck.policy.rego.files import RegoFiles
from plancheck.workspace.rego.asker import EngineAsker
from rego.engines import NAMES, engine

SHOWN = [rule for rule in RULES.values() if rule.bad and not (rule.is_about_policy or rule.is_about_catalogue)]
ABOUT_CATALOGUES = [rule for rule in RULES.values() if rule.is_about_catalogue]
ABOUT_POLICIES = [rule for rule in RULES.values() if rule.bad and rule.is_about_policy]
THE_FOUR = {
    "write_with_no_prior_read",
    "flippable_dependency_annotation",
    "scope_vs_snapshot",
    "missing_revalidation_barrier",
}
BEYOND_PRE = {
    "barrier_bypassed": "Step 2 re-reads `quote`, but a path from step 0 to step 4 skips it: re-read it on every path.",
    "stale_value_used_after_barrier": "Step 2 uses `quote` as step 0 read it, though step 1 reads it again: take it "
    "from step 1.",
    "over_granted_scope": "Step 1 is granted `vault`, which it neither reads nor writes: drop the grant, or declare "
    "what it does with it.",
    "touch_outside_scope": "Step 0 reads `customer`, which its `scope` does not grant: grant it, or leave it alone.",
    "producer_never_writes": "Step 2 takes `order` from step 1, which neither writes nor reads it: name the step that "
    "writes it.",
    "producer_not_before": "Step 2 takes `rate` from step 1, but does not wait for it: make step 1 one of "
    "its predecessors.",
    "missing_producer": 'Step 1 reads `order`, which step 0 wrote, and does not say so: add `"producer": 0`.',
    "parallel_write_race": "Steps 1 and 2 both write `ledger`, and neither waits for the other: put them in order.",
    "near_duplicate_resource": "Step 1 names `Order.1`, which differs from `order.1` only in how it is written: write "
    "`order.1`.",
    "unknown_key": "`Reads` is not a key of a step and is ignored: did you mean `reads`?",
    "unreachable_step": "Step 2 is connected to no other step: let a step wait for it, or remove it.",
    "unused_write": "Step 1 writes `order`, which step 2 overwrites unread: remove the write, or let step 2 take it "
    "from here.",
    "redundant_edge": "Step 2 waits for step 0 anyway, through step 1: remove it here.",
}
HEADINGS = ["What it does", "Why is this bad?", "What it cannot know", "Fix safety"]


def files_of(text: str) -> RegoFiles:
    return RegoFiles((("policy.rego", text),))


def under_its_policy(rule: Rule) -> Settings:
    """The settings with the policy that the rule's examples need, if they need one."""
    settings = looking_for(rule.name)
    if rule.rego:
        return replace(settings, policy=rego_text(files_of(rule.rego)).policy)
    catalogue = Catalogue((CatalogueSource("tools.json", rule.catalogue),)) if rule.catalogue else None
    policy = read_policy(rule.policy).policy if rule.policy else None
    return replace(settings, policy=policy, catalogue=catalogue)


ASKER = EngineAsker(engine=engine("regopy"))


@pytest.mark.parametrize("rule", SHOWN, ids=lambda rule: rule.name)
def test_the_rule_speaks_about_the_bad_plan(rule: Rule) -> None:
    snapshot = analyze(rule.bad, under_its_policy(rule), rego=ASKER)
    reported = {finding.rule for finding in snapshot.findings} | {place.rule for place in snapshot.unchecked}
    assert rule.name in reported


@pytest.mark.parametrize("rule", SHOWN, ids=lambda rule: rule.name)
def test_nothing_is_said_about_the_good_plan(rule: Rule) -> None:
    snapshot = analyze(rule.good, under_its_policy(rule), rego=ASKER)
    assert ([finding.message for finding in snapshot.findings], snapshot.unchecked) == ([], [])


@pytest.mark.parametrize("rule", ABOUT_POLICIES, ids=lambda rule: rule.name)
def test_a_rule_about_policies_speaks_about_the_bad_one_only(rule: Rule) -> None:
    if rule.is_about_rego:
        for name in NAMES:
            bad, good = (EngineAsker(engine=engine(name)).faults(files_of(text)) for text in (rule.bad, rule.good))
            assert ({fault.rule for fault in bad}, good) == ({rule.name}, ())
        return
    assert {problem.rule for problem in read_policy(rule.bad).problems} == {rule.name}
    assert read_policy(rule.good).problems == ()


@pytest.mark.parametrize("rule", ABOUT_CATALOGUES, ids=lambda rule: rule.name)
def test_a_rule_about_catalogues_speaks_about_the_bad_one_only(rule: Rule) -> None:
    assert {problem.rule for problem in read_catalogue(rule.bad).problems} == {rule.name}
    assert read_catalogue(rule.good).problems == ()


@pytest.mark.parametrize("name", BEYOND_PRE)
def test_the_four_lints_miss_what_a_rule_beyond_them_finds(name: str) -> None:
    findings = analyze(RULES[name].bad, looking_for(name)).findings
    assert [finding.message for finding in findings if finding.rule == name] == [BEYOND_PRE[name]]
    assert not THE_FOUR & {finding.rule for finding in findings}


def test_a_producer_with_a_name_is_proposed_in_quotes() -> None:
    text = """{"goal": "pay", "steps": [
      {"id": "a", "tool": "look_up", "reads": ["order"], "writes": ["order"]},
      {"id": "b", "tool": "pay", "reads": ["order"]}
    ]}"""
    assert [finding.message for finding in analyze(text, looking_for("missing_producer")).findings] == [
        'Step b reads `order`, which step a wrote, and does not say so: add `"producer": "a"`.'
    ]


@pytest.mark.parametrize("name", ["unreachable_step", "unused_write", "redundant_edge"])
def test_dead_structure_is_drawn_as_unnecessary(name: str) -> None:
    findings = analyze(RULES[name].bad, looking_for(name)).findings
    assert [finding.tags for finding in findings] == [(Tag.UNNECESSARY,)]
    assert [finding.severity.word for finding in findings] == ["hint"]


@pytest.mark.parametrize("name", RULES)
def test_the_page_has_the_fixed_headings(name: str) -> None:
    page = RULES[name].page
    found = re.findall(r"^## (.*)$", page, re.MULTILINE)
    optional = [] if name in BEYOND_PRE else ["What it cannot know"]
    assert found == [heading for heading in HEADINGS if heading in found or heading not in optional]
    assert RULES[name].summary.endswith(".")
    assert page.startswith(RULES[name].summary + "\n\n## What it does\n")


def test_only_what_needs_more_than_a_plan_has_no_example() -> None:
    shown = {rule.name for rule in (*SHOWN, *ABOUT_POLICIES, *ABOUT_CATALOGUES)}
    of_a_run = {"policy_empty", "policy_regex_timeout", "policy_unused_bound"}
    assert set(RULES) - shown == {"more_findings", "file_too_large", "nested_too_deeply"} | of_a_run
