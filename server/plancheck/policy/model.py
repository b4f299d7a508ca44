"""A policy: what the plans of a workspace may do. A frozen value without a file, a place or a pattern that is run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf, nextafter
from typing import Any

from plancheck.cached import cached_property
from plancheck.frozen import Frozen, fields_of, replace
from plancheck.policy.applying import applying, by_tool, split_key
from plancheck.policy.coercion import (
    argument,
    count,
    name,
    names,
    number,
    pairs,
    patterns,
    recipients,
    records,
    resources,
    switch,
)
from plancheck.policy.families import (
    CONSEQUENTIAL,
    READ_BY_NAME,
    SQL_NAMESPACES,
    Family,
    ToolWords,
    families_in,
    family_by_name,
    plain_words,
    strictest,
    tool_words,
)
from plancheck.policy.gate_rules import (
    NO_GATE_RULES,
    GateRules,
    HumanLimit,
    OnUnknown,
    OnWarning,
    Required,
    Uses,
    gate_rules,
)
from plancheck.policy.names import (
    could_be,
    folded,
    has_several_words,
    heads,
    mixes_scripts,
    plain_name,
    run_together,
    runs,
    spellings,
)
from plancheck.policy.rego.files import RegoFiles, checked_files
from plancheck.policy.resources import covered, may_mean
from plancheck.tuples import NamedTuple

__all__ = [
    "CONSEQUENTIAL",
    "DEFAULT_BLOCKED",
    "DEFAULT_GATE_STEPS",
    "DEFAULT_MAX_STEPS",
    "DEFAULT_RISK",
    "DEFAULT_WEIGHT",
    "NO_GATE_RULES",
    "NO_POLICY",
    "SQL_NAMESPACES",
    "Bound",
    "Family",
    "GateRules",
    "HumanLimit",
    "OnUnknown",
    "OnWarning",
    "Policy",
    "Recipients",
    "Required",
    "ToolBound",
    "ToolLimit",
    "ToolRecipients",
    "Uses",
    "family_by_name",
    "split_key",
]


class Bound(Frozen):
    """The numbers that an argument may be, ends included."""

    key: str
    """`<tool>.<argument path>`; which part of it is the tool depends on the tools that a plan uses."""
    low: float
    high: float


class Recipients(Frozen):
    """To whom an argument may send or pay, `*` for any part of a name."""

    key: str
    """As that of a bound."""
    allowed: tuple[str, ...]
    is_trusted: bool = True
    """Whether these are known to whoever runs the check, so that sending to them is nothing to warn of."""


_MOST_SEARCHED = 100
"""Names that are looked for in every text; with more of them, every text is looked at closely."""

DEFAULT_BLOCKED = ("execute_shell", "run_command", "drop_database", "delete_all")
DEFAULT_MAX_STEPS = 100
DEFAULT_GATE_STEPS = 50
DEFAULT_RISK = 0.8
"""From which risk score on a plan fails."""
DEFAULT_WEIGHT = 0.2
"""What a code adds to the risk score where the policy gives it no weight."""


def _recipients(key: Any, allowed: Any, is_trusted: bool = True) -> Recipients:
    return Recipients(argument(key, "recipients"), recipients(allowed, f"recipients.{key}"), is_trusted)


def _bound(key: Any, ends: Any) -> Bound:
    field = f"bounds.{key}"
    if not isinstance(ends, (list, tuple)) or len(ends) != 2:
        raise ValueError(f"`{field}` must be [lowest, highest], not {ends!r}")
    low, high = number(ends[0], field), number(ends[1], field)
    if low > high:
        raise ValueError(f"`{field}` is reversed: {low} is above {high}")
    return Bound(argument(key, "bounds"), low, high)


def _tool(tool: Any, words: Any) -> tuple[str, ToolWords]:
    return name(tool, "tools"), tool_words(words)


def _weight(code: Any, weight: Any) -> tuple[str, float]:
    return name(code, "risk_weights"), number(weight, f"risk_weights.{code}")


class ToolBound(NamedTuple):
    """A bound as it applies to the steps of one tool."""

    bound: Bound
    path: tuple[str, ...]


class ToolRecipients(NamedTuple):
    """Recipients as they apply to the steps of one tool."""

    recipients: Recipients
    path: tuple[str, ...]


class ToolLimit(NamedTuple):
    """A limit above which a human must look, as it applies to the steps of one tool."""

    limit: HumanLimit
    path: tuple[str, ...]


class Policy(Frozen, init=False):
    """A policy, with what is derived from it kept. It is validated when it is made: ValueError says what is wrong."""

    __slots__ = ("__dict__",)

    allow_tools: tuple[str, ...] | None
    """None allows every tool, and an empty list none."""
    bounds: tuple[Bound, ...]
    """Between which numbers arguments must be; a mapping of `<tool>.<argument path>` to `[lowest, highest]` will do."""
    deny_tokens_regex: tuple[str, ...]
    """Patterns that nothing in the document may fit, besides the built-in shapes of secrets."""
    max_steps: int | None
    """How many steps a plan may have; None for 100, and 50 at the gate."""
    risk_weights: tuple[tuple[str, float], ...]
    """What each code adds to the risk score of `validate_plan`; 0.2 where nothing is said."""
    fail_risk_threshold: float
    """From which risk score on a plan fails."""
    require_handlers: bool
    """Whether a step that pays, writes, deletes or sends must say what happens when it fails."""
    tools: tuple[tuple[str, ToolWords], ...]
    """What tools do whose names do not tell."""
    gate: GateRules
    """What is asked of a whole plan."""
    allow_writes: tuple[str, ...] | None
    """What steps may declare to write, `*` for any part of a name; None allows everything, an empty list nothing."""
    allow_scope: tuple[str, ...] | None
    """Likewise, what steps may have in their scope, and touch."""
    recipients: tuple[Recipients, ...]
    """Who may be sent to, paid or called, by `<tool>.<argument path>`."""
    rego: tuple[RegoFiles, ...]
    """What is written in Rego; each of these must be content with a plan, too."""

    def __new__(
        cls,
        allow_tools: Iterable[str] | None = None,
        bounds: Iterable[Bound] | Mapping[str, Sequence[float]] = (),
        deny_tokens_regex: Iterable[str] = (),
        max_steps: int | None = None,
        risk_weights: Iterable[tuple[str, float]] | Mapping[str, float] = (),
        fail_risk_threshold: float = DEFAULT_RISK,
        require_handlers: bool = False,
        tools: Iterable[tuple[str, ToolWords]] | Mapping[str, Any] = (),
        gate: GateRules | Mapping[str, Any] = NO_GATE_RULES,
        allow_writes: Iterable[str] | None = None,
        allow_scope: Iterable[str] | None = None,
        recipients: Iterable[Recipients] | Mapping[str, Iterable[str]] = (),
        rego: Iterable[RegoFiles] = (),
    ) -> Policy:
        return super().__new__(
            cls,
            None if allow_tools is None else names(allow_tools, "allow_tools"),
            tuple(_bound(one.key, (one.low, one.high)) for one in records(bounds, "bounds", Bound, _bound)),
            patterns(deny_tokens_regex, "deny_tokens_regex"),
            None if max_steps is None else count(max_steps, "max_steps"),
            pairs(risk_weights, "risk_weights", _weight),
            number(fail_risk_threshold, "fail_risk_threshold"),
            switch(require_handlers, "require_handlers"),
            pairs(tools, "tools", _tool),
            gate_rules(gate),
            None if allow_writes is None else resources(allow_writes, "allow_writes"),
            None if allow_scope is None else resources(allow_scope, "allow_scope"),
            tuple(
                _recipients(one.key, one.allowed, one.is_trusted)
                for one in records(recipients, "recipients", Recipients, _recipients)
            ),
            checked_files(rego),
        )

    @cached_property
    def digest(self) -> str:
        """Names this policy: two that differ in anything have different ones."""
        import hashlib
        import json

        *own, recipients, _ = fields_of(replace(self, tools=()))
        own[self.__match_args__.index("tools")] = [(tool, plain_words(words)) for tool, words in self.tools]
        *gate, security_warnings = fields_of(self.gate)
        own[self.__match_args__.index("gate")] = gate
        rego = [files.digested for files in self.rego]
        later = {"recipients": recipients} if recipients else {}
        later |= {"security_warnings": security_warnings} if security_warnings is not OnWarning.ALLOW else {}
        text = json.dumps([*own, *filter(None, (rego, later))], default=fields_of)
        return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"

    @property
    def most_steps(self) -> int:
        """How many steps a plan may have."""
        return DEFAULT_MAX_STEPS if self.max_steps is None else self.max_steps

    @property
    def most_steps_at_gate(self) -> int:
        """How many steps are let through."""
        given = [most for most in (self.gate.max_steps, self.max_steps) if most is not None]
        return min(given, default=DEFAULT_GATE_STEPS)

    def allows(self, tool: str) -> bool:
        """Whether a tool is on the list of the allowed ones, if there is one; the gate asks for more."""
        return self.allow_tools is None or tool in self.allow_tools

    @property
    def judges_resources(self) -> bool:
        """Whether a plan that names no tools can be judged by what it writes, or by its scope."""
        return self.allow_writes is not None or self.allow_scope is not None

    def allows_write(self, resource: str) -> bool:
        return self.allow_writes is None or covered(self.allow_writes, resource)

    def allows_in_scope(self, resource: str) -> bool:
        return self.allow_scope is None or covered(self.allow_scope, resource)

    def blocked_write(self, resource: str) -> str | None:
        """The entry of `blocked_writes` that a resource may mean, however it is spelt."""
        return next((entry for entry in self.gate.blocked_writes if may_mean(entry, resource)), None)

    @cached_property
    def _blocked(self) -> frozenset[str]:
        blocked = {folded(tool) for tool in (*DEFAULT_BLOCKED, *self.gate.blocked_tools)}
        return frozenset(blocked - {folded(tool) for tool in self.gate.unblock_tools} - {""})

    @cached_property
    def _blocked_within(self) -> frozenset[str]:
        """Those that are blocked inside a longer name, too: a single word means something else there."""
        named = (tool for tool in (*DEFAULT_BLOCKED, *self.gate.blocked_tools) if has_several_words(tool))
        return self._blocked.intersection(map(folded, named))

    def blocks(self, tool: str) -> bool:
        """Whether no plan may use a tool, however its name is spelt and whatever is behind it."""
        is_blocked = not (self._blocked.isdisjoint(spellings(tool)) and self._blocked_within.isdisjoint(runs(tool)))
        return is_blocked and tool not in self.gate.unblock_tools

    @cached_property
    def _words(self) -> dict[str, ToolWords]:
        """What is said about tools, by how their names look; of two spellings of a name, all that is said."""
        found: dict[str, ToolWords] = {}
        for tool, words in self.tools:
            found[folded(tool)] = tuple(dict.fromkeys((*found.get(folded(tool), ()), *words)))
        return found

    def words_about(self, tool: str) -> ToolWords:
        """What the policy says about a tool, however its name is spelt and whatever is behind it."""
        if not self.tools:
            return ()
        return tuple(dict.fromkeys(word for head in heads(tool) for word in self._words.get(folded(head), ())))

    def family(self, tool: str) -> Family:
        """What a tool does, by the policy, or else by its name. `policy.classes` knows what a catalogue says, too."""
        named = families_in(self.words_about(tool))
        return strictest(named) if named else family_by_name(tool)

    @cached_property
    def _watched(self) -> dict[int, list[str]]:
        """The tools that some rule is about, as their names look, by the lengths of these."""
        limited = {*self._bounds_by_tool, *self._limits_by_tool, *self._recipients_by_tool}
        folds = {*self._in_gate_rules, *limited, *self._words}
        found: dict[int, list[str]] = {}
        for fold in {*folds, *self._blocked, *map(folded, READ_BY_NAME)} - {""}:
            found.setdefault(len(fold), []).append(fold)
        return found

    def is_doubtful(self, tool: str) -> bool:
        """Whether a name has letters of several scripts and may be taken for a tool that some rule is about."""
        if not mixes_scripts(tool):
            return False
        if any(could_be(word, "ro") for word in (head.rpartition("_")[2] for head in heads(plain_name(tool)))):
            return True
        candidates = (*spellings(tool), *runs(tool))
        return any(could_be(one, other) for one in candidates for other in self._watched.get(len(one), ()))

    @cached_property
    def _in_gate_rules(self) -> frozenset[str]:
        """The tools that the gate counts, orders, or wants something before, as their names look."""
        gate = self.gate
        listed = [*gate.not_first, *(tool for uses in gate.at_most for tool in uses.tools)]
        listed += (tool for required in gate.required for tool in required.before)
        return frozenset(map(folded, listed)) - {""}

    def restricts(self, tool: str) -> bool:
        """Whether a tool may not be used, or not in every way, however its name is spelt. Of a bound that names
        `a.b.c`, the tool is `a.b`: who has a tool `a` for it is not meant here."""
        if any(len(path) == 1 for path in self.limited_paths(tool)) or self.blocks(tool):
            return True
        return not self._in_gate_rules.isdisjoint(spellings(tool))

    @cached_property
    def _restricted(self) -> frozenset[str]:
        """The tools that `restricts` is about, as their names look."""
        limits: list[tuple[str, Iterable[ToolBound | ToolLimit | ToolRecipients]]] = [*self._bounds_by_tool.items()]
        limits += (*self._limits_by_tool.items(), *self._recipients_by_tool.items())
        named = (tool for tool, found in limits if any(len(limit.path) == 1 for limit in found))
        return self._blocked.union(self._in_gate_rules, named)

    def may_restrict_something_in(self, text: str) -> bool:
        """Whether a text may name a tool that is restricted; an escape may stand for any letter."""
        if "\\" in text or len(self._restricted) > _MOST_SEARCHED:
            return True
        looks = run_together(text)
        return any(name in looks for name in self._restricted)

    def gives_family(self, tool: str) -> bool:
        """Whether the policy itself says what a tool does, however its name is spelt."""
        return bool(families_in(self._words.get(folded(tool), ())))

    @cached_property
    def _bounds_by_tool(self) -> dict[str, tuple[ToolBound, ...]]:
        return by_tool(map(_finite, self.bounds), ToolBound)

    def bounds_of(self, tool: str) -> tuple[ToolBound, ...]:
        """The bounds that apply to the steps of a tool, however its name is spelt."""
        return applying(self._bounds_by_tool, tool) if self.bounds else ()

    @cached_property
    def _limits_by_tool(self) -> dict[str, tuple[ToolLimit, ...]]:
        return by_tool(self.gate.needs_human, ToolLimit)

    def human_limits_of(self, tool: str) -> tuple[ToolLimit, ...]:
        """The limits above which a human must look at a step of a tool, however its name is spelt."""
        return applying(self._limits_by_tool, tool) if self.gate.needs_human else ()

    @cached_property
    def _recipients_by_tool(self) -> dict[str, tuple[ToolRecipients, ...]]:
        return by_tool(self.recipients, ToolRecipients)

    def recipients_of(self, tool: str) -> tuple[ToolRecipients, ...]:
        """To whom a step of a tool may send, however its name is spelt."""
        return applying(self._recipients_by_tool, tool) if self.recipients else ()

    @property
    def limits_arguments(self) -> bool:
        """Whether some argument of some tool is limited."""
        return bool(self.bounds or self.gate.needs_human or self.recipients)

    def limited_paths(self, tool: str) -> dict[tuple[str, ...], None]:
        """The arguments of a tool that are limited in some way."""
        limits: list[ToolBound | ToolLimit | ToolRecipients] = [*self.bounds_of(tool), *self.human_limits_of(tool)]
        return dict.fromkeys(limit.path for limit in (*limits, *self.recipients_of(tool)))

    def known_tools(self) -> list[str]:
        """Every tool that the policy names, in its order."""
        return list(dict.fromkeys((*(self.allow_tools or ()), *dict(self.tools))))


NO_POLICY = Policy()


def _finite(bound: Bound) -> Bound:
    """A bound with ends that are numbers: what is infinite is not one, and is outside of every bound."""
    return replace(bound, low=max(bound.low, -_LARGEST), high=min(bound.high, _LARGEST))


_LARGEST = nextafter(inf, 0.0)
