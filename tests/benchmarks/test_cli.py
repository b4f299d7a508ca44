"""What the command costs, as ratios in one run: `make bench`."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.measure import best_times, plan_of, show
from cli.command import environment
from cli.test_watch import watching

CALLS = 10
"""How many of the thousand single calls are really made."""


PEAK = (
    "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)"
)
"""Runs a command, and says how much memory the largest of its processes took. It is small itself, which matters: a
process counts what its parent had when it was started."""


def run(*args: str, cwd: Path) -> None:
    done = subprocess.run([sys.executable, *args], cwd=cwd, env=environment({}), capture_output=True, check=False)
    assert done.returncode == 0, done


def check(*args: str, cwd: Path) -> None:
    run("-m", "plancheck", "check", "--fail-on", "never", *args, cwd=cwd)


def test_one_plan_of_a_hundred_steps(tmp_path: Path) -> None:
    (tmp_path / "a.plan.json").write_text(json.dumps(plan_of(100), indent=2))
    ours, peer = best_times(
        lambda: check("--no-cache", "a.plan.json", cwd=tmp_path), lambda: run("-c", "pass", cwd=tmp_path), rounds=20
    )
    show("check of 100 steps / python -c pass", ours / peer, 8)


def test_a_thousand_small_plans_in_one_call(tmp_path: Path) -> None:
    text = json.dumps(plan_of(5), indent=2)
    for number in range(1000):
        (tmp_path / f"{number:04}.plan.json").write_text(text)

    def several() -> None:
        for number in range(CALLS):
            check("--no-cache", f"{number:04}.plan.json", cwd=tmp_path)

    one_call, calls = best_times(lambda: check("--no-cache", ".", cwd=tmp_path), several, rounds=3)
    show("1,000 calls / one call with 1,000 plans", calls * (1000 / CALLS) / one_call, 20, at_most=False)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """5,000 small plans, each with a finding of its own."""
    folder = tmp_path_factory.mktemp("many")
    for number in range(5_000):
        plan = plan_of(5)
        plan["nodes"][3]["writes"].append(f"extra.{number}")
        (folder / f"{number:04}.plan.json").write_text(json.dumps(plan, indent=2))
    return folder


def test_the_text_of_many_findings_costs_little_more_than_their_lines(many: Path) -> None:
    text, quiet = best_times(
        lambda: check("--no-cache", ".", cwd=many), lambda: check("--no-cache", "-q", ".", cwd=many), rounds=3
    )
    show("text / --quiet, 5,000 plans", text / quiet, 1.3)


@pytest.mark.parametrize("args", [["--quiet"], [], ["--format", "json"]], ids=["quiet", "text", "json"])
def test_a_second_run_over_unchanged_plans(many: Path, tmp_path: Path, args: list[str]) -> None:
    def first() -> None:
        shutil.rmtree(tmp_path / "cache", ignore_errors=True)
        check("--cache-dir", str(tmp_path / "cache"), *args, ".", cwd=many)

    def second() -> None:
        check("--cache-dir", str(tmp_path / "cache"), *args, ".", cwd=many)

    one, two = best_times(first, second, rounds=3)
    show(f"second run / first run, 5,000 plans {' '.join(args)}", two / one, 0.25)


@pytest.mark.parametrize("cached", [False, True], ids=["afresh", "from the cache"])
def test_a_baseline_of_all_findings(many: Path, tmp_path: Path, cached: bool) -> None:
    known = str(tmp_path / "known.json")
    where = ("--cache-dir", str(tmp_path / "cache")) if cached else ("--no-cache",)
    check(*where, f"--write-baseline={known}", "--quiet", ".", cwd=many)
    assert len(json.loads(Path(known).read_text())["findings"]) >= 5_000
    check(*where, "--quiet", ".", cwd=many)
    with_baseline, without = best_times(
        lambda: check(*where, "--baseline", known, "--quiet", ".", cwd=many),
        lambda: check(*where, "--quiet", ".", cwd=many),
        rounds=3,
    )
    show(f"with a baseline / without, 5,000 plans {where[0]}", with_baseline / without, 1.5)


def test_statistics_cost_no_more_than_findings(many: Path, tmp_path: Path) -> None:
    where = ("--cache-dir", str(tmp_path / "cache"))
    check(*where, "--quiet", ".", cwd=many)
    ours, peer = best_times(
        lambda: check(*where, "--statistics", ".", cwd=many), lambda: check(*where, "--quiet", ".", cwd=many), rounds=3
    )
    show("--statistics / --quiet, 5,000 plans in the cache", ours / peer, 1.1)


def test_after_a_change_a_watch_looks_at_little_more_than_the_change(many: Path, tmp_path: Path) -> None:
    """The time that it says of itself, against a run of its own over plans that are in the cache."""
    where = ("--cache-dir", str(tmp_path / "cache"))
    check(*where, ".", cwd=many)
    (second,) = best_times(lambda: check(*where, ".", cwd=many), rounds=3)
    with watching(many, "--fail-on", "never", *where, ".") as shown:
        shown.round()
        plan = many / "0007.plan.json"
        plan.write_text(plan.read_text().replace("agent0", "agent9"))
        shown.round_with("Checked at")
        (seconds,) = re.findall(r"in (\d+\.\d+) s\.", shown.last)
    show("a round of --watch / a second run, 5,000 plans", float(seconds) / second, 1.5)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_memory_of_json_for_many_plans(many: Path, tmp_path: Path, jobs: str) -> None:
    """Of the largest of the processes, with and without results in the cache."""
    command = [sys.executable, "-c", PEAK, sys.executable, "-m", "plancheck", "check", "--format", "json", "-j", jobs]
    for run_number in ("first", "second"):
        with (tmp_path / "out.json").open("wb") as out:
            done = subprocess.run(
                [*command, "--cache-dir", str(tmp_path / "cache"), "."],
                cwd=many,
                env=environment({}),
                stdout=out,
                stderr=subprocess.PIPE,
                check=True,
            )
        show(f"MB for JSON of 5,000 plans, {run_number} run, {jobs} processes", int(done.stderr) / 1000, 80)
    assert len(json.loads((tmp_path / "out.json").read_text())["files"]) == 5_000


@pytest.mark.parametrize("megabytes", [0.5, 1, 2, 4, 16])
def test_choosing_the_number_of_processes_costs_nothing(tmp_path: Path, megabytes: float) -> None:
    """Around the break-even the choice must not hurt; far above it, it must help where there are processors to help."""
    text = json.dumps(plan_of(100), indent=2)
    for number in range(int(megabytes * 1_000_000 / len(text))):
        (tmp_path / f"{number:04}.plan.json").write_text(text)
    chosen, one, two = best_times(
        lambda: check("--no-cache", ".", cwd=tmp_path),
        lambda: check("--no-cache", "-j", "1", ".", cwd=tmp_path),
        lambda: check("--no-cache", "-j", "2", ".", cwd=tmp_path),
        rounds=3,
    )
    print(f"\n  {megabytes} MB: one process {one:.3f} s, two {two:.3f} s", end="")
    show("chosen processes / one process", chosen / one, 1.3)
