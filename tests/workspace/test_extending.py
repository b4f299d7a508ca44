"""`extend`: what another configuration file says holds where this one says nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plancheck.analysis.finding import Severity
from plancheck.workspace.catalogues import Catalogues
from plancheck.workspace.extending import MOST_EXTENDED
from plancheck.workspace.files import Configurations, Loaded, ReadError
from plancheck.workspace.policies import Policies
from workspace.folders import plant


def above(folder: Path) -> Loaded:
    return Configurations().above(str(folder))


def problems(configurations: Configurations, root: Path) -> list[tuple[str, str, str]]:
    """Each mistake as its file, the token that it points at, and the message."""
    return [
        (os.path.relpath(loaded.path or "", root), loaded.text[p.start : p.end], p.message)
        for loaded in configurations.loaded
        for p in loaded.problems
    ]


def test_what_is_not_said_is_taken_from_the_other_file(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "plancheck.toml": 'profile = "strict"\nmax-findings = 7\nfail-on = "warning"\ninline-ignores = "none"\n',
            "a/plancheck.toml": 'extend = "../plancheck.toml"\nmax-findings = 9\n',
        },
    )
    loaded = above(tmp_path / "a")
    settings = loaded.settings_for(str(tmp_path / "a/x.plan.json"))
    found = (settings.profile.value, settings.max_findings, loaded.fail_on, settings.inline_ignores.value)
    assert found == ("strict", 9, "warning", "none")
    assert loaded.problems == ()


def test_tables_are_merged_by_key_and_lists_are_replaced(tmp_path: Path) -> None:
    base = """\
exclude = ["old"]
[rules]
redundant_edge = "error"
scope_vs_snapshot = "off"
parallel_write_race = {severity = "error", related = 3}
[[overrides]]
files = ["**/*"]
rules = {redundant_edge = "hint"}
"""
    own = """\
extend = "../base.toml"
exclude = ["new"]
overrides = []
[rules]
scope_vs_snapshot = "info"
parallel_write_race = {related = 5}
"""
    plant(tmp_path, {"base.toml": base, "a/plancheck.toml": own})
    loaded = above(tmp_path / "a")
    settings = loaded.settings_for(str(tmp_path / "a/x.plan.json"))
    assert settings.severities == {
        "redundant_edge": Severity.ERROR,
        "scope_vs_snapshot": Severity.INFO,
        "parallel_write_race": Severity.ERROR,
    }
    assert settings.options == {"parallel_write_race.related": 5}
    assert loaded.is_excluded(str(tmp_path / "a/new/x"))
    assert not loaded.is_excluded(str(tmp_path / "a/old/x"))


def test_globs_of_the_other_file_are_relative_to_that_file(tmp_path: Path) -> None:
    base = """\
