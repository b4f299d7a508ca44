"""Which steps make a rule fire: the smallest set of steps with which the plan still makes it fire, and the member.

A search asks for variants of the plan in rounds, so that the engine judges many at once. The rule need not be monotone:
whatever it is like, the steps that are found make it fire, and without any one of them it is silent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from plancheck.policy.rego.rounds import Rounds, StoppedError, together
from plancheck.policy.rego.variants import Cut, Variant, Without, members_of, value_at
from plancheck.syntax.tree import Path
from plancheck.tuples import NamedTuple

MOST_VARIANTS = 400
"""That one search asks about with one way to take steps away; past this, the plan as a whole is blamed."""
_PROBES = 12
"""Into how many parts a range is divided in one round."""
_MOST_MEMBERS = 60
_DEEPEST = 4

Fires = Callable[[Any], bool]
"""Whether the rule fires, by what the engine says of a variant."""


class Blame(NamedTuple):
    """The steps that alone make a rule fire, in order; none where it is the plan as a whole."""

    steps: tuple[int, ...] = ()
    without: Without = Without.EMPTIED
    also: tuple[int, ...] = ()
    """Other steps each of which makes the rule fire by itself, too."""
    path: Path = ()
    """What in the last step it is about, as a path inside the step of the policy's input; empty for all of it."""


NO_BLAME = Blame()


def blame(steps: Sequence[Any], fires: Fires, most: int = MOST_VARIANTS) -> Rounds[Blame]:
    """The steps to blame for a rule that fires on the plan with all of these steps."""
    ways = (Without.EMPTIED, Without.LEFT_OUT)
    found = yield from together([_Search(len(steps), way, fires, most).smallest() for way in ways])
    blamed = min((one for one in found if one.steps), key=lambda one: len(one.steps), default=NO_BLAME)
    alone = _alone(blamed, found[1], fires)
    with_path, with_others = yield from together([located(steps, blamed, fires), alone])
    return with_path._replace(also=with_others.also)


def _alone(blamed: Blame, left_out: Blame, fires: Fires) -> Rounds[Blame]:
    """The same with the other steps that each make the rule fire, out of those that do where the rest is left out."""
    if blamed.without is Without.LEFT_OUT or len(blamed.steps) != 1 or len(left_out.steps) != 1:
        return blamed
    others = [step for step in (*left_out.steps, *left_out.also) if step not in blamed.steps]
    if not others:
        return blamed
    try:
        answers = yield [Variant(blamed.without, (step,)) for step in others]
    except StoppedError:
        return blamed
    return blamed._replace(also=tuple(step for step, answer in zip(others, answers, strict=True) if fires(answer)))


def located(steps: Sequence[Any], blamed: Blame, fires: Fires, step: int | None = None) -> Rounds[Blame]:
    """The same with the member without which the rule is silent, of the last step if no other is given."""
    if not blamed.steps:
        return blamed
    last = blamed.steps[-1] if step is None else step
    path: Path = ()
    try:
        for _ in range(_DEEPEST):
            inner = yield from _member(steps[last], last, path, blamed, fires)
            if inner is None:
                break
            path = inner
    except StoppedError:
        pass
    return blamed._replace(path=path)


def _member(step: Any, position: int, path: Path, blamed: Blame, fires: Fires) -> Rounds[Path | None]:
    """The member of what is at a path that silences the rule when it goes, or else when it is null. Inside another
    member, only one that is the only one."""
    paths = _candidates(step, path)[:_MOST_MEMBERS]
    if not paths:
        return None
    for is_null in (False, True):
        cuts = [Cut(position, member, is_null) for member in paths]
        answers = yield [Variant(blamed.without, blamed.steps, cut) for cut in cuts]
        silent = [cut.path for cut, answer in zip(cuts, answers, strict=True) if not fires(answer)]
        if silent and not path:
            return _best(step, silent)
        if silent:
            return silent[0] if len(silent) == 1 else None
    return None


def _candidates(step: Any, path: Path) -> list[Path]:
    if path:
        return members_of(value_at(step, path), path)
    if not isinstance(step, dict):
        return []
    arguments = members_of(step.get("args"), ("args",))
    return [*arguments, *((key,) for key in step if key != "args")]


