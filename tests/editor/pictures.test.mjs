/** The pictures of the README and of the walkthrough: a plan with one member to a line, in which nothing is covered. */
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { VSCode, WALKTHROUGH, eventually, eventuallyEqual, scenesIn } from "./workbench.mjs";

const NAME = "rebalance.plan.json";
const PLAN = `{
  "plan_id": "rebalance",
  "nodes": [
    {
      "idx": 0,
      "agent": "market-data",
      "kind": "tool_call",
      "reads": [
        {"id": "quote:ACME", "volatile": true}
      ]
    },
    {
      "idx": 1,
      "agent": "strategist",
      "kind": "decision",
      "reads": [
        {"id": "quote:ACME", "producer": 0}
      ]
    },
    {
      "idx": 2,
      "agent": "broker",
      "kind": "tool_call",
      "reads": [
        {"id": "quote:ACME", "producer": 0}
      ],
      "writes": ["orders/1"],
      "scoop": ["orders/1"]
    },
    {
      "idx": 3,
      "agent": "bookkeeper",
      "kind": "Tool-Call",
      "write": ["ledger"]
    }
  ]
}
`;
const UNDERLINED = [
  [9, '"quote:ACME"', "warning"],
  [27, '"orders/1"', "warning"],
  [28, '"scoop"', "warning"],
  [33, '"Tool-Call"', "error"],
  [34, '"write"', "warning"],
];

let code;
let window;

before(async () => {
  const quiet = { "plancheck.inlayHints.enable": false, "plancheck.codeLens.enable": false, "editor.hover.above": false };
  code = await VSCode.start({ settings: { ...quiet, "breadcrumbs.enabled": false } });
  window = await code.open({ [NAME]: PLAN }, { size: { width: 1500, height: 900 } });
  await window.command("View: Toggle Primary Side Bar Visibility");
});
after(async () => {
  await code?.stop();
});

const scene = scenesIn(() => window);

async function openPlan() {
  const row = window.page.locator(`.quick-input-list .monaco-list-row[aria-label^="${NAME}"]`).first();
  await window.quickInput("Control+P", NAME, () => row.click({ timeout: 5000 }));
  await eventuallyEqual(() => window.squiggles(), UNDERLINED);
}

scene("pictures: New Plan asks for the format", async () => {
  await openPlan();
  await window.page.keyboard.press("F1");
  await window.page.locator(".quick-input-widget input.input").fill(">plancheck: New Plan");
  await window.page.locator('.quick-input-list .monaco-list-row[aria-label^="plancheck: New Plan"]').first().click();
  await eventually(() => window.page.locator(".quick-input-list .monaco-list-row").allInnerTexts(), (found) => found.length === 5);
  await window.page.waitForTimeout(400);
  await window.picture("create", WALKTHROUGH);
});

scene("pictures: a finding under its token, with what to do about it", async () => {
  await openPlan();
  const hover = await window.hover(34, '"write"');
  await eventually(() => hover.allInnerTexts(), (texts) => /did you mean/.test(texts.join()));
  await window.page.waitForTimeout(400);
  await window.picture("findings", WALKTHROUGH);
});

scene("pictures: the fixes on offer", async () => {
  await openPlan();
  const titles = await window.openFixes(33, '"Tool-Call"');
  assert.ok(titles.some((title) => /tool_call/.test(title)), titles.join("\n"));
  await window.page.waitForTimeout(400);
  await window.picture("fix", WALKTHROUGH);
  await window.page.keyboard.press("Escape");
});

scene("pictures: the report", async () => {
  await openPlan();
  await window.command("plancheck: Show Report");
  await window.webview().locator("h1", { hasText: "Report" }).waitFor({ timeout: 20_000 });
  await window.page.waitForTimeout(400);
  await window.picture("report", WALKTHROUGH);
});

scene("pictures: squiggles, hover and graph at once, and none covers another", async () => {
  await openPlan();
  await window.page.locator('.editor-actions a.action-label[aria-label*="Preview Plan Graph"]').click();
  const graph = window.webview();
  await graph.locator("g.step").nth(3).waitFor({ timeout: 30_000 });
  await graph.locator("#fit").click();
  await window.page.mouse.move(400, 880);
  await window.page.waitForTimeout(600);
  await window.picture("graph", WALKTHROUGH);
  const hover = await window.hover(13, '"idx"');
  await eventually(() => hover.allInnerTexts(), (texts) => /strategist/.test(texts.join()));
  await window.page.waitForTimeout(400);
  const box = await hover.first().boundingBox();
  const underlined = await window.page.locator(".editor-instance .cdr[class*=squiggly-]").all();
  const covered = [];
  for (const each of underlined) {
    const { x, y, width, height } = await each.boundingBox();
    covered.push(x < box.x + box.width && x + width > box.x && y < box.y + box.height && y + height > box.y);
  }
  assert.deepEqual(covered, UNDERLINED.map(() => false), "the hover covers a squiggle");
  const right = await window.page.locator("iframe.webview.ready").boundingBox();
  assert.ok(box.x + box.width <= right.x, "the hover covers the graph");
  await window.picture("editor");
});
