"""Cases for a policy: plans with the verdict that their author expects, as they are kept in a YAML file beside it."""

from __future__ import annotations

from collections.abc import Sequence as Listed
from typing import Any

from plancheck.policy.problems import PolicyProblem, start_of
from plancheck.policy.showing import shortened
from plancheck.policy.values import ValueReader, kind
from plancheck.policy.yaml import Mapping, Scalar, Sequence, Value, YamlMember, read_yaml
from plancheck.text import LineIndex, Span
from plancheck.tuples import NamedTuple

VERDICTS = ("allow", "deny", "requires_hitl", "undecided")
ENDINGS = (".test.yaml", ".test.yml")
_EXAMPLE = "`{name: a refund, plan: refund.plan.json, verdict: allow}`"
_WHAT = "case file"


class NamedFile(NamedTuple):
    """A file that a case file names, relative to its own folder."""

    path: str
    span: Span


class CasePlan(NamedTuple):
    """The plan of a case: written into it, or in a file."""

    given: Value
    file: NamedFile | None
    """None where the plan is written into the case."""

    @property
    def is_text(self) -> bool:
        """Whether it is written into the case as JSON text."""
        return isinstance(self.given, Scalar)

    def plain(self) -> Any:
        """What is written into the case, as plain values."""
        return plain_of(self.given)

    def span_of(self, pointer: str) -> Span:
        """Where in the case file something is that has a place in the plan; the nearest place that is known."""
        return _followed(self.given, pointer)


class PolicyCase(NamedTuple):
    name: str
    span: Span
    """Of its name."""
    plan: CasePlan
    verdict: str
    steps: tuple[int | str, ...] | None = None
    """Positions, counted from 0, and ids; None where any steps will do."""
    rule: str | None = None
    reason: str | None = None
    """A text that the reason contains."""
    context: Any = None


class CaseFile(NamedTuple):
    """What is in a case file. A case with a mistake is left out, and is a problem."""

    policies: tuple[NamedFile, ...]
    """The policies that it names; none where the policy of the same name is meant."""
    cases: tuple[PolicyCase, ...]
    problems: tuple[PolicyProblem, ...]


def is_case_file(path: str) -> bool:
    return path.endswith(ENDINGS)


def read_cases(text: str) -> CaseFile:
    """The cases in the text of a case file. What is wrong with it is a problem at its place."""
    value, wrong = read_yaml(text, _WHAT)
    reader = _CaseReader([PolicyProblem("policy_syntax", *problem) for problem in wrong], LineIndex(text))
    given = reader.file(value) if value is not None or not wrong else {}
    problems = tuple(sorted(reader.problems, key=lambda problem: problem.span))
    return CaseFile(given.get("policy", ()), given.get("cases", ()), problems)


