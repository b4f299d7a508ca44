"""The report as text, for people."""

from __future__ import annotations

from collections.abc import Iterator

from plancheck.ide.words import count
from plancheck.report.model import Report
from plancheck.report.words import REASONS, place, rereads, sentences, subject


def text_lines(report: Report) -> Iterator[str]:
    """The lines, not fit for a terminal yet: names of users may be anything, even several lines."""
    yield f"Report of {report.name}: {subject(report)}"
    yield from filter(None, (report.problem, report.verdict))
    if report.findings:
        yield from ("", count(len(report.findings), "finding").capitalize())
        for finding in report.findings:
            yield f"  {finding.severity:7}  {place(finding.range)}  {finding.rule}"
            yield f"           {finding.message}"
    if report.unchecked:
        yield from ("", f"{count(len(report.unchecked), 'place')} not checked")
        for unchecked in report.unchecked:
            yield f"  {'  '.join(filter(None, (place(unchecked.range), unchecked.rule)))}: {REASONS[unchecked.reason]}"
            yield f"           {unchecked.message}"
    if report.pre is not None:
        yield ""
        yield from (f"{name.capitalize():9}  {sentence}" for name, sentence in sentences(report.pre).items())
        again = rereads(report.pre)
        yield from (f"Re-reads   {name}: {steps}" for name, steps in again)
        if not again:
            yield "Re-reads   No step reads anything again before it is used."
