/** The graph and the report beside the text. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { ROOT, VSCode, eventually, eventuallyEqual, scenesIn } from "./workbench.mjs";

const FAULTY = path.join(ROOT, "examples/declared/refund-faulty.plan.json");
const [LOOK, EDIT, SAVE, HUGE] = ["refund", "edited", "saved", "huge"].map((name) => `${name}.plan.json`);

/** A plan of many steps: runs of nothing special, forks, joins and decisions. */
function hugePlan(length) {
  const nodes = Array.from({ length }, (_, idx) => ({
    idx,
    agent: `agent-${idx % 7}`,
    kind: idx % 50 === 49 ? "decision" : "tool_call",
    ...(idx % 25 === 24 && idx > 30 ? { control_preds: [idx - 1, idx - 10] } : {}),
    reads: [`resource/${idx}`],
  }));
  return JSON.stringify({ nodes }, null, 1);
}

let code;
let window;

before(async () => {
  code = await VSCode.start({ settings: { "plancheck.workspaceDiagnostics": false, "plancheck.inlayHints.enable": false } });
  window = await code.open({ [LOOK]: FAULTY, [EDIT]: FAULTY, [SAVE]: FAULTY, [HUGE]: hugePlan(10_000) }, { size: { width: 1440, height: 960 } });
});
after(async () => {
  await code.stop();
});

const scene = scenesIn(() => window);

async function openGraph(name) {
  await window.openPlan(name);
  await window.page.locator('.editor-actions a.action-label[aria-label*="Preview Plan Graph"]').click();
  const graph = window.webview();
  await graph.locator("g.step").first().waitFor({ timeout: 30_000 });
  return graph;
}

const steps = (graph) => graph.locator("g.step").evaluateAll((all) => all.map((each) => each.dataset.step));

async function lineOfCursor() {
  const numbers = await window.page.locator(".editor-instance .active-line-number").allInnerTexts();
  return Number(numbers[0]);
}

scene("the graph shows steps, keystone and findings; clicks and the cursor go both ways", async () => {
  const graph = await openGraph(LOOK);
  await eventuallyEqual(async () => (await steps(graph)).sort(), ["0", "1", "2", "3", "4", "5", "6", "7", "8"]);
  assert.deepEqual(await graph.locator("g.keystone").evaluateAll((all) => all.map((each) => each.dataset.step)), ["0"]);
  assert.deepEqual((await graph.locator("g.decision").evaluateAll((all) => all.map((each) => each.dataset.step))).sort(), ["1", "4"]);
  const severities = await graph.locator("g.step").evaluateAll((all) => Object.fromEntries(all.map((each) => [each.dataset.step, each.dataset.severity])));
  assert.equal(severities["6"], "warning");
  assert.equal(severities["1"], "");
  await eventually(() => graph.locator("#summary").innerText(), (text) => /9 steps · keystone 0 with 8 followers · \d+ findings/.test(text));
  assert.deepEqual(await graph.locator("g.step[data-step='5'] .chip.volatile text").allTextContents(), ["payments/ch_3Nw1"]);
  assert.deepEqual(await graph.locator("g.step[data-step='2'] .chip.barrier text").allTextContents(), ["fraud.signals/902"]);
  await graph.locator("g.step[data-step='6']").click();
  await eventuallyEqual(lineOfCursor, 11);
  await graph.locator("g.step.cursor[data-step='6']").waitFor();
  await window.screenshot("graph-clicked");
  await window.click(8, '"payments-agent"');
  await graph.locator("g.step.cursor[data-step='3']").waitFor();
});

scene("an edit changes the graph, and broken JSON keeps the last good one", async () => {
  const graph = await openGraph(EDIT);
  await window.goTo(13, 13);
  await window.page.keyboard.press("Shift+ArrowRight");
  await window.page.keyboard.type("9");
  await graph.locator("g.step[data-step='9']").waitFor();
  assert.equal(await graph.locator("g.step[data-step='8']").count(), 0);
  await window.goTo(4, 13);
  await window.page.keyboard.type("]");
  await graph.locator("#notice:visible").waitFor();
  assert.match(await graph.locator("#notice").innerText(), /last graph that could be read/);
  assert.equal((await steps(graph)).length, 9);
  await window.screenshot("graph-stale");
  await window.page.keyboard.press("Backspace");
  await graph.locator("#notice").waitFor({ state: "hidden" });
});

