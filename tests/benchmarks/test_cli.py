"""What the command costs, as ratios in one run: `make bench`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.measure import best_times, plan_of, show
from cli.command import environment

CALLS = 10
"""How many of the thousand single calls are really made."""


def run(*args: str, cwd: Path) -> None:
    done = subprocess.run([sys.executable, *args], cwd=cwd, env=environment({}), capture_output=True, check=False)
    assert done.returncode == 0, done


def check(*args: str, cwd: Path) -> None:
    run("-m", "plancheck", "check", "--fail-on", "never", *args, cwd=cwd)


def test_one_plan_of_a_hundred_steps(tmp_path: Path) -> None:
    (tmp_path / "a.plan.json").write_text(json.dumps(plan_of(100), indent=2))
    ours, peer = best_times(
        lambda: check("a.plan.json", cwd=tmp_path), lambda: run("-c", "pass", cwd=tmp_path), rounds=10
    )
    show("check of 100 steps / python -c pass", ours / peer, 10)


def test_a_thousand_small_plans_in_one_call(tmp_path: Path) -> None:
    text = json.dumps(plan_of(5), indent=2)
    for number in range(1000):
        (tmp_path / f"{number:04}.plan.json").write_text(text)

    def several() -> None:
        for number in range(CALLS):
            check(f"{number:04}.plan.json", cwd=tmp_path)

    one_call, calls = best_times(lambda: check(".", cwd=tmp_path), several, rounds=3)
    show("1,000 calls / one call with 1,000 plans", calls * (1000 / CALLS) / one_call, 20, at_most=False)


@pytest.mark.parametrize("megabytes", [0.5, 1, 2, 4, 16])
def test_choosing_the_number_of_processes_costs_nothing(tmp_path: Path, megabytes: float) -> None:
    """Around the break-even the choice must not hurt; far above it, it must help where there are processors to help."""
    text = json.dumps(plan_of(100), indent=2)
    for number in range(int(megabytes * 1_000_000 / len(text))):
        (tmp_path / f"{number:04}.plan.json").write_text(text)
    chosen, one, two = best_times(
        lambda: check(".", cwd=tmp_path),
        lambda: check("-j", "1", ".", cwd=tmp_path),
        lambda: check("-j", "2", ".", cwd=tmp_path),
        rounds=3,
    )
    print(f"\n  {megabytes} MB: one process {one:.3f} s, two {two:.3f} s", end="")
    show("chosen processes / one process", chosen / one, 1.3)
