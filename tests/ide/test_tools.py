"""Tools by the policy: completed from it, and explained by it."""

from __future__ import annotations

from ide.marks import cursor
from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.ide.complete import complete
from plancheck.ide.hover import hover
from plancheck.ide.offers import Completion
from plancheck.policy.reading import read_policy

POLICY = "allow_tools: [db.query_ro, pay]\ntools: {crm.find: read}\nbounds: {pay.amount: [0, 10]}\n"


def completed(text: str, policy: str | None) -> list[Completion]:
    marked, offset = cursor(text)
    settings = Settings(policy=read_policy(policy).policy if policy is not None else None)
    return complete(analyze(marked.text, settings), offset)


def hovered(text: str, policy: str | None) -> str:
    marked, offset = cursor(text)
    settings = Settings(policy=read_policy(policy).policy if policy is not None else None)
    found = hover(analyze(marked.text, settings), offset)
    assert found is not None
    return found.markdown


def test_the_tools_of_the_policy_come_first() -> None:
    text = '{"goal": "g", "steps": [{"id": "a", "tool": "shell"}, {"id": "b", "tool": "$0"}]}'
    assert [(item.label, item.detail) for item in completed(text, POLICY)] == [
        ("db.query_ro", "allowed by the policy"),
        ("pay", "allowed by the policy"),
        ("crm.find", "not allowed by the policy"),
        ("shell", "not allowed by the policy"),
    ]
    assert [item.label for item in completed(text, None)] == ["shell"]


def test_tools_are_no_words_for_a_goal() -> None:
    assert completed('{"goal": "$0", "steps": []}', POLICY) == []


def test_hover_says_what_the_policy_says() -> None:
    text = '{"goal": "g", "steps": [{"id": "a", "tool": "p$0ay", "args": {"amount": 1}}]}'
    page = hovered(text, POLICY)
    assert page.startswith(
        "**`pay`**: allowed by the policy and moves money (judging by its name).\n\n`amount` from 0 to 10.\n\n"
    )
    assert "allowed" not in hovered(text, None)
    assert hovered(text.replace("p$0ay", "she$0ll"), POLICY).startswith(
        "**`shell`**: not allowed by the policy and runs commands or code (judging by its name)."
    )
    assert hovered(text.replace("p$0ay", "p$0ay"), "max_steps: 5").startswith(
        "**`pay`**: moves money (judging by its name)."
    )