class _CaseReader(ValueReader):
    def __init__(self, problems: list[PolicyProblem], lines: LineIndex) -> None:
        super().__init__(problems)
        self._lines = lines

    def file(self, value: Value | None) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            found = "nothing" if value is None else kind(value)
            message = f"A case file must be a mapping with a list of `cases`, not {found}: write `cases: [...]`."
            self.problems.append(PolicyProblem("policy_bad_value", message, Span(0, 1)))
            return {}
        readers = {"policy": self.policies, "cases": self.cases}
        given = self.members(value, "key of a case file", readers, never_empty=True)
        if all(member.key != "cases" for member in value.members):
            self.bad(start_of(value), "There are no `cases` in this file: write `cases:` and a list of them.")
        return given

    def policies(self, member: YamlMember) -> tuple[NamedFile, ...] | None:
        if isinstance(member.value, Sequence) and not member.value.items:
            self.bad(start_of(member.value), "`policy` names no file: name one, or leave `policy` out.")
            return None
        if isinstance(member.value, Sequence):
            return self.list_of(member, "policy", self.path)
        found = self.path(member.value, "policy")
        return None if found is None else (found,)

    def path(self, value: Value, what: str) -> NamedFile | None:
        path = value.value if isinstance(value, Scalar) else None
        if isinstance(path, str) and path.strip() and "\n" not in path and "\0" not in path:
            return NamedFile(path, value.span)
        self.bad(start_of(value), f"The {what} must be the path of a file, not {kind(value)}.")
        return None

    def cases(self, member: YamlMember) -> tuple[PolicyCase, ...] | None:
        if isinstance(member.value, Sequence) and not member.value.items:
            self.bad(start_of(member.value), f"There is no case in this list: add one such as {_EXAMPLE}.")
            return None
        found = self.list_of(member, "case", self.case)
        self._find_repeated(found or ())
        return found

    def case(self, value: Value, what: str) -> PolicyCase | None:
        before = len(self.problems)
        readers = {
            "name": self.text,
            "plan": self.plan,
            "verdict": self.verdict,
            "step": self.one_step,
            "steps": self.steps,
            "rule": self.text,
            "reason": self.text,
            "context": lambda member: (plain_of(member.value),),
        }
        good = self.record(value, what, _EXAMPLE, readers, ("step", "steps", "rule", "reason", "context"))
        if good is None or not isinstance(value, Mapping) or len(self.problems) > before:
            return None
        if "step" in good and "steps" in good:
            self.bad(start_of(value), "This case has both `step` and `steps`: leave one of them out.")
            return None
        name = next(member.value for member in value.members if member.key == "name")
        context = good.get("context", (None,))[0]
        steps = good.get("steps", good.get("step"))
        return PolicyCase(
            good["name"], name.span, good["plan"], good["verdict"], steps, good.get("rule"), good.get("reason"), context
        )

    def text(self, member: YamlMember) -> str | None:
        value = member.value
        if isinstance(value, Scalar) and isinstance(value.value, str) and value.value.strip():
            return value.value
        self.bad(start_of(value), f"`{member.shown}` must be a text, not {kind(value)}: put it in quotes.")
        return None

    def plan(self, member: YamlMember) -> CasePlan | None:
        value = member.value
        if not isinstance(value, Scalar):
            return CasePlan(value, None)
        if isinstance(value.value, str) and value.value.lstrip().startswith(("{", "[")):
            return CasePlan(value, None)
        found = self.path(value, "plan")
        return None if found is None else CasePlan(value, found)

    def verdict(self, member: YamlMember) -> str | None:
        value = member.value
        if isinstance(value, Scalar) and value.value in VERDICTS:
            return str(value.value)
        shown = f"`{shortened(str(value.value))}`" if isinstance(value, Scalar) else kind(value)
        self.bad(start_of(value), f"Unknown verdict {shown}: use {', '.join(VERDICTS[:-1])} or {VERDICTS[-1]}.")
        return None

    def one_step(self, member: YamlMember) -> tuple[int | str, ...] | None:
        found = self.step(member.value, "step")
        return None if found is None else (found,)

    def steps(self, member: YamlMember) -> tuple[int | str, ...] | None:
        return self.list_of(member, "step", self.step)

    def step(self, value: Value, what: str) -> int | str | None:
        plain = value.value if isinstance(value, Scalar) else None
        if isinstance(plain, str) and plain.strip():
            return plain
        if isinstance(plain, int) and not isinstance(plain, bool) and plain >= 0:
            return plain
        self.bad(start_of(value), f"Each {what} must be a position from 0, or a step's id, not {kind(value)}.")
        return None

    def _find_repeated(self, cases: Listed[PolicyCase]) -> None:
        """Names that two cases have: what is reported of one of them could be about the other."""
        first: dict[str, PolicyCase] = {}
        for case in cases:
            other = first.setdefault(case.name, case)
            if other is not case:
                line = self._lines.line_of(other.span.start) + 1
                message = f"Another case is called `{shortened(case.name)}`, in line {line}: rename one of them."
                self.problems.append(PolicyProblem("policy_bad_value", message, case.span))


def plain_of(value: Value) -> Any:
    """A value in types that JSON has."""
    if isinstance(value, Scalar):
        return value.value
    if isinstance(value, Sequence):
        return [plain_of(item) for item in value.items]
    return {member.key: plain_of(member.value) for member in value.members}


def _followed(value: Value, pointer: str) -> Span:
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        inside: Value | None = None
        if isinstance(value, Mapping):
            inside = next((member.value for member in value.members if member.key == key), None)
        elif isinstance(value, Sequence) and key.isdecimal() and int(key) < len(value.items):
            inside = value.items[int(key)]
        if inside is None:
            break
        value = inside
    return value.span
