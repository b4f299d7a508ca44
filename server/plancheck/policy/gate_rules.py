"""What a policy asks of a whole plan before it runs: the rules of the gate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

from plancheck.frozen import Frozen
from plancheck.policy.coercion import argument, count, names, number, records, resources


class OnUnknown(str, Enum):
    """What the gate makes of something that nobody can know before the run, or that was not understood."""

    HUMAN = "human"
    """A human must look."""
    DENY = "deny"
    """The plan is denied."""


class OnWarning(str, Enum):
    """What the gate makes of a warning that something could be abused."""

    ALLOW = "allow"
    HUMAN = "human"
    DENY = "deny"


class Uses(Frozen):
    """At most so many steps may use one of these tools."""

    tools: tuple[str, ...]
    """The tools whose uses are added up."""
    at_most: int
    """How many uses there may be."""


class Required(Frozen):
    """One of these tools must be used; with `before`, ahead of each use of one of those."""

    tools: tuple[str, ...]
    """One of these must be used."""
    before: tuple[str, ...] = ()
    """Ahead of each use of one of these; empty for anywhere in the plan."""


class HumanLimit(Frozen):
    """An argument above this needs a human."""

    key: str
    """`<tool>.<argument path>`, as that of a bound."""
    above: float
    """The highest number that needs nobody."""


def _uses(uses: Uses) -> Uses:
    return Uses(names(uses.tools, "gate.at_most", is_needed=True), count(uses.at_most, "gate.at_most"))


def _required(required: Required) -> Required:
    return Required(names(required.tools, "gate.required", is_needed=True), names(required.before, "gate.required"))


def _human_limit(key: Any, above: Any) -> HumanLimit:
    return HumanLimit(argument(key, "gate.needs_human"), number(above, f"gate.needs_human.{key}"))


def _no_mapping(key: Any, _: Any) -> Any:
    raise ValueError(f"a list is expected, not a mapping with {key!r}")


class GateRules(Frozen, init=False):
    """What is asked of a whole plan before it runs. It is validated when it is made."""

    max_steps: int | None
    """How many steps may pass the gate; None for 50. A lower `Policy.max_steps` counts instead."""
    blocked_tools: tuple[str, ...]
    """Besides the four that are blocked anyway."""
    unblock_tools: tuple[str, ...]
    """Which of the blocked ones are not."""
    at_most: tuple[Uses, ...]
    """How often tools may be used in all."""
    not_first: tuple[str, ...]
    """Tools that a plan may not begin with."""
    required: tuple[Required, ...]
    """Tools that must be used, or come first."""
    needs_human: tuple[HumanLimit, ...]
    """Arguments above these numbers need a human."""
    unknown: OnUnknown
    """What becomes of what only the run can tell, and of what was not understood."""
    blocked_writes: tuple[str, ...]
    """What no step may write, in any spelling, `*` for any part of a name."""
    security_warnings: OnWarning
    """What becomes of warnings of the rules about security."""

    def __new__(
        cls,
        max_steps: int | None = None,
        blocked_tools: Iterable[str] = (),
        unblock_tools: Iterable[str] = (),
        at_most: Iterable[Uses] = (),
        not_first: Iterable[str] = (),
        required: Iterable[Required] = (),
        needs_human: Iterable[HumanLimit] | Mapping[str, float] = (),
        unknown: OnUnknown | str = OnUnknown.HUMAN,
        blocked_writes: Iterable[str] = (),
        security_warnings: OnWarning | str = OnWarning.ALLOW,
    ) -> GateRules:
        return super().__new__(
            cls,
            None if max_steps is None else count(max_steps, "gate.max_steps"),
            names(blocked_tools, "gate.blocked_tools"),
            names(unblock_tools, "gate.unblock_tools"),
            tuple(map(_uses, records(at_most, "gate.at_most", Uses, _no_mapping))),
            names(not_first, "gate.not_first"),
            tuple(map(_required, records(required, "gate.required", Required, _no_mapping))),
            tuple(
                _human_limit(limit.key, limit.above)
                for limit in records(needs_human, "gate.needs_human", HumanLimit, _human_limit)
            ),
            OnUnknown(unknown),
            resources(blocked_writes, "gate.blocked_writes"),
            OnWarning(security_warnings),
        )


NO_GATE_RULES = GateRules()


def gate_rules(value: Any) -> GateRules:
    if isinstance(value, GateRules):
        return value
    if not isinstance(value, Mapping):
        raise ValueError(f"`gate` must be the gate's rules, not {value!r}")
    unknown = [key for key in value if key not in GateRules.__match_args__]
    if unknown:
        raise ValueError(f"`gate`: {unknown[0]!r} is not a rule of the gate")
    return GateRules(**value)
