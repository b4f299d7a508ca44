"""The formats of `check`: each is what it should be, and all say the same as the API."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.command import CLEAN, EXAMPLES, FAULTY, ROOT, plancheck, plant
from plancheck import __version__, check_text
from plancheck.analysis.settings import Settings
from plancheck.checked import CheckedFinding
from plancheck.cli.check import FILES_WITH_FIXES
from plancheck.cli.excerpt import excerpt
from plancheck.cli.formats.markdown import markdown
from plancheck.cli.formats.table import FORMATS
from plancheck.workspace.catalogues import Catalogues
from plancheck.workspace.files import Configurations
from plancheck.workspace.policies import Policies

PLANS = sorted(plan for kind in ("plan", "trace") for plan in EXAMPLES.rglob(f"*.{kind}.json"))
LINE = re.compile(r"^(.+?):(\d+):(\d+): (\w+)\[(\w+)\] (.*)$")
COMMAND = re.compile(r"^::(\w+) file=(.*?),line=(\d+),col=(\d+),endLine=(\d+),endColumn=(\d+),title=(.*?)::(.*)$")


def by_api() -> dict[str, tuple[CheckedFinding, ...]]:
    configurations = Configurations()
    policies, catalogues = Policies(configurations), Catalogues(configurations)

    def settings(plan: str) -> Settings:
        return catalogues.over(policies.over(Settings(), plan), plan)

    return {
        plan.relative_to(ROOT).as_posix(): check_text(
            plan.read_text(encoding="utf-8-sig"), settings=settings(str(plan))
        ).findings
        for plan in PLANS
    }


def test_json_is_the_api_in_json() -> None:
    ran = plancheck("check", "--format", "json", "examples")
    files = {file["path"]: file["findings"] for file in ran.json["files"]}
    assert files == {path: [finding.to_dict() for finding in found] for path, found in by_api().items()}
    assert sum(map(len, files.values())) > 20


def test_text_says_the_same_as_the_api() -> None:
    found = (LINE.match(line) for line in plancheck("check", "examples").out.splitlines())
    said = [match.groups() for match in found if match and not match[6].startswith("not checked: ")]
    expected = [
        (path, str(f.range.start.line + 1), str(f.range.start.character + 1), f.severity, f.rule, f.message)
        for path, found in by_api().items()
        for f in found
    ]
    assert said == expected


def about_findings(lines: list[str]) -> Iterator[str]:
    """The lines of the text format that are about findings, and not about what could not be checked."""
    is_finding = True
    for line in lines:
        match = LINE.match(line)
        is_finding = is_finding if match is None else not match[6].startswith("not checked: ")
        if is_finding:
            yield line


def test_text_puts_the_caret_under_the_token() -> None:
    lines = [*about_findings(plancheck("check", "examples").out.splitlines())]
    texts = {plan.relative_to(ROOT).as_posix(): plan.read_text() for plan in PLANS}
    tokens = [texts[path][f.start : f.end] for path, found in by_api().items() for f in found]
    carets = [number for number, line in enumerate(lines) if line.rstrip().endswith("^")]
    under = [lines[n - 1][lines[n].index("^") : lines[n].rindex("^") + 1] for n in carets]
    assert under == tokens


def test_github_says_the_same_as_the_api() -> None:
    out = plancheck("check", "--format", "github", "examples").out
    lines = [line for line in out.splitlines() if "::not checked: " not in line]
    said = []
    for line in lines:
        match = COMMAND.match(line)
        assert match is not None, line
        said.append(match.groups())
    levels = {"error": "error", "warning": "warning", "info": "notice", "hint": "notice"}
    expected = []
    for path, found in by_api().items():
        for f in found:
            ends = (f.range.start, f.range.end)
            place = tuple(str(number + 1) for end in ends for number in (end.line, end.character))
            title = f"plancheck {f.severity}[{f.rule}]"
            message = f.message.replace("%", "%25")
            expected.append((levels[f.severity], path, *place, title, message))
    assert said == expected


def test_markdown_has_a_row_for_each_finding_of_the_api() -> None:
    out = plancheck("check", "--format", "markdown", "examples").out
    rows = [line for line in out.splitlines() if re.match(r"\| \d", line) and "| not checked: " not in line]
    expected = []
    for found in by_api().values():
        for f in found:
            place = f"{f.range.start.line + 1}:{f.range.start.character + 1}"
            expected.append(f"| {place} | {f.severity} | `{f.rule}` | {markdown(f.message)} |")
    assert rows == expected
    assert out.count("\n## ") + out.startswith("## ") == sum(bool(found) for found in by_api().values())


def test_the_shape_of_the_json(tmp_path: Path) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY})
    document = plancheck("check", "--format", "json", "a.plan.json", cwd=tmp_path).json
    report = document["files"][0].pop("report")
    rules = {"write_with_no_prior_read": 1}
    assert document == {
        "format_version": 1,
        "version": __version__,
        "files": [
            {
                "path": "a.plan.json",
                "dialect": "declared",
                "findings": [
                    {
                        "rule": "write_with_no_prior_read",
                        "severity": "warning",
                        "message": "Step 0 changes `ledger`, which no step has read before: read it first, or mark it "
                        "as created.",
                        "step": 0,
                        "resource": "ledger",
                        "pointer": "/nodes/0/writes/0",
                        "range": {"start": {"line": 1, "character": 83}, "end": {"line": 1, "character": 91}},
                        "related": [],
                        "tags": [],
                        "fingerprint": "1891aea8f10b0f1207de0ff81d4aa377",
                        "fixes": document["files"][0]["findings"][0]["fixes"],
                    }
                ],
                "unchecked": [],
            }
        ],
        "summary": {"files": 1, "error": 0, "warning": 1, "info": 0, "hint": 0, "unchecked": 0, "rules": rules},
    }
    whole = plancheck("report", "--format", "json", "a.plan.json", cwd=tmp_path).json
    assert whole.pop("document")["verdict"] == "1 warning."
    assert report == whole
    assert report["n_steps"] == 1


def test_an_invalid_plan_has_no_report_even_if_its_rules_are_off(tmp_path: Path) -> None:
    two = CLEAN.replace('"reads"', '"control_preds": [7], "reads"')
    plant(tmp_path, {"a.plan.json": two, "plancheck.toml": '[rules]\nunknown_step = "off"\n'})
    (file,) = plancheck("check", "--format", "json", "a.plan.json", cwd=tmp_path).json["files"]
    assert (file["findings"], file["report"], file["dialect"]) == ([], None, "declared")


def one_finding(tmp_path: Path, resource: str, *args: str, **env: str) -> str:
    """The output for a plan whose one finding names a resource."""
    step = {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["o"], "writes": [resource]}
    plant(tmp_path, {"a,b:%.plan.json": json.dumps({"nodes": [step]}, ensure_ascii=False)})
    return plancheck("check", *args, "a,b:%.plan.json", cwd=tmp_path, env=env).out


def test_github_escapes(tmp_path: Path) -> None:
    out = one_finding(tmp_path, "50%\\n::error::x", "--format", "github")
    assert out.count("\n") == 1
    assert "file=a%2Cb%3A%25.plan.json," in out
    assert "`50%25\\n::error::x`" in out
    assert "%0A" in one_finding(tmp_path, "a\nb", "--format", "github")
    assert "`\\x1b]0;x\\x07`" in one_finding(tmp_path, "\x1b]0;x\x07", "--format", "github")


def test_names_cannot_take_over_the_terminal(tmp_path: Path) -> None:
    out = one_finding(tmp_path, "\x1b[31mred\u202e\n")
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", out)
    assert "`\\x1b[31mred\\u202e\\x0a`" in out


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ascii"])
@pytest.mark.parametrize("format_name", FORMATS)
def test_lone_surrogates_and_other_encodings(tmp_path: Path, format_name: str, encoding: str) -> None:
    plant(tmp_path, {"a.plan.json": FAULTY.replace("ledger", "\\ud800é🙂")})
    ran = plancheck("check", "--format", format_name, "a.plan.json", cwd=tmp_path, env={"PYTHONIOENCODING": encoding})
    assert (ran.code, ran.err) == (1, "")
    assert "\\ud800" in ran.out


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", "a\\|b"),
        ("`a|b` <i>", "`a\\|b` \\<i\\>"),
        ("lone ` tick", "lone \\` tick"),
        ("`<b>` and *x*", "`<b>` and \\*x\\*"),
        ("two\nlines", "two\\\\x0alines"),
    ],
)
def test_markdown_escapes(text: str, shown: str) -> None:
    assert markdown(text) == shown


def test_colour(tmp_path: Path) -> None:
    assert "\x1b[" not in one_finding(tmp_path, "x")
    assert "\x1b[33;1mwarning[write_with_no_prior_read]\x1b[0m" in one_finding(tmp_path, "x", "--color", "always")
    assert "\x1b[" in one_finding(tmp_path, "x", FORCE_COLOR="1")
    assert "\x1b[" not in one_finding(tmp_path, "x", FORCE_COLOR="1", NO_COLOR="1")
    assert "\x1b[" not in one_finding(tmp_path, "x", "--color", "never", FORCE_COLOR="1")


def test_quiet_is_one_line_for_each_finding(tmp_path: Path) -> None:
    assert one_finding(tmp_path, "x", "-q").count("\n") == 1
    assert one_finding(tmp_path, "x").count("\n") == 5


def test_fixes_are_tried_for_the_first_files_and_counted_for_the_others(tmp_path: Path) -> None:
    text = FAULTY.replace('"idx": 0', '"idx": "0"')
    plant(tmp_path, {f"{number:02}.plan.json": text for number in range(FILES_WITH_FIXES + 2)})
    ran = plancheck("check", ".", cwd=tmp_path)
    assert ran.out.count("= fix: Write `0`\n") == FILES_WITH_FIXES
    assert ran.out.endswith("\nUp to 2 findings more can be fixed with --fix; --diff shows how.\n")
    assert plancheck("check", "00.plan.json", cwd=tmp_path).out.endswith("\n1 file checked: 1 error, 1 warning.\n")
    document = plancheck("check", "--format", "json", ".", cwd=tmp_path).json
    fixes = [finding["fixes"][0]["title"] for file in document["files"] for finding in file["findings"][:1]]
    assert fixes == ["Write `0`"] * (FILES_WITH_FIXES + 2)


def test_a_run_without_files_is_still_an_object(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    document = plancheck("check", "--format", "json", "empty", cwd=tmp_path).json
    assert [file["path"] for file in document["files"]] == ["empty"]
    assert (document["summary"]["files"], document["summary"]["unchecked"]) == (0, 1)


def drawn(line: str, token: str, columns: int = 60) -> list[str]:
    text = f"first\n{line}\nlast"
    start = text.index(token)
    shown = excerpt(text, start, start + len(token), columns)
    return [shown.line, " " * shown.indent + "^" * shown.width]


def test_tabs_and_wide_characters_are_aligned() -> None:
    assert drawn('\t"x": 1', '"x"') == ['    "x": 1', "    ^^^"]
    assert drawn('"日本": "x"', '"x"') == ['"日本": "x"', "        ^^^"]
    assert drawn('"🙂é": "e\u0301x"', '"e\u0301x"') == ['"🙂é": "e\u0301x"', "       ^^^^"]
    assert drawn("a\x01b", "b") == ["a\u2401b", "  ^"]


@pytest.mark.parametrize("line_end", ["\n", "\r", "\r\n"])
def test_a_line_ends_where_an_editor_ends_it(line_end: str) -> None:
    text = line_end.join(["first", "a TOKEN b", "", "last"])
    start = text.index("TOKEN")
    assert excerpt(text, start, start + 5, 60) == ("a TOKEN b", 2, 5)
    assert excerpt(text, start, len(text), 60) == ("a TOKEN b", 2, 7)
    empty = text.index(" b") + 2 + len(line_end)
    assert excerpt(text, empty, empty + 1, 60) == ("", 0, 1)
    assert excerpt(text, len(text), len(text), 60) == ("last", 4, 1)


def test_long_lines_are_cut_around_the_token() -> None:
    line = "a" * 500 + "TOKEN" + "b" * 500
    shown, caret = drawn(line, "TOKEN")
    assert len(shown) == 60
    assert shown[0] == shown[-1] == "…"
    assert shown[caret.index("^") : len(caret)] == "TOKEN"
    shown, caret = drawn("x" * 30 + "T" * 500, "T" * 500)
    assert len(shown) == 60
    assert len(caret) <= 60
    shown, caret = drawn("x" * 500 + "END", "END")
    assert (shown[0], shown[-4:], len(shown)) == ("…", "xEND", 60)
    assert caret.endswith("^^^")
    assert len(caret) == 60


def test_a_token_at_the_end_of_the_text_still_has_a_caret() -> None:
    shown = excerpt("", 0, 0, 60)
    assert (shown.line, shown.indent, shown.width) == ("", 0, 1)


def test_a_huge_line_costs_no_more_than_its_part() -> None:
    text = "🙂" * 3_000_000
    shown: Any = excerpt(text, 2_000_000, 2_000_001, 80)
    assert shown.width == 2
    assert len(shown.line) < 80
