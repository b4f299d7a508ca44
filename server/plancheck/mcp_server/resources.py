"""What can be read from the server: the pages of the rules, and the policy in force."""

from __future__ import annotations

from collections.abc import Iterator

from plancheck.analysis.rule_page import whole_page
from plancheck.analysis.rules import RULES
from plancheck.gate import Policy
from plancheck.mcp_server.judge import Judge
from plancheck.plan.dialects.keys import nearest
from plancheck.policy.showing import shortened
from plancheck.policy.writing import policy_text
from plancheck.tuples import NamedTuple

POLICY_URI = "plancheck://policy"
RULES_URI = "plancheck://rules"
RULE_TEMPLATE = "plancheck://rules/{name}"
MARKDOWN, YAML, REGO = "text/markdown", "application/yaml", "text/plain"


class ServedResource(NamedTuple):
    uri: str
    name: str
    title: str
    description: str
    mime_type: str


class ResourceText(NamedTuple):
    uri: str
    mime_type: str
    text: str


class UnknownResource(Exception):  # noqa: N818 - the client's mistake, in a sentence
    """That there is no such resource, and which one may be meant."""


def resources() -> Iterator[ServedResource]:
    yield ServedResource(
        POLICY_URI, "policy", "The policy in force", "The policy by which `gate_plan` decides, as YAML.", YAML
    )
    yield ServedResource(
        RULES_URI, "rules", "All rules", "The names of all rules, with their severities and summaries.", MARKDOWN
    )
    for rule in RULES.values():
        uri = RULE_TEMPLATE.format(name=rule.name)
        yield ServedResource(uri, rule.name, f"Rule {rule.name}", rule.summary, MARKDOWN)


def read_resource(uri: str, judge: Judge) -> list[ResourceText]:
    """What a resource holds. Raises UnknownResource."""
    if uri == POLICY_URI:
        return [ResourceText(uri, YAML, _policy_in_force(judge)), *_rego(judge.policy)]
    if uri == RULES_URI:
        return [ResourceText(uri, MARKDOWN, _index())]
    name = uri.removeprefix(f"{RULES_URI}/")
    if name in RULES and name != uri:
        return [ResourceText(uri, MARKDOWN, whole_page(RULES[name]))]
    right = nearest(name, RULES) if name != uri else None
    hint = f"did you mean {RULES_URI}/{right}?" if right else f"there are {POLICY_URI}, {RULES_URI} and their pages."
    raise UnknownResource(f"Unknown resource `{shortened(uri)}`: {hint}")


def _policy_in_force(judge: Judge) -> str:
    comments = [f"The policy in force: {judge.policy.digest}"]
    comments += (f"Nothing is decided by it: {fault}" for fault in judge.faults)
    if judge.policy == Policy():
        comments.append("It says nothing, so the default invariants of the gate hold.")
    lines = (f"# {' '.join(comment.split())}\n" for comment in comments)
    return "".join(lines) + policy_text(judge.policy)


def _rego(policy: Policy) -> Iterator[ResourceText]:
    """The files of the Rego policies, each numbered: what their folders are called is nobody's business."""
    texts = (text for files in policy.rego for _, text in files.files)
    return (ResourceText(f"{POLICY_URI}#{number}.rego", REGO, text) for number, text in enumerate(texts, 1))


def _index() -> str:
    lines = (
        f"- [{rule.name}]({RULES_URI}/{rule.name}) ({rule.severity.word}): {rule.summary}" for rule in RULES.values()
    )
    return "\n".join(["# Rules", "", *lines]) + "\n"
