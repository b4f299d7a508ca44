"""Where a pattern stops being harmless, to the last way through it: past that it is run where it can be stopped."""

from __future__ import annotations

import pytest

from plancheck.policy.regexes import is_harmless


@pytest.mark.parametrize(
    ("at_the_limit", "past_it"),
    [
        ("a{0,9}b{0,9}c{0,9}", "a{0,6}b{0,10}c{0,12}"),  # 1,000 ways, 1,001 ways
        ("(?:ab|cde){0,8}", "(?:ab|cde){0,9}"),  # 511 ways, 1,023 ways
        ("x+a{0,31}", "x+a{0,32}"),  # 32 ways beside a repetition, 33 ways
        ("a{0,31}x*", "a{0,32}x*"),
        ("(?:ab){0,64}", "(?:ab){0,65}"),  # the longest that counts as bounded
        ("a+b", "a+b+"),  # one repetition of unknown length, two
        ("a{0,65}b", "a{0,65}b{0,65}"),
        ("(?:a+b|c+d)", "(?:a+b|c+d)e+"),  # one on each way
        ("(?:a+)", "(?:a+){1,2}"),  # never inside another
    ],
)
def test_one_more_way_is_one_too_many(at_the_limit: str, past_it: str) -> None:
    assert is_harmless(at_the_limit)
    assert not is_harmless(past_it)
