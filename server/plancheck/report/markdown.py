"""The report as Markdown, for a document or a comment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plancheck.markdown import cell, code, escape, escape_line, prose
from plancheck.report.model import Report
from plancheck.report.words import REASONS, place, rereads, sentences, subject


def to_markdown(report: Report) -> str:
    return "\n".join(_lines(report))


def _lines(report: Report) -> Iterator[str]:
    yield from (f"# Report of {escape_line(report.name)}", "", f"{subject(report)}.".capitalize(), "")
    yield "\n\n".join(f"**{line}**" for line in (report.problem, report.verdict) if line)
    if report.findings:
        rows = [(f.severity, place(f.range), f"`{f.rule}`", prose(f.message)) for f in report.findings]
        yield from ("", "## Findings", "", *_table(("Severity", "Place", "Rule", "Finding"), rows))
    if report.unchecked:
        places = [(place(p.range), f"`{p.rule}`", REASONS[p.reason], prose(p.message)) for p in report.unchecked]
        yield from ("", "## Not checked", "", *_table(("Place", "Rule", "Reason", "What to do"), places))
    if report.pre is not None:
        for name, sentence in sentences(report.pre).items():
            yield from ("", f"## {name.capitalize()}", "", prose(sentence))
        again = [(code(name), escape(steps)) for name, steps in rereads(report.pre)]
        yield from ("", "## Read again before use", "", *_table(("Resource", "Steps"), again))


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    if not rows:
        return ["None."]
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    return lines + [f"| {' | '.join(map(cell, row))} |" for row in rows]
