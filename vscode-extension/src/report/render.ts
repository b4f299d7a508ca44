/** The report of a plan as HTML. Everything in it that comes from the plan is escaped. */

/** A place in the text, as the protocol has it. */
export interface Place {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

interface Finding {
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
  readonly range: Place;
}

interface Unchecked {
  readonly rule: string;
  /** Why, in words. */
  readonly why: string;
  readonly message: string;
  readonly range: Place;
}

/** What is known of the plan as a whole, if it can be read as one. */
interface PlanFacts {
  readonly execution_reach_by_idx: Readonly<Record<string, number>>;
  readonly barrier_inventory: { readonly by_resource: Readonly<Record<string, readonly (number | string)[]>> };
}

/** The report as `plancheck report --format json` prints it. */
export type Report = Partial<PlanFacts> & {
  readonly document: {
    readonly dialect: string | null;
    readonly steps: number;
    readonly problem: string;
    readonly verdict: string;
    readonly pending: boolean;
    readonly findings: readonly Finding[];
    readonly unchecked: readonly Unchecked[];
    readonly keystone?: string;
    readonly coverage?: string;
    readonly score?: string;
  };
};

/** Longer lists of the steps that reach furthest would say nothing more. */
const MOST_REACHES = 8;
/** Nobody reads on, and the page is made anew at every pause in the typing. */
const MOST_FINDINGS = 500;

export function renderReport(report: Report, title: string): string {
  const { problem, verdict, findings, unchecked, keystone, coverage, score } = report.document;
  return [
    `<h1>${escape(title)}</h1>`,
    problem === "" ? "" : `<p class="problem" role="alert">${prose(problem)}</p>`,
    verdict === "" ? "" : `<p class="verdict" role="status">${prose(verdict)}</p>`,
    findings.length === 0 ? "" : section(`Findings (${findings.length})`, list(findings.map(findingRow))),
    unchecked.length === 0 ? "" : section(`Not checked (${unchecked.length})`, list(unchecked.map(uncheckedRow))),
    sentence("Keystone", keystone),
    sentence("Coverage", coverage),
    sentence("Score", score),
    isWhole(report) ? section("Read again before use", barriers(report)) + section("Furthest reach", reaches(report)) : "",
  ].join("\n");
}

function isWhole(report: Report): report is Report & PlanFacts {
  return report.execution_reach_by_idx !== undefined;
}

function sentence(title: string, words: string | undefined): string {
  return words === undefined ? "" : section(title, `<p>${prose(words)}</p>`);
}

function list(rows: readonly string[]): string {
  const left = rows.length - MOST_FINDINGS;
  const rest = left > 0 ? `<p class="none">and ${left} more, which <code>plancheck report</code> lists</p>` : "";
  return `<ul class="findings">${rows.slice(0, MOST_FINDINGS).join("")}</ul>${rest}`;
}

function findingRow({ rule, severity, message, range }: Finding): string {
  return row(severity, severity, rule, message, range);
}

function uncheckedRow({ rule, why, message, range }: Unchecked): string {
  return row("unchecked", why, rule, message, range);
}

function row(kind: string, label: string, rule: string, message: string, range: Place): string {
  const { line, character } = range.start;
  return (
    `<li><button type="button" class="${escape(kind)}" data-place="${escape(JSON.stringify(range))}" title="Show it in the text">` +
    `<span class="head"><span class="label">${escape(label)}</span><span class="rule">${escape(rule)}</span>` +
    `<span class="place">line ${line + 1}, column ${character + 1}</span></span>` +
    `<span class="message">${prose(message)}</span></button></li>`
  );
}

function reaches(plan: PlanFacts): string {
  const all = Object.entries(plan.execution_reach_by_idx).sort(([, a], [, b]) => b - a);
  const most = all[0]?.[1] ?? 0;
  if (most === 0) {
    return `<p class="none">No step follows another.</p>`;
  }
  const rows = all.slice(0, MOST_REACHES).map(([step, count]) => {
    return `<tr><th>${stepLink(step)}</th><td><meter min="0" max="${most}" value="${count}"></meter></td><td class="number">${count}</td></tr>`;
  });
  const left = all.length - rows.length;
  const rest = left > 0 ? `<p class="none">and ${left} more with at most ${all[MOST_REACHES]?.[1] ?? 0} followers</p>` : "";
  return `<table class="reach">${rows.join("")}</table>${rest}`;
}

function barriers(plan: PlanFacts): string {
  const rows = Object.entries(plan.barrier_inventory.by_resource).map(([resource, steps]) => {
    return `<tr><th><code>${escape(resource)}</code></th><td>${steps.map(stepLink).join(", ")}</td></tr>`;
  });
  return rows.length === 0 ? `<p class="none">No step reads anything again.</p>` : `<table>${rows.join("")}</table>`;
}

function section(title: string, content: string): string {
  return `<section><h2>${title}</h2>${content}</section>`;
}

function stepLink(step: number | string): string {
  return `<a href="#" data-step="${escape(String(step))}">step ${escape(String(step))}</a>`;
}

/** Words with code in backquotes. */
function prose(text: string): string {
  return escape(text).replace(/`([^`]*)`/g, "<code>$1</code>");
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0) ?? 0};`);
}
