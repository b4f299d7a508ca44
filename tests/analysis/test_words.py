"""Messages are read by people who have never opened the documentation: short, the point first, in ordinary English."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.test_examples import ASKER, files_of, under_its_policy
from plancheck.analysis.engine import analyze
from plancheck.analysis.fix.offer import offered
from plancheck.analysis.rule import Rule
from plancheck.analysis.rules import RULES
from plancheck.catalogue.shapes import read_catalogue
from plancheck.policy.reading import read_policy

PACKAGE = Path(__file__).parents[2] / "server" / "plancheck"
LONGEST_MESSAGE, LONGEST_TITLE, SHOWN = 120, 80, 80
"""A list of problems cuts a message after about 80 characters."""

HOUSE_WORDS = re.compile(
    r"""\brest(?:s|ed|ing)?\ on\b
      | \bst(?:ands?|anding|ood)\b(?!\ for\b)
      | \btold\b
      | \blet\ (?:through|in)\b
      | \b(?:an?|the|its)\ re-reads?\b
      | \bhand(?:s|ed|ing)?\ (?:it\ |them\ |the\ \S+\ )?(?:on|in|over)\b
      | \bnobody\ can\b
      | (?<!there\ )\b(?:is|are|was|were)\ (?:no\b(?!\ (?:longer|more)\b)|none\b(?!\ of\b))""",
    re.VERBOSE | re.IGNORECASE,
)
"""Words that only the authors of plancheck use so."""

FILLER = ("There is", "There are", "It is", "Please", "Note", "Be ")
"""What a message does not begin with: the point comes first."""

EXAMPLES = [rule for rule in RULES.values() if rule.bad]
WITHOUT_A_SUBJECT = {
    "syntax_error": "what is wrong is the place itself",
    "empty_plan": "the plan as a whole",
    "missing_goal": "the plan as a whole",
    "max_steps_exceeded": "the plan as a whole",
    "too_many_steps": "the plan as a whole",
    "catalogue_shape": "the file as a whole",
    "not_a_plan": "the document as a whole",
    "policy_syntax": "the place itself, in the words of YAML",
    "policy_bad_regex": "the pattern itself, in the words of the engine",
    "rego_deny": "the words of the policy",
    "rego_needs_human": "the words of the policy",
    "rego_syntax": "the words of the engine",
}
"""Rules whose messages need not name anything, and why."""


def messages(rule: Rule) -> list[str]:
    """All that is said about the bad example of a rule, by this rule."""
    if rule.is_about_rego:
        return [fault.message for fault in ASKER.faults(files_of(rule.bad)) if fault.rule == rule.name]
    if rule.is_about_policy or rule.is_about_catalogue:
        problems = read_policy(rule.bad).problems if rule.is_about_policy else read_catalogue(rule.bad).problems
        return [problem.message for problem in problems]
    snapshot = analyze(rule.bad, under_its_policy(rule), rego=ASKER)
    found = [finding for finding in snapshot.findings if finding.rule == rule.name]
    related = [related.message for finding in found for related in finding.related]
    unchecked = [place.message for place in snapshot.unchecked if place.rule == rule.name]
    return [*(finding.message for finding in found), *related, *unchecked]


def titles(rule: Rule) -> list[str]:
    if rule.is_about_policy or rule.is_about_catalogue or rule.is_about_rego:
        return []
    snapshot = analyze(rule.bad, under_its_policy(rule), rego=ASKER)
    found = (finding for finding in snapshot.findings if finding.rule == rule.name)
    return [fix.title for finding in found for fix in offered(snapshot, finding)]


@pytest.mark.parametrize("rule", EXAMPLES, ids=lambda rule: rule.name)
def test_a_message_is_short_and_names_its_subject_at_once(rule: Rule) -> None:
    found = messages(rule)
    assert found
    mistakes = [mistake for message in found for mistake in mistakes_in(message, rule)]
    assert mistakes == []


def mistakes_in(message: str, rule: Rule) -> Iterator[str]:
    if len(message) > LONGEST_MESSAGE:
        yield f"{len(message)} characters: {message}"
    if message.startswith(FILLER):
        yield f"filler first: {message}"
    if HOUSE_WORDS.search(message):
        yield f"house words: {message}"
    names_subject = "`" in message[:SHOWN] or re.search(r"^Step \S+ ", message)
    if not names_subject and rule.name not in WITHOUT_A_SUBJECT:
        yield f"no subject among the first {SHOWN} characters: {message}"


@pytest.mark.parametrize(
    ("message", "mistake"),
    [
        ("Step 1 waits for step 7, which does not exist.", None),
        ("The `amount` is too large.", None),
        (f"Step 1 {'x' * 120}", "127 characters"),
        ("There is a step `a` already.", "filler first"),
        ("Step 2 rests on `quote`.", "house words"),
        ("Something is wrong here.", "no subject"),
        (f"{'Something ' * 8}`a`", "no subject"),
    ],
)
def test_a_mistake_in_a_message_is_found(message: str, mistake: str | None) -> None:
    found = list(mistakes_in(message, RULES["unknown_tool"]))
    assert [part.startswith(mistake or "-") for part in found] == ([] if mistake is None else [True])


@pytest.mark.parametrize("rule", EXAMPLES, ids=lambda rule: rule.name)
def test_the_title_of_a_fix_is_short(rule: Rule) -> None:
    texts = [*titles(rule), *(remedy.what for remedy in rule.remedies)]
    mistakes = [text for text in texts if len(text) > LONGEST_TITLE or HOUSE_WORDS.search(text)]
    assert mistakes == []


# ---- the whole package -----------------------------------------------------------------------------------------------

LEFT: dict[str, set[str]] = {
    "cli/tools.py": {"standing"},
}
"""Texts that have such a word and are no message, and where."""


def texts_of(path: Path) -> Iterator[str]:
    """The texts of a file that a user may come to see; of the docstrings, those of rules, which are their pages."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value
    if path.parent.name == "rules":
        yield ast.get_docstring(tree) or ""


@pytest.mark.parametrize("path", [path.relative_to(PACKAGE).as_posix() for path in sorted(PACKAGE.rglob("*.py"))])
def test_no_text_has_house_words(path: str) -> None:
    found = {text for text in texts_of(PACKAGE / path) if HOUSE_WORDS.search(text)}
    assert found == LEFT.get(path, set())


@pytest.mark.parametrize(
    "text",
    [
        "Step 2 rests on step 1.",
        "which stands later in the list",
        "what the editor was told",
        "Mark it as a re-read",
        "Hand it in again",
        "`x` is no key of a step",
        "a list, and this is none",
        "Nobody can tell",
    ],
)
def test_house_words_are_found(text: str) -> None:
    assert HOUSE_WORDS.search(text)


@pytest.mark.parametrize(
    "text",
    [
        "the rest of the plan",
        "`*` stands for any part of a name",
        "Insert a step that re-reads `quote` before step 1",
        "There is no fix",
        "no file with that name",
        "handles the error",
    ],
)
def test_ordinary_words_are_left_alone(text: str) -> None:
    assert not HOUSE_WORDS.search(text)
