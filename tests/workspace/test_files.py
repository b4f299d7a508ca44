"""Finding plan files and configurations, reading files; git itself says what is ignored."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancheck.workspace.files import Configurations, Loaded, ReadError, find_plans, read_text
from workspace.folders import git, plant


def found(root: Path) -> list[str]:
    plans = list(find_plans(str(root), Configurations()))
    assert not [plan for plan in plans if isinstance(plan, ReadError)]
    return [Path(str(plan)).relative_to(root).as_posix() for plan in plans]


def test_plans_are_found_in_order_and_tools_are_left_alone(tmp_path: Path) -> None:
    names = ["b.plan.json", "a/z.plan.json", "a/b/c.plan.json", "c.json", "c/README.md"]
    tools = [f"{tool}/x.plan.json" for tool in (".git", "node_modules", "a/.venv", "__pycache__")]
    assert found(plant(tmp_path, dict.fromkeys([*names, *tools], ""))) == [
        "a/b/c.plan.json",
        "a/z.plan.json",
        "b.plan.json",
    ]


def test_links_to_folders_are_not_followed_and_links_to_files_are(tmp_path: Path) -> None:
    plant(tmp_path, {"real/a.plan.json": "", "plan.json": ""})
    (tmp_path / "real" / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "link.plan.json").symlink_to(tmp_path / "plan.json")
    assert found(tmp_path) == ["link.plan.json", "real/a.plan.json"]


def test_very_deep_folders(tmp_path: Path) -> None:
    depth = 1200
    before = Path.cwd()
    try:
        os.chdir(tmp_path)
        for _ in range(depth):
            Path("d").mkdir()
            os.chdir("d")
        Path("a.plan.json").touch()
    finally:
        os.chdir(before)
    plans = list(find_plans(str(tmp_path), Configurations()))
    assert len(plans) == 1
    assert str(plans[0]).count("/d") >= depth
    subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)


def test_each_folder_follows_its_nearest_configuration(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "plancheck.toml": 'include = ["*.p.json"]\nexclude = ["old"]\n',
            "a.p.json": "",
            "a.plan.json": "",
            "old/a.p.json": "",
            "inner/pyproject.toml": '[tool.plancheck]\ninclude = ["plans/*.json"]\n',
            "inner/plans/b.json": "",
            "inner/c.p.json": "",
            "other/pyproject.toml": '[project]\ndependencies = ["plancheck"]\n',
            "other/d.p.json": "",
        },
    )
    assert found(tmp_path) == ["a.p.json", "inner/plans/b.json", "other/d.p.json"]
    configurations = Configurations()
    assert configurations.above(str(tmp_path / "inner" / "plans")).path == str(tmp_path / "inner" / "pyproject.toml")
    assert configurations.above(str(tmp_path / "other")).path == str(tmp_path / "plancheck.toml")
    assert configurations.above(str(tmp_path / "old")).path == str(tmp_path / "plancheck.toml")
    assert len(configurations.loaded) == 2


def test_plancheck_toml_wins_over_pyproject(tmp_path: Path) -> None:
    plant(tmp_path, {"plancheck.toml": "max-findings = 1", "pyproject.toml": "[tool.plancheck]\nmax-findings = 2"})
    assert Configurations().above(str(tmp_path)).settings_for(str(tmp_path / "x")).max_findings == 1


def test_without_a_configuration_the_defaults_apply(tmp_path: Path) -> None:
    loaded = Configurations().above(str(tmp_path))
    assert loaded.path is None
    assert loaded.include == ("**/*.plan.json", "**/*.calls.json", "**/*.trace.json")
    assert loaded.is_plan(str(tmp_path / "a.plan.json"))
    assert not loaded.is_excluded(str(tmp_path / "a.plan.json"))


def test_a_configuration_that_cannot_be_read_is_an_error_and_not_the_end(tmp_path: Path) -> None:
    (tmp_path / "plancheck.toml").write_bytes(b"x = \xff")
    configurations = Configurations()
    assert configurations.above(str(tmp_path)).path is None
    assert [error.message for error in configurations.errors] == ["byte 4 (0xff) is not UTF-8: save the file as UTF-8."]
    missing = Configurations().load(str(tmp_path / "nope.toml"))
    assert isinstance(missing, ReadError)
    assert not isinstance(missing, Loaded)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"\xef\xbb\xbf{}", "{}"),
        ('{"é": 1}'.encode(), '{"é": 1}'),
        (b"ab\xc3(", "byte 2 (0xc3) is not UTF-8: save the file as UTF-8."),
        (b"\xef\xbb\xbfa\xff", "byte 4 (0xff) is not UTF-8: save the file as UTF-8."),
        ("{}".encode("utf-16"), "this is UTF-16 text: save it as UTF-8."),
    ],
)
def test_reading(tmp_path: Path, raw: bytes, expected: str) -> None:
    path = tmp_path / "a.plan.json"
    path.write_bytes(raw)
    read = read_text(str(path))
    assert (read.message if isinstance(read, ReadError) else read) == expected


def test_reading_what_is_no_file(tmp_path: Path) -> None:
    assert read_text(str(tmp_path)) == ReadError(str(tmp_path), "this is a folder, not a file.")
    missing = str(tmp_path / "x")
    assert read_text(missing) == ReadError(missing, "there is no such file or folder.")
    through = str(tmp_path / "f" / "x")
    (tmp_path / "f").touch()
    assert read_text(through) == ReadError(through, "it cannot be read: Not a directory.")


# ---- .gitignore, with git as the oracle --------------------------------------------------------------------------

PLANS = [f"{folder}{name}.plan.json" for folder in ("", "a/", "b/", "a/b/", "a/b/c/", "b/a/") for name in ("x", "y")]
PATTERNS = st.sampled_from(
    [
        *("x.plan.json", "/x.plan.json", "a", "a/", "/a/", "b/", "a/b", "a/b/", "**/b", "a/**", "a/**/x.plan.json"),
        *("*.json", "!*.json", "!x.plan.json", "!/a/", "!a/b/", "b/*", "!b/y.plan.json", "[xy].plan.json", "?.plan.*"),
        *("# comment", "", "  ", "x.plan.json ", "/*", "!/b/", "**/c/**", "!a/b/c/", "\\!x", "/**/y.plan.json"),
        *("**", "/**", "a/**b", "**.json", "*/x.plan.json", "[!x]*", "[[:alpha:]].plan.json", "[z-a]*", "[x", "x\\"),
        *("x.plan.json\\ ", "\\x.plan.json", "a/***/x.plan.json", "**/", "a//b", "/", "!", "a/*/c", "[^a-x].*", "***"),
    ]
)
IGNORE_FILES = st.dictionaries(
    st.sampled_from(["", "a/", "b/", "a/b/"]), st.lists(PATTERNS, max_size=4), min_size=1, max_size=3
)


def not_ignored(root: Path) -> list[str]:
    ignored = set(git(root, "check-ignore", "--no-index", "--stdin", stdin="\n".join(PLANS)).split("\n"))
    return sorted(set(PLANS) - ignored)


@settings(max_examples=150, deadline=None)
@given(IGNORE_FILES, st.lists(PATTERNS, max_size=2))
def test_what_git_ignores_is_not_found(ignore_files: dict[str, list[str]], exclude: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = plant(Path(folder), dict.fromkeys(PLANS, ""))
        git(root, "init", "-q")
        (root / ".git/info").mkdir(exist_ok=True)
        (root / ".git/info/exclude").write_text("\n".join(exclude))
        for place, lines in ignore_files.items():
            (root / f"{place}.gitignore").write_text("\n".join(lines))
        assert sorted(found(root)) == not_ignored(root)


def test_a_folder_inside_a_repository_follows_the_files_above_it(tmp_path: Path) -> None:
    plant(tmp_path, {**dict.fromkeys(PLANS, ""), ".gitignore": "x.plan.json\n", "a/.gitignore": "!/b/x.plan.json\n"})
    git(tmp_path, "init", "-q")
    assert found(tmp_path / "a") == ["b/c/y.plan.json", "b/x.plan.json", "b/y.plan.json", "y.plan.json"]


def test_an_ignored_folder_asked_for_by_name_is_searched(tmp_path: Path) -> None:
    plant(tmp_path, {**dict.fromkeys(PLANS, ""), ".gitignore": "a/\n"})
    git(tmp_path, "init", "-q")
    assert "a/x.plan.json" not in found(tmp_path)
    assert "x.plan.json" in found(tmp_path / "a")
