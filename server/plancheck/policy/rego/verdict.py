"""What a Rego policy says about a plan: what fires, which steps make it fire, and what could not be found out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from plancheck.plan.model import Place
from plancheck.policy.rego.answers import Firing, FiringKind, firings_of
from plancheck.policy.rego.blame import NO_BLAME, Blame, blame, located
from plancheck.policy.rego.plan_input import PlanInput
from plancheck.policy.rego.policy import Asked, RegoFault, RegoPolicy
from plancheck.policy.rego.rounds import Rounds
from plancheck.policy.rego.variants import Without
from plancheck.tuples import NamedTuple
from plancheck.unknown import Unknown

Answer = Mapping[str, Any]
"""What the rules of a policy say of one plan, by their refs; what is undefined is not there."""
MOST_BLAMED = 50
"""Firings for which steps are looked for; the plan is blamed for further ones."""


class Fired(NamedTuple):
    """Something that a policy says against a plan, and the rule by which it can be asked again."""

    firing: Firing
    asked: Asked
    is_only: bool
    """Whether it is all that the rule says: then the rule fires as long as it says anything."""

    def fires(self, answer: Answer) -> bool:
        """Whether the policy says it of a variant of the plan."""
        found = _firings(self.asked, answer)
        if isinstance(found, Unknown):
            return False
        own = (self.firing.message, self.firing.code)
        return bool(found) if self.is_only else any((one.message, one.code) == own for one in found)


class BlamedFiring(NamedTuple):
    """Something that a policy says against a plan, and where."""

    firing: Firing
    steps: tuple[int, ...]
    """The positions of the steps that alone make the rule fire; none where the plan as a whole does."""
    place: Place
    """What to show: in the last of the steps, or on the plan."""
    also: tuple[int, ...] = ()
    """Other steps each of which alone makes the rule fire, too."""
    without: Without = Without.EMPTIED
    """How the other steps were taken away."""


class RegoVerdict(NamedTuple):
    """Nothing in either list means that the policy has nothing against the plan."""

    firings: tuple[BlamedFiring, ...]
    faults: tuple[RegoFault, ...]

    @property
    def denies(self) -> bool:
        return any(blamed.firing.kind is FiringKind.DENY for blamed in self.firings)

    @property
    def needs_human(self) -> bool:
        return any(blamed.firing.kind is FiringKind.HUMAN for blamed in self.firings)


class Reading(NamedTuple):
    """What was made of an answer."""

    fired: tuple[Fired, ...]
    faults: tuple[RegoFault, ...]


def read_answer(policy: RegoPolicy, answer: Answer) -> Reading:
    """What a policy says of a plan, rule by rule."""
    fired: list[Fired] = []
    faults: list[RegoFault] = []
    covered: dict[str, set[str]] = {}
    for asked in policy.asked:
        found = _firings(asked, answer)
        if isinstance(found, Unknown):
            site = asked.site
            faults.append(RegoFault("rego_error", *found, site.path, site.rule.name_span))
            continue
        messages = covered.setdefault(asked.site.name, set())
        if asked.is_whole and messages:
            found = () if answer.get(asked.ref) is True else tuple(one for one in found if one.message not in messages)
        elif not asked.is_whole:
            messages.update(firing.message for firing in found)
        fired += (Fired(firing, asked, len(found) == 1) for firing in found)
    denying = [one for one in fired if one.firing.kind is FiringKind.DENY and one.firing.rule != "allow"]
    if denying:
        fired = [one for one in fired if one.firing.rule != "allow"]
    return Reading(tuple(fired), tuple(dict.fromkeys(faults)))


def _firings(asked: Asked, answer: Answer) -> tuple[Firing, ...] | Unknown:
    if asked.ref not in answer and (asked.is_unseen or asked.site.name != "allow"):
        return ()
    return firings_of(asked.site, answer.get(asked.ref))


def searches(reading: Reading, plan: PlanInput) -> Iterator[Rounds[Blame]]:
    """The searches for the steps to blame, one for each firing."""
    for one in reading.fired[:MOST_BLAMED]:
        yield _search(one, plan)


def _search(one: Fired, plan: PlanInput) -> Rounds[Blame]:
    steps: Sequence[Any] = plan.document["steps"]
    named = plan.step_named(one.firing.step)
    if named is None:
        return blame(steps, one.fires)
    return _of_named(steps, named, one.fires)


def _of_named(steps: Sequence[Any], named: int, fires: Callable[[Answer], bool]) -> Rounds[Blame]:
    """The step that the policy itself names, and the member of it without which the rule is silent."""
    whole = Blame(tuple(range(len(steps))))
    found = yield from located(steps, whole, fires, named)
    return Blame((named,), path=found.path)


def blamed_firings(reading: Reading, blames: Sequence[Blame], plan: PlanInput) -> tuple[BlamedFiring, ...]:
    """The firings with the steps that were found; without any, the plan is blamed."""
    padded = [*blames, *[NO_BLAME] * (len(reading.fired) - len(blames))]
    return tuple(_blamed(one.firing, found, plan) for one, found in zip(reading.fired, padded, strict=True))


def _blamed(firing: Firing, found: Blame, plan: PlanInput) -> BlamedFiring:
    named = plan.step_named(firing.step)
    steps = found.steps or (() if named is None else (named,))
    place = plan.place(steps[-1], found.path) if steps else Place(None)
    return BlamedFiring(firing, steps, place, found.also, found.without)
