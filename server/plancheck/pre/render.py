"""The PRE report as text and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from plancheck.markdown import cell, code, escape, prose

if TYPE_CHECKING:
    from plancheck.pre.report import PreReport

MOST_GAPS = 20
"""So many gaps are written out; the others look just like them, and the report itself has all."""


def to_text(report: PreReport) -> str:
    coverage, touches = report.preflight_coverage, report.resource_touch_completeness
    lines = [
        f"PRE report ({report.adapter}): {_count(report.n_steps, 'step')}, {_count(len(report.findings), 'finding')}",
        "",
        f"Keystone   {_keystone(report)}",
        f"Coverage   {_coverage(report)}",
        f"           observed {coverage.observed}, declared {coverage.declared}, inferred {coverage.inferred}; "
        f"rho {coverage.rho:.3f}",
        f"Touches    {touches.reads_with_id} of {_count(touches.n_reads, 'read')} and {touches.writes_with_id} of "
        f"{_count(touches.n_writes, 'write')} name their resource; {touches.edges_missing_structured_resource} of "
        f"{_count(touches.n_edges, 'dependency', 'dependencies')} wait for a runtime identity",
    ]
    barriers = report.barrier_inventory.by_resource
    lines += [f"Re-reads   {name}: {_steps(idxs)}" for name, idxs in barriers.items()] or ["Re-reads   none declared"]
    lines += ["State B    withheld", f"           {report.state_b_withheld_reason}", ""]
    if report.findings:
        lines.append("Findings")
        lines += [f"  {f.severity} {f.lint} at step {f.node_idx}: {f.detail}" for f in report.findings]
    else:
        lines.append("No findings.")
    return "\n".join(lines)


def to_markdown(report: PreReport, *, level: int = 1) -> str:
    coverage, touches = report.preflight_coverage, report.resource_touch_completeness
    head, sub = "#" * max(1, level), "#" * (max(1, level) + 1)
    lines = [
        f"{head} PRE report",
        "",
        f"{_count(report.n_steps, 'step')}, {_count(len(report.findings), 'finding')} (`{report.adapter}`).",
        "",
        f"{sub} Keystone",
        "",
        prose(_keystone(report)),
        "",
        f"{sub} Findings",
        "",
        *_table(
            ("Step", "Lint", "Resource", "Detail"),
            [
                (escape(str(f.node_idx)), f"`{f.lint}`", _resource(f.resource_id), prose(f.detail))
                for f in report.findings
            ],
        ),
        "",
        f"{sub} Coverage",
        "",
        "This describes how ready the plan is to be scored at run time. It is not a risk score.",
        "",
        *_table(
            ("What", "Number"),
            [
                ("Dependencies", str(coverage.n_dep_edges)),
                ("Observed, declared, inferred", f"{coverage.observed}, {coverage.declared}, {coverage.inferred}"),
                ("Saturation (rho)", f"{coverage.rho:.3f}"),
                ("Reads that name their resource", f"{touches.reads_with_id} of {touches.n_reads}"),
                ("Writes that name their resource", f"{touches.writes_with_id} of {touches.n_writes}"),
                ("Dependencies without a runtime identity", str(touches.edges_missing_structured_resource)),
            ],
        ),
        "",
        f"Why there is no score: {coverage.no_score_reason}.",
        "",
        f"**State B: withheld.** {report.state_b_withheld_reason}",
        "",
        f"{sub} Re-reads",
        "",
        *_table(
            ("Resource", "Steps"),
            [(code(name), escape(_steps(idxs))) for name, idxs in report.barrier_inventory.by_resource.items()],
        ),
    ]
    if touches.gaps:
        lines += ["", f"{sub} Gaps", "", *(f"- {prose(gap.detail)}" for gap in touches.gaps[:MOST_GAPS])]
        if len(touches.gaps) > MOST_GAPS:
            lines.append(f"- … and {len(touches.gaps) - MOST_GAPS} more")
    lines += ["", f"{sub} Notes", "", *(f"- {note}" for note in report.notes), ""]
    return "\n".join(lines)


def _keystone(report: PreReport) -> str:
    if report.keystone_idx is None:
        return "none: no step follows another"
    others = report.n_steps - 1
    return f"step {report.keystone_idx}: {report.keystone_followers} of {others} other steps follow it"


def _coverage(report: PreReport) -> str:
    coverage = report.preflight_coverage
    return f"{_count(coverage.n_dep_edges, 'dependency', 'dependencies')}; {coverage.no_score_reason}"


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _steps(idxs: Sequence[object]) -> str:
    return f"{'step' if len(idxs) == 1 else 'steps'} {', '.join(map(str, idxs))}"


def _resource(name: str | None) -> str:
    return "" if name is None else code(name)


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    if not rows:
        return ["None."]
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    return lines + [f"| {' | '.join(map(cell, row))} |" for row in rows]
