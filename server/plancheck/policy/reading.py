"""From a policy file to the policy. What is wrong becomes a problem at its place, and the rest is in force."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from plancheck.policy.model import GateRules, Policy
from plancheck.policy.problems import PolicyProblem
from plancheck.policy.rego.files import RegoFiles
from plancheck.tuples import NamedTuple

if TYPE_CHECKING:  # the readers are imported where there is a policy to read
    from plancheck.policy.parts import Placed
    from plancheck.policy.yaml import Value

__all__ = ["NAMES", "PolicyProblem", "PolicyText", "joined", "policy_of", "read_policy", "rego_text"]

NAMES = ("plan-policy.yaml", "plan-policy.yml", "plan-policy.rego")
OTHER_NAMES = ("plan-policy.json", "plan-policy.toml")
"""What somebody may have called a policy that is not read: it is one that cannot be read, not none."""


class PolicyText(NamedTuple):
    """A policy as it was read, with the places of what may turn out wrong later."""

    policy: Policy
    problems: tuple[PolicyProblem, ...]
    patterns: tuple[Placed, ...] = ()
    bounds: tuple[Placed, ...] = ()
    """The keys of bounds and of recipients."""
    given: Mapping[str, Any] = {}
    """What the file says, by the names of the policy's fields; the rest of the policy is what holds by default."""


def read_policy(text: str) -> PolicyText:
    """The policy in a YAML text."""
    from plancheck.policy.yaml import read_yaml

    value, wrong = read_yaml(text)
    return _read(value, [PolicyProblem("policy_syntax", *problem) for problem in wrong])


def policy_of(plain: Mapping[str, Any]) -> PolicyText:
    """The policy in a dict of the same keys; what is wrong with it stands nowhere. Raises ValueError for values that no
    policy can hold."""
    from plancheck.policy.yaml import from_plain

    return _read(from_plain(plain), [])


def rego_text(files: RegoFiles) -> PolicyText:
    """A Rego policy among others. What is wrong with it, an engine says when it is asked about a plan."""
    return PolicyText(Policy(rego=(files,)), (), given={"rego": (files,)})


def joined(texts: Iterable[PolicyText], untrusted: Iterable[PolicyText] = ()) -> Policy:
    """Several files in force together: the strictest counts, and nothing gets looser by another file. Those that are
    not trusted do not even make anything looser that would hold without any file."""
    from plancheck.policy.joining import join

    return _policy(join([text.given for text in texts], [text.given for text in untrusted]))


def _read(value: Value | None, problems: list[PolicyProblem]) -> PolicyText:
    from plancheck.policy.parts import PartsReader

    reader = PartsReader(problems)
    given = reader.given(value)
    ordered = tuple(sorted(reader.problems, key=lambda problem: problem.span))
    return PolicyText(_policy(given), ordered, tuple(reader.patterns), tuple(reader.argument_keys), given)


def _policy(given: Mapping[str, Any]) -> Policy:
    gate = GateRules(**given.get("gate", {}))
    return Policy(**{**given, "gate": gate})