include = ["a/plans/*.json", "**/*.p.json"]
exclude = ["a/plans/old", "tmp"]
[[overrides]]
files = ["a/plans/x.json"]
rules = {redundant_edge = "hint"}
"""
    plant(tmp_path, {"plancheck.toml": base, "a/plancheck.toml": 'extend = "../plancheck.toml"\n'})
    loaded = above(tmp_path / "a")

    def plans(*names: str) -> list[str]:
        return [name for name in names if loaded.is_plan(str(tmp_path / "a" / name))]

    names = ("plans/x.json", "plans/old/y.p.json", "x.json", "b/z.p.json", "b/tmp/z.p.json")
    assert plans(*names) == ["plans/x.json", "b/z.p.json"]
    assert loaded.settings_for(str(tmp_path / "a/plans/x.json")).severities == {"redundant_edge": Severity.HINT}
    assert loaded.settings_for(str(tmp_path / "a/x.json")).severities == {}


def test_globs_of_a_file_elsewhere_count_where_they_are_for_any_folder(tmp_path: Path) -> None:
    base = 'include = ["plans/*.json", "**/*.p.json"]\nexclude = ["tmp"]\n'
    plant(tmp_path, {"shared/base.toml": base, "a/plancheck.toml": 'extend = "../shared/base.toml"\n'})
    loaded = above(tmp_path / "a")
    found = [loaded.is_plan(str(tmp_path / "a" / name)) for name in ("x.p.json", "plans/x.json", "tmp/x.p.json")]
    assert found == [True, False, False]


def test_a_glob_keeps_its_folder_through_several_files(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "plancheck.toml": 'exclude = ["a/b/c/old"]\n',
            "a/plancheck.toml": 'extend = "../plancheck.toml"\ninclude = ["b/c/*.json"]\n',
            "a/b/c/pyproject.toml": '[tool.plancheck]\nextend = "../../plancheck.toml"\n',
        },
    )
    loaded = above(tmp_path / "a/b/c")
    found = [loaded.is_plan(str(tmp_path / "a/b/c" / name)) for name in ("x.json", "old/x.json", "y/x.json")]
    assert found == [True, False, False]


def test_policies_and_catalogues_of_the_other_file_lie_where_it_says(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "shared/base.toml": 'policy = ["rules/p.yaml"]\ntools = ["t/*.json", "one.json", "missing/*.json"]\n',
            "shared/rules/p.yaml": "allow_tools: [look]\n",
            "shared/t/many.json": "[]",
            "shared/one.json": "[]",
            "a/plancheck.toml": 'extend = "../shared/base.toml"\n',
        },
    )
    configurations = Configurations()
    plan = str(tmp_path / "a/x.plan.json")
    assert Policies(configurations).paths_for(plan) == (str(tmp_path / "shared/rules/p.yaml"),)
    catalogues = Catalogues(configurations)
    catalogue = catalogues.for_plan(plan)
    assert catalogue is not None
    assert [file.path for file in catalogue.files] == [
        str(tmp_path / "shared/t/many.json"),
        str(tmp_path / "shared/one.json"),
    ]
    assert catalogues.names(str(tmp_path / "shared/t/other.json"))
    unfitting = [
        (loaded.path, loaded.text[p.start : p.end])
        for loaded in configurations.loaded
        for p in catalogues.configuration_problems(loaded)
    ]
    assert unfitting == [(str(tmp_path / "shared/base.toml"), '"missing/*.json"')]


def test_a_mistake_in_the_other_file_is_reported_in_it_and_the_rest_applies(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "plancheck.toml": 'max-findings = 7\nprofil = "strict"\n',
            "a/plancheck.toml": 'extend = "../plancheck.toml"\n',
            "b/plancheck.toml": 'extend = "../plancheck.toml"\n',
        },
    )
    configurations = Configurations()
    loaded = [configurations.above(str(tmp_path / name)) for name in ("a", "b", "")]
    assert [each.settings_for(str(tmp_path / "x")).max_findings for each in loaded] == [7, 7, 7]
    message = "`profil` is not a setting of plancheck: did you mean `profile`?"
    assert problems(configurations, tmp_path) == [("plancheck.toml", "profil", message)]


SELF = "`extend` cannot be followed: it leads back to this file."
CIRCLE = "`extend` cannot be followed: it leads in a circle."


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"plancheck.toml": 'extend = "plancheck.toml"\nmax-findings = 3\n'},
         [("plancheck.toml", '"plancheck.toml"', SELF)]),
        ({"plancheck.toml": 'max-findings = 3\nextend = "b.toml"\n', "b.toml": 'extend = "./plancheck.toml"\n'},
         [("b.toml", '"./plancheck.toml"', CIRCLE)]),
        ({"plancheck.toml": 'max-findings = 3\nextend = "nope.toml"\n'},
         [("plancheck.toml", '"nope.toml"', "`extend` cannot be followed: there is no such file or folder.")]),
        ({"plancheck.toml": 'max-findings = 3\nextend = "sub"\n', "sub/x": ""},
         [("plancheck.toml", '"sub"', "`extend` cannot be followed: this is a folder, not a file.")]),
        ({"plancheck.toml": 'max-findings = 3\nextend = "a\\u0000b"\n'},
         [("plancheck.toml", '"a\\u0000b"', "`extend` cannot be followed: no file can have this name.")]),
        ({"plancheck.toml": f'max-findings = 3\nextend = "{"x" * 5000}"\n'},
         [("plancheck.toml", f'"{"x" * 5000}"',
           "`extend` cannot be followed: it cannot be read: File name too long.")]),
        ({"plancheck.toml": 'max-findings = 3\nextend = ["a.toml"]\n'},
         [("plancheck.toml", '["a.toml"]', "`extend` must be the path of a configuration file, not a list.")]),
        ({"plancheck.toml": 'max-findings = 3\nextend = " "\n'},
         [("plancheck.toml", '" "', "`extend` must be the path of a configuration file, not an empty string.")]),
        ({"plancheck.toml": 'max-findings = 3\nextend = "x/pyproject.toml"\n', "x/pyproject.toml": "[project]\n"},
         [("plancheck.toml", '"x/pyproject.toml"',
           "`extend` cannot be followed: that pyproject.toml has no `[tool.plancheck]`.")]),
    ],
    ids=["itself", "circle", "missing", "folder", "nul", "long", "list", "empty", "no section"],
)  # fmt: skip
def test_what_cannot_be_followed_is_a_problem_at_its_place(
    tmp_path: Path, files: dict[str, str], expected: list[tuple[str, str, str]]
) -> None:
    plant(tmp_path, files)
    configurations = Configurations()
    assert configurations.above(str(tmp_path)).settings_for(str(tmp_path / "x")).max_findings == 3
    assert problems(configurations, tmp_path) == expected


@pytest.mark.parametrize("kind", ["pipe", "nowhere", "circle"])
def test_what_is_no_file_is_not_waited_for(tmp_path: Path, kind: str) -> None:
    plant(tmp_path, {"plancheck.toml": 'extend = "base.toml"\n'})
    base = tmp_path / "base.toml"
    if kind == "pipe":
        os.mkfifo(base)
    else:
        base.symlink_to(base if kind == "circle" else tmp_path / "nowhere")
    wrong = {
        "pipe": "this is a pipe, not a file.",
        "nowhere": "there is no such file or folder.",
        "circle": "this symbolic link leads back to itself.",
    }
    configurations = Configurations()
    configurations.above(str(tmp_path))
    message = f"`extend` cannot be followed: {wrong[kind]}"
    assert problems(configurations, tmp_path) == [("plancheck.toml", '"base.toml"', message)]


def test_a_circle_through_a_link_is_one(tmp_path: Path) -> None:
    plant(tmp_path, {"plancheck.toml": 'extend = "link.toml"\n'})
    (tmp_path / "link.toml").symlink_to(tmp_path / "plancheck.toml")
    configurations = Configurations()
    configurations.above(str(tmp_path))
    assert problems(configurations, tmp_path) == [("plancheck.toml", '"link.toml"', SELF)]


def test_so_many_files_may_lead_to_one_another_and_no_more(tmp_path: Path) -> None:
    last = MOST_EXTENDED
    files = {f"{number}.toml": f'extend = "{number + 1}.toml"\n' for number in range(1, last + 1)}
    plant(tmp_path, {**files, "plancheck.toml": 'extend = "1.toml"\n', f"{last}.toml": "max-findings = 3\n"})
    configurations = Configurations()
    assert configurations.above(str(tmp_path)).settings_for(str(tmp_path / "x")).max_findings == 3
    assert problems(configurations, tmp_path) == []
    plant(tmp_path, {f"{last}.toml": f'extend = "{last + 1}.toml"\n', f"{last + 1}.toml": "max-findings = 3\n"})
    configurations = Configurations()
    assert configurations.above(str(tmp_path)).settings_for(str(tmp_path / "x")).max_findings == 200
    ((file, _, message),) = problems(configurations, tmp_path)
    assert file == f"{last}.toml"
    assert message == "`extend` cannot be followed: at most 10 files can be extended one by way of the other."


def test_a_file_that_is_put_everywhere_extends_what_lies_beside_it(tmp_path: Path) -> None:
    plant(tmp_path, {"conf/mine.toml": 'extend = "base.toml"\n', "conf/base.toml": "max-findings = 3\n", "a/x": ""})
    configurations = Configurations()
    assert configurations.put_everywhere(str(tmp_path / "conf/mine.toml"), str(tmp_path)) is None
    assert configurations.above(str(tmp_path / "a")).settings_for(str(tmp_path / "a/x")).max_findings == 3
    missing = configurations.put_everywhere(str(tmp_path / "no.toml"), str(tmp_path))
    assert isinstance(missing, ReadError)


def test_several_folders_read_the_file_that_they_extend_once(tmp_path: Path) -> None:
    plant(tmp_path, {"base.toml": "max-findings = 3\n"})
    plant(tmp_path, {f"{number}/plancheck.toml": 'extend = "../base.toml"\n' for number in range(2)})
    configurations = Configurations()
    first = configurations.above(str(tmp_path / "0"))
    (tmp_path / "base.toml").write_text("max-findings = 4\n")
    second = configurations.above(str(tmp_path / "1"))
    assert [each.settings_for(str(tmp_path / "x")).max_findings for each in (first, second)] == [3, 3]
