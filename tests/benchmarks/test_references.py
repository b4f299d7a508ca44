"""Looking for references takes time in proportion to the text, whatever stands in it."""

from __future__ import annotations

import pytest

from benchmarks.measure import best_times, show
from plancheck.plan.dialects.references import references_in


@pytest.mark.parametrize(
    "piece", ["{{", "${", "{{a.result", "{{a.result}}", ".result", "{{a.result!", "a.result}}", "{{ .result"]
)
def test_no_text_takes_long(piece: str) -> None:
    short, long = (piece * (size // len(piece)) for size in (20_000, 200_000))
    times = best_times(lambda: list(references_in(short)), lambda: list(references_in(long)), rounds=5)
    show(f"references in ten times as much of {piece!r}", times[1] / times[0], 25)
