"""The configuration: what it says, and what is said about mistakes in it, exactly where they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancheck.analysis.finding import Severity
from plancheck.workspace.config import Config, has_section, parse_config


def problems(text: str, is_pyproject: bool = False) -> list[tuple[str, str]]:
    """What is complained about, and the text it is said at."""
    return [(text[p.start : p.end], p.message) for p in parse_config(text, is_pyproject)[1]]


GOOD = """
include = ["plans/**/*.json"]
exclude = ["plans/old"]
policy = ["policy.yaml"]
max-findings = 7
max-file-size = 1000

[rules]
unknown_key = "off"
write_with_no_prior_read = "error"

[[overrides]]
files = ["plans/legacy/**"]
rules = { write_with_no_prior_read = "hint" }

[[overrides]]
files = ["*.draft.json"]
[overrides.rules]
write_with_no_prior_read = "off"
unknown_key = "info"
"""


def test_a_good_file_says_what_it_says() -> None:
    config, found = parse_config(GOOD)
    assert found == []
    assert config.include == ("plans/**/*.json",)
    assert config.policy == ("policy.yaml",)
    settings = config.settings_for("plans/a.json")
    assert (settings.max_findings, settings.max_file_size) == (7, 1000)
    assert settings.severity("unknown_key") is None
    assert settings.severity("write_with_no_prior_read") is Severity.ERROR
    assert settings.severity("scope_vs_snapshot") is Severity.WARNING


def test_later_overrides_win() -> None:
    config, _ = parse_config(GOOD)
    assert config.settings_for("plans/legacy/a.json").severity("write_with_no_prior_read") is Severity.HINT
    both = config.settings_for("plans/legacy/deep/a.draft.json")
    assert both.severity("write_with_no_prior_read") is None
    assert both.severity("unknown_key") is Severity.INFO


def test_which_files_are_plans() -> None:
    config, _ = parse_config(GOOD)
    names = ["plans/a.json", "plans/x/y/a.json", "plans/old/a.json", "a.json", "plans/a.yaml"]
    assert [name for name in names if config.is_plan(name)] == ["plans/a.json", "plans/x/y/a.json"]
    assert [n for n in ("a.plan.json", "x/y/a.plan.json", "a.json", "a.plan.json5") if Config().is_plan(n)] == [
        "a.plan.json",
        "x/y/a.plan.json",
    ]


def test_pyproject_holds_it_under_tool_plancheck() -> None:
    text = '[project]\nname = "x"\n[tool.plancheck]\nmax-findings = 3\ninclud = []\n'
    config, _ = parse_config(text, is_pyproject=True)
    assert config.max_findings == 3
    assert problems(text, True) == [("includ", "`includ` is no setting of plancheck: did you mean `include`?")]
    assert parse_config('[tool.other]\nx = 1\nrules = "y"\n', is_pyproject=True) == (Config(), [])


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("Include = []", "Include", "`Include` is no setting of plancheck: did you mean `include`?"),
        (
            "colour = 1",
            "colour",
            "`colour` is no setting of plancheck: there are `include`, `exclude`, `rules`, `overrides`, `policy`, "
            "`max-findings`, `max-file-size` and `dialect`.",
        ),
        ('include = "x"', '"x"', "`include` must be a list of globs, not a string."),
        ('include = ["a", 1]', "1", "Each entry of `include` must be a glob, not a number."),
        ('exclude = ["/abs"]', '"/abs"', "The glob `/abs` must be relative to the folder of this file."),
        ('exclude = ["../x"]', '"../x"', "The glob `../x` must not lead out of the folder of this file."),
        ('exclude = [""]', '""', "The glob `` is empty."),
        ('exclude = ["{a{b}"]', '"{a{b}"', "The glob `{a{b}` cannot be understood."),
        ('policy = [" "]', '" "', "An entry of `policy` is empty: name a file."),
        ("max-findings = 0", "0", "`max-findings` must be a whole number above zero, not 0."),
        ("max-findings = true", "true", "`max-findings` must be a whole number above zero, not true."),
        ('max-file-size = "1 MB"', '"1 MB"', "`max-file-size` must be a whole number above zero, not a string."),
        ('dialect = "nodes"', '"nodes"', '`dialect` must be "declared", "steps" or "calls", not `nodes`.'),
        ("dialect = 1", "1", '`dialect` must be "declared", "steps" or "calls", not a number.'),
        ("rules = []", "[]", "`rules` must be a table of rule names and severities, not a list."),
        (
            '[rules]\nunknown_kye = "off"',
            "unknown_kye",
            "There is no rule `unknown_kye`: did you mean `unknown_key`?",
        ),
        ('[rules]\n"x y" = "off"', '"x y"', "There is no rule `x y`: `plancheck rules` lists them."),
        (
            '[rules]\nunknown_key = "warn"',
            '"warn"',
            '`warn` is no severity: write "error", "warning", "info", "hint" or "off".',
        ),
        (
            "rules.unknown_key = false",
            "false",
            'The severity of `unknown_key` must be "error", "warning", "info", "hint" or "off", not false.',
        ),
        ("overrides = 1", "1", "`overrides` must be a list of tables (`[[overrides]]`), not a number."),
        ("overrides = [3]", "3", "Each entry of `overrides` must be a table, not a number."),
        (
            '[[overrides]]\nfile = ["x"]\nfiles = ["x"]\nrules = {}',
            "file",
            "`file` is no key of an override: did you mean `files`?",
        ),
        (
            "[[overrides]]\nrules = {}\n",
            "[[overrides]]",
            "This override has no `files`: name the files that it is about.",
        ),
        ('[[overrides]]\nfiles = ["x"]\n', "[[overrides]]", "This override has no `rules`: say what changes for them."),
    ],
)
def test_one_mistake_is_reported_at_its_place_and_the_rest_applies(text: str, at: str, message: str) -> None:
    assert problems(text) == [(at, message)]
    text = f"max-findings = 9\n{text}" if "max-findings" not in text else f'exclude = ["q"]\n{text}'
    config, found = parse_config(text)
    assert [text[p.start : p.end] for p in found] == [at]
    assert config.max_findings == 9 or config.exclude == ("q",)


@pytest.mark.parametrize(
    ("text", "line", "kept"),
    [
        ("max-findings = 9\ninclude = nope\nmax-file-size = 5\n", 2, {"max_findings": 9, "max_file_size": 5}),
        ("max-findings = 9\ninclude = [\n", 2, {"max_findings": 9}),
        ("max-findings = 9\nmax-findings = 8\n", 2, {"max_findings": 9}),
        ('max-findings = 9\n[rules\nunknown_key = "off"\n', 2, {"max_findings": 9, "rules": {}}),
        ('max-findings = 9\n[rules\nx = 1\n[[overrides]]\nfiles=["a"]\nrules={}\n', 2, {"max_findings": 9}),
        ("max-findings = 9\r\n= 4\r\nmax-file-size = 5\r\n", 2, {"max_findings": 9, "max_file_size": 5}),
        ('exclude = ["""x"]\nmax-findings = 9\n', 1, {}),
    ],
)
def test_a_syntax_error_costs_its_lines_only(text: str, line: int, kept: dict[str, object]) -> None:
    config, found = parse_config(text)
    assert [text.count("\n", 0, problem.start) + 1 for problem in found][:1] == [line]
    assert found[0].message.startswith("This is not TOML: ")
    assert {name: getattr(config, name) for name in kept} == kept


