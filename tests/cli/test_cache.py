"""The cache of `check`: it changes nothing but the time, whatever is in its folder and whoever else uses it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import pytest

from cli.command import CLEAN, EXAMPLES, FAULTY, ROOT, Ran, environment, plancheck, plant
from plancheck.analysis.finding import Severity
from plancheck.analysis.settings import InlineIgnores, Profile, Settings
from plancheck.catalogue.model import Catalogue, CatalogueSource
from plancheck.cli import cache
from plancheck.cli.cache import LARGEST_SHARD, CacheEntry, CacheWriter, opened
from plancheck.cli.entries import decode, settings_key
from plancheck.cli.results import FileResult
from plancheck.frozen import replace
from plancheck.policy.model import Policy

FORMATS = [[], ["--quiet"], ["--format", "json"], ["--format", "markdown"], ["--format", "github"], ["--jobs", "2"]]
MARK = "KEPT: "
"""Put in front of every cached message, it shows whether a result comes out of the cache."""


def check(folder: Path, *args: str) -> Ran:
    return plancheck("check", *args, ".", cwd=folder)


def shards(folder: Path) -> list[Path]:
    return sorted((folder / ".plancheck_cache" / "results").glob("*"))


def mark(folder: Path) -> None:
    """Change the messages in the cache, with checksums that are right."""

    def marked(line: bytes) -> bytes:
        fields = json.loads(line[48:])
        for finding in fields[1]:
            finding[2] = MARK + finding[2]
        payload = json.dumps(fields).encode()
        return line[:40] + b"%08x" % crc32(payload) + payload

    assert shards(folder)
    for shard in shards(folder):
        header, *lines = shard.read_bytes().splitlines()
        shard.write_bytes(b"\n".join([header, *map(marked, lines), b""]))


@pytest.fixture
def plans(tmp_path: Path) -> Path:
    return plant(tmp_path, {"a.plan.json": FAULTY, "b.plan.json": CLEAN})


@pytest.mark.parametrize("args", FORMATS, ids=" ".join)
def test_a_cached_run_prints_the_same_byte_for_byte(tmp_path: Path, args: list[str]) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    fresh = check(tmp_path, "--no-cache", *args)
    assert shards(tmp_path) == []
    assert fresh.out.count("\n") > 20
    assert check(tmp_path, *args) == fresh
    assert len(shards(tmp_path)) > 10
    assert check(tmp_path, *args) == fresh
    mark(tmp_path)
    assert check(tmp_path, *args).out.count(MARK) > 10
    assert check(tmp_path, "--no-cache", *args) == fresh


def test_fixing_looks_at_the_files_themselves(plans: Path) -> None:
    check(plans)
    mark(plans)
    assert MARK not in check(plans, "--fix").out
    assert MARK not in check(plans, "--diff", "--unsafe").out


@pytest.mark.parametrize(
    "files",
    [
        {"a.plan.json": FAULTY.replace("ledger", "book")},
        {"plancheck.toml": '[rules]\nwrite_with_no_prior_read = "error"\n'},
        {"plancheck.toml": "max-findings = 7\n"},
        {"plan-policy.yaml": "max_steps: 7\n"},
    ],
    ids=["content", "severity", "limit", "policy"],
)
def test_what_a_result_depends_on(plans: Path, files: dict[str, str]) -> None:
    check(plans)
    mark(plans)
    assert MARK in check(plans).out
    plant(plans, files)
    assert check(plans) == check(plans, "--no-cache")


@pytest.mark.parametrize("args", [["--select", "write_with_no_prior_read"], ["--quiet"], ["--format", "json"]])
def test_options_that_a_result_depends_on(plans: Path, args: list[str]) -> None:
    check(plans)
    mark(plans)
    assert MARK not in check(plans, *args).out


def test_every_field_of_the_settings_tells_results_apart() -> None:
    fault = ("The policy has a mistake.",)
    elsewhere = ("syntax_error",)
    policy, catalogue = Policy(max_steps=3), Catalogue((CatalogueSource("tools.json", "[]"),))
    others = Settings(
        {"empty_plan": Severity.HINT},
        1,
        2,
        "calls",
        policy,
        fault,
        InlineIgnores.ALL,
        elsewhere,
        catalogue,
        Profile.STRICT,
        {"a.b": 1},
    )
    names = Settings.__match_args__
    keys = {settings_key(replace(Settings(), **{name: getattr(others, name)})) for name in names}
    assert len(keys | {settings_key(Settings())}) == len(names) + 1
    assert settings_key(Settings(policy=Policy(deny_tokens_regex=("a",)))) != settings_key(Settings(policy=Policy()))
    other = Catalogue((CatalogueSource("tools.json", "[{}]"),))
    assert settings_key(Settings(catalogue=catalogue)) != settings_key(Settings(catalogue=other))
    with pytest.raises(TypeError, match="distinguishes cached results"):
        settings_key(Settings(policy=object()))  # type: ignore[arg-type]


def test_a_limit_or_a_failure_is_not_kept(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY, "plancheck.toml": "max-file-size = 20\n"})
    assert check(tmp_path).code == 2
    assert shards(tmp_path) == []
    plant(tmp_path, {"a.plan.json": FAULTY, "plancheck.toml": "", "plan-policy.yaml": "max_step: 1\n"})
    assert check(tmp_path).code == 2
    assert shards(tmp_path) == []
    steps = '{"goal": "g", "steps": [{"id": "a", "tool": "t", "args": {"k": "' + "a" * 60 + '!"}}]}'
    plant(tmp_path, {"a.plan.json": steps, "plan-policy.yaml": 'deny_tokens_regex: ["(a+)+$"]\n'})
    assert check(tmp_path).code == 2
    assert shards(tmp_path) == []


def test_an_edited_source_of_plancheck_is_another_plancheck(plans: Path, tmp_path: Path) -> None:
    package = tmp_path / "lib" / "plancheck"
    shutil.copytree(ROOT / "server" / "plancheck", package, ignore=shutil.ignore_patterns("__pycache__"))
    env = {"PYTHONPATH": str(tmp_path / "lib")}
    plancheck("check", ".", cwd=plans, env=env)
    mark(plans)
    assert MARK in plancheck("check", ".", cwd=plans, env=env).out
    with (package / "analysis" / "rules" / "empty_plan.py").open("a") as file:
        file.write("# edited\n")
    assert MARK not in plancheck("check", ".", cwd=plans, env=env).out


# ---- where it is -----------------------------------------------------------------------------------------------------


def test_the_cache_lies_beside_the_configuration_and_git_does_not_see_it(tmp_path: Path) -> None:
    plant(tmp_path, {"plancheck.toml": "", "x/y/a.plan.json": FAULTY})
    plancheck("check", ".", cwd=tmp_path / "x" / "y")
    assert len(shards(tmp_path)) == 1
    assert (tmp_path / ".plancheck_cache" / ".gitignore").read_text() == "# made by plancheck\n*\n"
    assert [path.name for path in (tmp_path / "x" / "y").iterdir()] == ["a.plan.json"]
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    status = subprocess.run(["git", "status", "--short"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert status.stdout == "?? plancheck.toml\n?? x/\n"


def test_another_folder_by_option_and_by_environment(plans: Path, tmp_path: Path) -> None:
    check(plans, "--cache-dir", "mine")
    assert (tmp_path / "mine" / "results").is_dir()
    plancheck("check", ".", cwd=plans, env={"PLANCHECK_CACHE_DIR": str(tmp_path / "theirs")})
    assert (tmp_path / "theirs" / "results").is_dir()
    assert not (tmp_path / ".plancheck_cache").exists()
    check(plans, "--no-cache", "--cache-dir", "none")
    assert not (tmp_path / "none").exists()


# ---- what may be wrong with it ---------------------------------------------------------------------------------------


def test_runs_that_share_a_cache_do_not_disturb_each_other(tmp_path: Path) -> None:
    plant(tmp_path, {f"{number}.plan.json": FAULTY.replace("ledger", f"r{number}") for number in range(300)})
    fresh = check(tmp_path, "--no-cache").out.encode()
    command = [sys.executable, "-m", "plancheck", "check", "."]
    running = [
        subprocess.Popen(command, cwd=tmp_path, env=environment({}), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    assert [process.communicate(timeout=120) for process in running] == [(fresh, b"")] * 4
    assert check(tmp_path).out.encode() == fresh
    assert not [path for path in shards(tmp_path) if path.suffix == ".tmp"]
    mark(tmp_path)
    assert check(tmp_path).out.count(MARK) == 300


def _fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


def _with_payload(payload: bytes) -> Callable[[Path], object]:
    """A sound entry that holds something else."""

    def replace(path: Path) -> None:
        header, line = path.read_bytes().splitlines()
        path.write_bytes(b"\n".join([header, line[:40] + b"%08x" % crc32(payload) + payload, b""]))

    return replace


CORRUPTIONS: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "garbage": lambda path: path.write_bytes(bytes(range(256)) * 40),
    "half": lambda path: path.write_bytes(path.read_bytes()[:-200]),
    "another version": lambda path: path.write_bytes(path.read_bytes().replace(b"cache 1", b"cache 2")),
    "a letter": lambda path: path.write_bytes(path.read_bytes().replace(b"warning", b"warninh")),
    "nothing": lambda path: path.unlink(),
    "far too large": lambda path: path.write_bytes(path.read_bytes() * 10_000),
    "a named pipe": _fifo,
    "a folder": _folder,
    "a loop": _loop,
    "null": _with_payload(b"null"),
    "a list": _with_payload(b"[]"),
    "numbers": _with_payload(b"[1,2,3,4,5]"),
    "an object": _with_payload(b'{"a": 1}'),
    "half a finding": _with_payload(b'["declared",[["wrong_type"]],[],null,[]]'),
    "half a place": _with_payload(b'["declared",[],[[1]],null,[]]'),
    "no JSON": _with_payload(b"["),
    "very deep": _with_payload(b"[" * 90_000),
}


@pytest.mark.parametrize("corruption", CORRUPTIONS.values(), ids=CORRUPTIONS)
def test_what_is_no_sound_entry_is_as_good_as_not_there(tmp_path: Path, corruption: Callable[[Path], object]) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY})
    fresh = check(tmp_path)
    (shard,) = shards(tmp_path)
    corruption(shard)
    assert check(tmp_path) == fresh
    assert check(tmp_path) == fresh


def _writable_by_all(results: Path) -> None:
    results.chmod(0o777)


def _a_link(results: Path) -> None:
    shutil.move(results, results.with_name("elsewhere"))
    results.symlink_to("elsewhere")


@pytest.mark.parametrize("change", [_writable_by_all, _a_link])
def test_what_others_could_have_written_is_not_trusted(plans: Path, change: Callable[[Path], None]) -> None:
    fresh = check(plans)
    mark(plans)
    change(plans / ".plancheck_cache" / "results")
    assert check(plans) == fresh


@pytest.mark.parametrize("name", [".plancheck_cache", ".plancheck_cache/results"])
def test_a_file_in_the_place_of_the_folder(plans: Path, name: str) -> None:
    fresh = check(plans, "--no-cache")
    plant(plans, {name: "mine\n"})
    assert check(plans) == fresh
    assert (plans / name).read_text() == "mine\n"


def test_a_cache_that_cannot_be_made_is_no_reason_to_fail(plans: Path) -> None:
    assert check(plans, "--cache-dir", "/proc/nowhere") == check(plans, "--no-cache")


def test_the_cache_does_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = opened(str(tmp_path))
    assert results is not None
    monkeypatch.setattr(cache, "MOST_PENDING", 40_000)
    writer = CacheWriter()
    keys = [f"ab{number:038}" for number in range(100)]
    for key in keys:
        writer.add(results, CacheEntry(key, "x" * 10_000))
    writer.flush()
    shard = Path(results.folder) / "ab"
    assert LARGEST_SHARD // 2 < shard.stat().st_size <= LARGEST_SHARD + 100
    assert [key for key in keys if results.payload(key) is not None] == keys[-13:]


def test_an_entry_larger_than_a_shard_is_not_kept(tmp_path: Path) -> None:
    results = opened(str(tmp_path))
    assert results is not None
    writer = CacheWriter()
    writer.add(results, CacheEntry("cd" + "0" * 38, "x" * (LARGEST_SHARD + 1)))
    writer.flush()
    assert results.payload("cd" + "0" * 38) is None


def test_decoding_keeps_the_kinds_of_values() -> None:
    assert decode('[null,[],[],null,["t"]]', "p", "text", has_tried_fixes=False) == FileResult(
        "p", "text", None, [], [], has_tried_fixes=False, tools=frozenset({"t"})
    )
