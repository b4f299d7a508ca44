"""Who may be sent to: how a policy says so, and how several policies say so together."""

from __future__ import annotations

import pytest

from plancheck.gate import Policy, evaluate_plan
from plancheck.plan_lint import Policy as LintPolicy
from plancheck.policy.model import OnWarning
from plancheck.policy.reading import joined, read_policy
from plancheck.policy.recipients import is_listed

MISTAKES = [
    ("recipents: {a.b: [x]}", "policy_unknown_key", "recipents", "did you mean `recipients`?"),
    ("recipients: [x]", "policy_bad_value", "[", "must be a mapping"),
    ("recipients: {a.b: x}", "policy_bad_value", "x}", "must be a list of recipients"),
    ("recipients: {a.b: [1]}", "policy_bad_value", "1", "must be a text, not 1"),
    ("recipients: {a.b: }", "policy_bad_value", " }", "must be a list of recipients, not nothing"),
    ("recipients: {a: [x]}", "policy_bad_bound", "a", "names no argument"),
    ("recipients: {a.*: [x]}", "policy_bad_bound", "a", "has `*` in it"),
    ("gate: {security_warnings: maybe}", "policy_bad_value", "maybe", "must be `allow`, `human` or `deny`"),
    ("gate: {security_warning: deny}", "policy_unknown_key", "security_warning", "did you mean `security_warnings`?"),
]


@pytest.mark.parametrize(("text", "rule", "token", "message"), MISTAKES)
def test_a_mistake_is_shown_at_its_token(text: str, rule: str, token: str, message: str) -> None:
    (problem,) = read_policy(text).problems
    assert (problem.rule, message in problem.message) == (rule, True), problem
    assert text[problem.span.start :].startswith(token)


LISTED = [
    ("*@example.com", "jo@example.com", True),
    ("*@example.com", "@example.com", True),
    ("*@*.example.com", "jo@a.b.example.com", True),
    ("*@*.example.com", "jo@example.com", False),
    ("*@*.example.com", "jo@evil/.example.com", False),
    ("a*a", "a", False),
    ("GB*", "GB29NWBK", True),
    ("GB*", "GB29 NWBK", False),
    ("https://example.com/*", "https://example.com/a?b=c", True),
    ("https://example.com*", "https://example.com/a", False),
    ("https://example.com/*/in", "https://example.com/a/b/in", False),
    ("*", "anybody at all <x@y>", True),
    ("Jo", "jo", False),
]


@pytest.mark.parametrize(("entry", "recipient", "expected"), LISTED)
def test_who_is_listed(entry: str, recipient: str, expected: bool) -> None:
    assert is_listed([entry], recipient) is expected


def test_many_wildcards_take_no_time() -> None:
    assert not is_listed(["*a" * 5_000 + "b"], "a" * 100_000)


def verdict(policy: Policy, to: str) -> str:
    return evaluate_plan([{"tool_name": "mail.send", "args": {"to": to}}], policy=policy).verdict.value


def test_together_only_whom_every_list_has() -> None:
    one, other = (read_policy(f"recipients: {{mail.send.to: [{names}]}}") for names in ("a, b", "b, c"))
    for policy in (joined([one, other]), joined([one], [other])):
        assert [verdict(policy, name) for name in "abc"] == ["deny", "allow", "deny"]


def test_the_strictest_counts_for_warnings() -> None:
    texts = {choice: read_policy(f"gate: {{security_warnings: {choice.value}}}") for choice in OnWarning}
    for one in OnWarning:
        for other in OnWarning:
            found = joined([texts[one], texts[other]]).gate.security_warnings
            assert list(OnWarning).index(found) == max(map(list(OnWarning).index, (one, other)))
            assert joined([texts[one]], [texts[other]]).gate.security_warnings is found


def test_policies_that_differ_in_recipients_have_other_digests() -> None:
    policies = [
        Policy(),
        Policy(recipients={"a.b": ["x"]}),
        Policy(recipients={"a.b": ["y"]}),
        Policy(gate={"security_warnings": "human"}),
        Policy(gate={"security_warnings": "deny"}),
    ]
    assert len({policy.digest for policy in policies}) == len(policies)


@pytest.mark.parametrize("given", [{"a": ["x"]}, {"a.b": "x"}, {"a.b": [""]}, {"a.b": [1]}, ["a.b"]])
def test_what_means_nothing_is_refused_in_python(given: object) -> None:
    with pytest.raises(ValueError, match="recipients"):
        Policy(recipients=given)  # type: ignore[arg-type]


def test_the_types_of_plan_lint_have_them_too() -> None:
    text = "recipients: {mail.send.to: [a]}\ngate: {security_warnings: deny}\n"
    policy, problems = LintPolicy.from_yaml(text)
    assert (policy.recipients, policy.gate, problems) == ({"mail.send.to": ["a"]}, {"security_warnings": "deny"}, ())
    assert LintPolicy.from_json(policy.to_json()).read().policy.recipients == read_policy(text).policy.recipients