def test_a_hopeless_file_leaves_the_defaults() -> None:
    config, found = parse_config("x = " + "[" * 100_000)
    assert config == Config()
    assert "not TOML" in found[0].message
    config, found = parse_config("=\n" * 100)
    assert config == Config()
    assert len(found) == 30


@given(st.text() | st.lists(st.sampled_from([*GOOD.split(), "\n", "=", "[", "]", '"', "'''"])).map(" ".join))
def test_reading_never_fails_and_places_lie_inside(text: str) -> None:
    for is_pyproject in (False, True):
        config, found = parse_config(text, is_pyproject)
        config.settings_for("a.plan.json")
        assert all(0 <= problem.start <= problem.end <= len(text) for problem in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[tool.plancheck]", True),
        ("[tool.plancheck.rules]", True),
        ("[[ tool . plancheck . overrides ]]", True),
        ('["tool"."plancheck"]', True),
        ("tool.plancheck.max-findings = 3", True),
        ("[tool.plancheck\nbroken", True),
        ('[tool.poetry.dependencies]\nplancheck = "*"', False),
        ("# [tool.plancheck]", False),
    ],
)
def test_which_pyproject_configures_plancheck(text: str, expected: bool) -> None:
    assert has_section(text) is expected


def test_the_dialect_is_set_for_all_plans_or_for_some() -> None:
    config, problems = parse_config(
        """
        dialect = "steps"
        [[overrides]]
        files = ["calls/**"]
        dialect = "calls"
        [[overrides]]
        files = ["calls/**"]
        rules = { empty_plan = "off" }
        """
    )
    assert problems == []
    assert config.settings_for("a.plan.json").dialect == "steps"
    assert config.settings_for("calls/a.plan.json").dialect == "calls"
    assert config.settings_for("calls/a.plan.json").severities == {"empty_plan": None}
    assert Config().settings_for("a.plan.json").dialect is None
