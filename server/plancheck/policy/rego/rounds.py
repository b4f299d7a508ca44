"""Searches that ask in rounds: each says which variants of a plan it wants judged next, and several go on together."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeAlias, TypeVar

from plancheck.policy.rego.variants import Variant

T = TypeVar("T")

Rounds: TypeAlias = Generator[Sequence[Variant], Sequence[Any], T]
"""Yields what to judge, is sent what the policy says of each, and returns what it found."""
Batch: TypeAlias = Callable[[Sequence[Variant]], "Sequence[Any] | None"]
"""What the policy says of each of some variants; None where nothing is answered any more."""


class StoppedError(Exception):
    """Thrown into a search whose questions are not answered any more."""


def together(searches: Sequence[Rounds[T]]) -> Rounds[list[T]]:
    """Several searches as one: a round asks what all of them want, each variant once."""
    found: dict[int, T] = {}
    wanted: dict[int, Sequence[Variant]] = {}
    for number, search in enumerate(searches):
        _go_on(search, None, number, wanted, found)
    while wanted:
        asked = list(dict.fromkeys(variant for variants in wanted.values() for variant in variants))
        try:
            answers = dict(zip(asked, (yield asked), strict=True))
        except StoppedError:
            answers = None
        for number, variants in list(wanted.items()):
            given = None if answers is None else [answers[variant] for variant in variants]
            _go_on(searches[number], given, number, wanted, found, is_stopped=answers is None)
    return [found[number] for number in range(len(searches))]


def _go_on(
    search: Rounds[T],
    answers: Sequence[Any] | None,
    number: int,
    wanted: dict[int, Sequence[Variant]],
    found: dict[int, T],
    *,
    is_stopped: bool = False,
) -> None:
    try:
        if is_stopped:
            wanted[number] = search.throw(StoppedError())
        else:
            wanted[number] = next(search) if answers is None else search.send(answers)
    except StopIteration as end:
        found[number] = end.value
        wanted.pop(number, None)


def run(search: Rounds[T], batch: Batch) -> T:
    """A search with its questions answered."""
    try:
        asked = next(search)
        while True:
            answers = batch(asked)
            asked = search.throw(StoppedError()) if answers is None else search.send(answers)
    except StopIteration as end:
        result: T = end.value
        return result
