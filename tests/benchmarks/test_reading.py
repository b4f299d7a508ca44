"""Reading broken text takes time in proportion to its length."""

from __future__ import annotations

import pytest

from benchmarks.measure import best_times, show
from plancheck.syntax.json import read

GARBAGE = [
    '{"nodes": [@{x},',
    "@[}",
    "{@[@}",
    "@[@\n1,",
    '@{"a":@]',
    "[@\n]}",
    '["@ @"x]',
    "@[@ ",
    '{"nodes": [{"a":1@\n ],"b":1',
]


@pytest.mark.parametrize("garbage", GARBAGE)
def test_reading_garbage_takes_linear_time(garbage: str) -> None:
    """What follows an `@` is repeated; four times as much of it takes a quadratic reader sixteen times as long."""
    head, *parts = garbage.split("@")
    short, long = (head + "".join(part * count for part in parts) for count in (4_000, 16_000))
    times = best_times(lambda: read(short), lambda: read(long), rounds=5)
    show(f"four times as much of {garbage!r}", times[1] / times[0], 8)