scene("the graph is searched and walked with the keyboard, and saved as SVG and PNG", async () => {
  const graph = await openGraph(SAVE);
  await graph.locator("#search").fill("ledger.entry");
  await eventuallyEqual(() => graph.locator("#matches").innerText(), "1 of 2");
  await graph.locator("g.step.cursor[data-step='6']").waitFor();
  await graph.locator("#search").press("Enter");
  await graph.locator("g.step.cursor[data-step='8']").waitFor();
  await window.screenshot("graph-search");
  await graph.locator("#stage").focus();
  await graph.locator("#stage").press("ArrowUp");
  await graph.locator("g.step.cursor[data-step='6']").waitFor();
  await graph.locator("#stage").press("Enter");
  await eventuallyEqual(lineOfCursor, 11);
  for (const format of ["svg", "png"]) {
    await graph.locator(`#save-${format}`).click();
    await window.page.locator(".quick-input-widget input.input").waitFor();
    await window.page.keyboard.press("Enter");
    await window.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    await eventually(() => existsSync(window.file(`saved.plan.${format}`)), Boolean);
  }
  const svg = readFileSync(window.file("saved.plan.svg"), "utf8");
  assert.match(svg, /^<svg [\s\S]*intake-agent[\s\S]*<\/svg>$/);
  assert.ok(!svg.includes("var("), "the exported drawing depends on the theme's variables");
  const png = await eventually(() => readFileSync(window.file("saved.plan.png")), (bytes) => bytes.length > 10_000);
  assert.equal(png.subarray(1, 4).toString(), "PNG");
});

for (const [name, theme] of [["light", "Default Light Modern"], ["high-contrast", "Default High Contrast"]]) {
  scene(`the graph in the ${name} theme`, async () => {
    const settings = { "plancheck.workspaceDiagnostics": false, "workbench.colorTheme": theme };
    window.write(".vscode/settings.json", JSON.stringify(settings));
    const graph = await openGraph(LOOK);
    await graph.locator(`body.vscode-${name}`).waitFor();
    await window.page.waitForTimeout(300);
    await window.screenshot(`graph-${name}`);
    window.write(".vscode/settings.json", "{}");
    await graph.locator("body.vscode-dark").waitFor();
  });
}

scene("10,000 steps: folded runs, zoom and search stay usable", async () => {
  await window.openFile(HUGE);
  await window.page.locator('.editor-actions a.action-label[aria-label*="Preview Plan Graph"]').click();
  const graph = window.webview();
  await graph.locator("g.step").first().waitFor({ timeout: 60_000 });
  assert.match(await graph.locator("#summary").innerText(), /^10,000 steps/);
  assert.ok((await graph.locator("g.step.group").count()) > 0, "nothing was folded");
  await window.screenshot("graph-10000");
  const frames = await graph.locator("#stage").evaluate(async (stage) => {
    const times = [];
    for (let count = 0; count < 30; count++) {
      const start = performance.now();
      stage.dispatchEvent(new WheelEvent("wheel", { deltaY: 60, bubbles: true, cancelable: true }));
      await new Promise((resolve) => requestAnimationFrame(resolve));
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b);
  });
  console.log(`10,000 steps: ${frames[15].toFixed(0)} ms a frame while scrolling (median), ${frames[28].toFixed(0)} ms at worst`);
  assert.ok(frames[15] < 100, `${frames[15]} ms a frame`);
  await graph.locator("#fold").uncheck();
  await graph.locator("#fit").click();
  await graph.locator("#stage.overview").waitFor();
  await window.picture("graph-10000-overview");
  await graph.locator("#search").fill("7777");
  await graph.locator("g.step.cursor[data-step='7777']").waitFor();
  await window.screenshot("graph-10000-found");
});

scene("the report is rendered, and leads to the steps", async () => {
  await window.openPlan(LOOK);
  await window.command("plancheck: Show Report");
  const report = window.webview();
  await report.locator("h1", { hasText: `Report of ${LOOK}` }).waitFor();
  assert.ok((await report.locator(".findings li").count()) >= 4);
  assert.match(await report.locator(".tiles").innerText(), /9\s+steps/);
  await window.picture("report");
  await report.locator(".findings a[data-step='6']").first().click();
  await eventuallyEqual(lineOfCursor, 11);
});

scene("a rule's page is shown in the editor", async () => {
  await window.openPlan(LOOK);
  await window.goTo(10, 146);
  await window.command("plancheck: Open Rule Page");
  const page = window.webview();
  await page.locator("h1", { hasText: "missing_revalidation_barrier" }).waitFor();
  await window.screenshot("rule-page");
});

scene("squiggles, hover and graph side by side", async () => {
  window.write(".vscode/settings.json", JSON.stringify({ "editor.wordWrap": "on", "plancheck.codeLens.enable": false }));
  const graph = await openGraph(LOOK);
  await window.command("View: Toggle Primary Side Bar Visibility");
  await graph.locator("#fit").click();
  await graph.locator("g.step[data-step='6']").click();
  await graph.locator("g.step.cursor[data-step='6']").waitFor();
  await window.page.mouse.move(600, 900);
  await window.page.waitForTimeout(400);
  await window.picture("graph");
  const hover = await window.hover(5, "idx");
  await eventually(() => hover.allInnerTexts(), (texts) => texts.join().includes("keystone"));
  assert.ok((await window.squiggles()).length > 3);
  await window.page.waitForTimeout(400);
  await window.picture("editor");
});