def _best(step: Any, paths: Sequence[Path]) -> Path | None:
    """Of several that matter: an argument before other members, these before the tool; a number before the rest."""

    def rank(path: Path) -> tuple[int, bool]:
        is_argument, is_tool = path[0] == "args", path == ("tool_name",)
        value = value_at(step, path)
        return (0 if is_argument else 2 if is_tool else 1), not isinstance(value, (int, float)) or value is True

    return min(paths, key=rank, default=None)


class _SpentError(Exception):
    """More variants were wanted than a search may ask about."""


class _Search:
    """The search for the smallest set with one way to take steps away."""

    def __init__(self, count: int, without: Without, fires: Fires, most: int) -> None:
        self._count = count
        self._without = without
        self._fires = fires
        self._left = most
        self._known: dict[tuple[int, ...], bool] = {tuple(range(count)): True}

    def smallest(self) -> Rounds[Blame]:
        try:
            return (yield from self._smallest())
        except (_SpentError, StoppedError):
            return NO_BLAME

    def _smallest(self) -> Rounds[Blame]:
        every = tuple(range(self._count))
        is_few = self._count <= self._left // 2
        singles = [(step,) for step in every] if is_few and self._without is Without.LEFT_OUT else []
        probes = [every[:end] for end in _divided(0, self._count)]
        yield from self._ask([(), *singles, *probes])
        if self._known[()]:
            return NO_BLAME
        alone = [step for (step,) in singles if self._known[(step,)]]
        if alone:
            return Blame((alone[0],), self._without, tuple(alone[1:]))
        needed = yield from self._needed(every)
        return Blame((yield from self._trimmed(needed)), self._without)

    def _needed(self, rest: tuple[int, ...]) -> Rounds[tuple[int, ...]]:
        """Steps with which the rule fires: again and again the last one that is needed besides those before it."""
        needed: tuple[int, ...] = ()
        while True:
            end = yield from self._shortest(needed, rest)
            needed, rest = _union(needed, rest[end - 1 : end]), rest[: end - 1]
            dropped = {step: _union(needed, (other for other in rest if other != step)) for step in rest}
            yield from self._ask([needed, *dropped.values()])
            if self._known[needed]:
                return needed
            silencing = [step for step in rest if not self._known[dropped[step]]]
            needed, rest = _union(needed, silencing), tuple(step for step in rest if step not in silencing)
            yield from self._ask([needed, *(_union((), (one for one in needed if one != step)) for step in needed)])
            if self._known[needed]:
                return needed

    def _shortest(self, needed: tuple[int, ...], rest: tuple[int, ...]) -> Rounds[int]:
        """How much of the rest it takes, from its start, besides what is needed. Nothing of it is too little."""
        silent, firing = 0, len(rest)
        while firing - silent > 1:
            ends = _divided(silent, firing)
            yield from self._ask([_union(needed, rest[:end]) for end in ends])
            firing = next((end for end in ends if self._known[_union(needed, rest[:end])]), firing)
            silent = max((end for end in ends if end < firing), default=silent)
        return firing

    def _trimmed(self, steps: tuple[int, ...]) -> Rounds[tuple[int, ...]]:
        """Without whatever can be dropped still."""
        while len(steps) > 1:
            shorter = [steps[:position] + steps[position + 1 :] for position in range(len(steps))]
            yield from self._ask(shorter)
            still = next((fewer for fewer in shorter if self._known[fewer]), None)
            if still is None:
                return steps
            steps = still
        return steps

    def _ask(self, sets: Sequence[tuple[int, ...]]) -> Rounds[None]:
        """Find out what the rule does with each of some sets of steps, unless that is known."""
        asked = list(dict.fromkeys(steps for steps in sets if steps not in self._known))
        self._left -= len(asked)
        if self._left < 0:
            raise _SpentError
        if asked:
            answers = yield [Variant(self._without, steps) for steps in asked]
            self._known.update(zip(asked, map(self._fires, answers), strict=True))


def _divided(start: int, end: int) -> list[int]:
    """Some numbers between two, all of them where there are few."""
    width = max((end - start) // _PROBES, 1)
    return list(range(start + width, end, width))


def _union(steps: Sequence[int], others: Any) -> tuple[int, ...]:
    return tuple(sorted({*steps, *others}))
