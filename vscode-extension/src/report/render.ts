/** The PRE report of a plan as HTML. Everything in it that comes from the plan is escaped. */

/** The report as `plancheck report --format json` prints it. */
export interface Report {
  readonly adapter: string;
  readonly n_steps: number;
  readonly keystone_idx: number | string | null;
  readonly keystone_followers: number;
  readonly execution_reach_by_idx: Readonly<Record<string, number>>;
  readonly findings: readonly {
    readonly lint: string;
    readonly node_idx: number | string | null;
    readonly resource_id: string | null;
    readonly detail: string;
    readonly severity: string;
  }[];
  readonly state_b_withheld_reason: string;
  readonly preflight_coverage: {
    readonly n_dep_edges: number;
    readonly observed: number;
    readonly declared: number;
    readonly inferred: number;
    readonly rho: number;
  };
  readonly resource_touch_completeness: {
    readonly n_reads: number;
    readonly n_writes: number;
    readonly reads_with_id: number;
    readonly writes_with_id: number;
  };
  readonly barrier_inventory: { readonly by_resource: Readonly<Record<string, readonly (number | string)[]>> };
  readonly notes: readonly string[];
}

/** Longer lists of the steps that reach furthest would say nothing more. */
const MOST_REACHES = 8;

export function renderReport(report: Report, title: string): string {
  const { preflight_coverage: coverage, resource_touch_completeness: touches } = report;
  return [
    `<h1>${escape(title)}</h1>`,
    `<p class="lead">What can be said about the plan before it runs.</p>`,
    `<div class="tiles">${tiles(report)}</div>`,
    section("Findings", findings(report)),
    section("Furthest reach", reaches(report)),
    section("Read again before use", barriers(report)),
    section(
      "Readiness",
      facts([
        ["Dependencies declared", String(coverage.declared)],
        ["Dependencies observed", String(coverage.observed)],
        ["Saturation (rho)", coverage.rho.toFixed(3)],
        ["Reads that name their resource", `${touches.reads_with_id} of ${touches.n_reads}`],
        ["Writes that name their resource", `${touches.writes_with_id} of ${touches.n_writes}`],
      ]),
    ),
    section("State B", `<p class="withheld">withheld</p><p>${prose(report.state_b_withheld_reason)}</p>`),
    report.notes.length === 0 ? "" : section("Notes", `<ul>${report.notes.map((note) => `<li>${prose(note)}</li>`).join("")}</ul>`),
  ].join("\n");
}

function tiles(report: Report): string {
  const { keystone_idx: keystone, keystone_followers: followers } = report;
  const found = report.findings.length;
  const tile = (value: string, label: string, kind = ""): string =>
    `<div class="tile ${kind}"><div class="value">${value}</div><div class="label">${label}</div></div>`;
  return [
    tile(String(report.n_steps), report.n_steps === 1 ? "step" : "steps"),
    keystone === null ? tile("none", "keystone") : tile(stepLink(keystone), `keystone, ${followers} followers`),
    tile(String(found), found === 1 ? "finding" : "findings", found > 0 ? "warning" : ""),
    tile(String(report.preflight_coverage.n_dep_edges), "dependencies"),
  ].join("");
}

function findings(report: Report): string {
  if (report.findings.length === 0) {
    return `<p class="none">The four PRE lints found nothing.</p>`;
  }
  const rows = report.findings.map(({ lint, node_idx: step, detail, severity }) => {
    return `<li class="${escape(severity)}"><div><span class="rule">${escape(lint)}</span>${step === null ? "" : stepLink(step)}</div><p>${prose(detail)}</p></li>`;
  });
  return `<ul class="findings">${rows.join("")}</ul>`;
}

function reaches(report: Report): string {
  const all = Object.entries(report.execution_reach_by_idx).sort(([, a], [, b]) => b - a);
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

function barriers(report: Report): string {
  const rows = Object.entries(report.barrier_inventory.by_resource).map(([resource, steps]): [string, string] => {
    return [`<code>${escape(resource)}</code>`, steps.map(stepLink).join(", ")];
  });
  return rows.length === 0 ? `<p class="none">No step reads anything again.</p>` : facts(rows);
}

function facts(rows: readonly (readonly [string, string])[]): string {
  return `<table>${rows.map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`).join("")}</table>`;
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
