/** The report beside the text, and what the lenses above the steps open. */
import assert from "node:assert/strict";
import path from "node:path";
import { after, before } from "node:test";
import { ROOT, VSCode, eventually, eventuallyEqual, scenesIn } from "./workbench.mjs";

const FAULTY = path.join(ROOT, "examples/declared/refund-faulty.plan.json");
const MIXED = `{"goal": "tidy up", "steps": [
  {"id": "find", "tool": "crm.find", "args": {"name": "Ada"}},
  {"id": "tidy", "tool": "db.query_ro", "args": {"query": "CALL tidy()"}, "depends_on": ["find"]},
  {"id": "drop", "tool": "crm.drop", "args": {"name": "{{find.result.name}}"}, "depends_on": ["tidy"]}
]}
`;
const [MIX, LOOK, LONG, LINE] = ["mixed", "refund", "long", "line"].map((name) => `${name}.plan.json`);
const STEPS = Array.from({ length: 300 }, (_, idx) => ({ idx, agent: "a", kind: "tool_call", reads: [`r${idx}`] }));

let window;
let code;

before(async () => {
  code = await VSCode.start({ settings: { "plancheck.workspaceDiagnostics": false } });
  const files = {
    [MIX]: MIXED,
    "plan-policy.yaml": "allow_tools: [crm.find, db.query_ro]\n",
    [LOOK]: FAULTY,
    [LONG]: JSON.stringify({ nodes: STEPS.slice(0, 8) }, null, 1),
    [LINE]: JSON.stringify({ nodes: STEPS }),
  };
  window = await code.open(files, { size: { width: 1440, height: 960 } });
});
after(async () => {
  await code.stop();
});

const scene = scenesIn(() => window);

async function openReport(name) {
  await window.openFile(name);
  await window.command("plancheck: Show Report");
  const report = window.webview();
  await report.locator("h1", { hasText: `Report of ${name}` }).waitFor();
  return report;
}

const rows = (report) => report.locator(".findings button").evaluateAll((all) => all.map((row) => [row.querySelector(".label").textContent, row.querySelector(".rule").textContent]));

async function lineOfCursor() {
  const numbers = await window.page.locator(".editor-instance .active-line-number").allInnerTexts();
  return Number(numbers[0]);
}

scene("the report lists errors, then the rest, then what was not checked; each leads to its place", async () => {
  const report = await openReport(MIX);
  const found = await eventually(() => rows(report), (all) => all.length >= 2);
  assert.deepEqual([found[0], found.at(-1)].map(([label]) => label), ["error", "it was not understood"]);
  await eventually(() => report.locator(".verdict").innerText(), (text) => /^1 error.*1 place not checked\.$/.test(text));
  const text = await report.locator("main").innerText();
  assert.match(text, /No risk score: a plan alone does not show what happens at run time\./);
  assert.doesNotMatch(text, /State B|rho|ρ/);
  await window.screenshot("report-mixed");
  await report.locator(".findings button.error").first().click();
  await eventuallyEqual(lineOfCursor, 4);
  await report.locator(".findings button.unchecked").first().focus();
  await report.locator(".findings button.unchecked").first().press("Enter");
  await eventuallyEqual(lineOfCursor, 3);
});

scene("it follows the typing, and never calls a broken plan fine", async () => {
  const report = await openReport(MIX);
  await report.locator(".findings button.error").first().waitFor();
  await window.goTo(4, 35);
  for (let times = 0; times < "drop".length; times++) await window.page.keyboard.press("Backspace");
  await window.page.keyboard.type("find");
  await report.locator(".findings button.error").waitFor({ state: "detached" });
  await window.page.keyboard.press("Control+End");
  await window.page.keyboard.type("]");
  await report.locator(".problem", { hasText: "The JSON is broken" }).waitFor();
  await eventually(() => rows(report), (all) => all[0]?.[1] === "syntax_error");
  await window.screenshot("report-broken");
});

for (const [name, theme] of [["dark", "Default Dark Modern"], ["light", "Default Light Modern"], ["high-contrast", "Default High Contrast"]]) {
  scene(`severities can be told apart in the ${name} theme`, async () => {
    window.write(".vscode/settings.json", JSON.stringify({ "workbench.colorTheme": theme }));
    const report = await openReport(name === "dark" ? LOOK : MIX);
    await report.locator(`body.vscode-${name}`).waitFor();
    await report.locator(".findings button").first().waitFor();
    await window.page.waitForTimeout(300);
    const looks = await report.locator(".findings .label").evaluateAll((all) => all.map((label) => `${label.textContent} ${getComputedStyle(label).color}`));
    assert.ok(new Set(looks).size >= 2, looks.join());
    const codes = await report.locator("button code").evaluateAll((all) => all.map((each) => getComputedStyle(each).color === getComputedStyle(each.parentElement).color));
    assert.deepEqual([...new Set(codes)], [true]);
    if (name === "dark") await window.picture("report");
    else await window.screenshot(`report-${name}`);
    window.write(".vscode/settings.json", "{}");
    await report.locator("body.vscode-dark").waitFor();
  });
}

scene("the lens of a step lists all its followers by their names", async () => {
  await window.openFile(LONG);
  const lens = window.page.locator(".codelens-decoration a", { hasText: /^6 followers$/ });
  await lens.click();
  const places = window.page.locator(".reference-zone-widget .ref-tree .monaco-list-row");
  await eventually(() => places.allInnerTexts(), (texts) => texts.length === 6 && texts.every((text) => /"idx":\s[2-7],/.test(text)));
  await eventually(() => places.locator(".highlight").allInnerTexts(), (texts) => texts.join() === "2,3,4,5,6,7");
  await window.screenshot("followers");
  await window.page.keyboard.press("Escape");
});

scene("a plan on one line has one lens for the plan and one for the line, and no notes in the text", async () => {
  await window.openFile(LINE);
  const lenses = window.page.locator(".codelens-decoration a");
  const titles = await eventually(() => lenses.allInnerTexts(), (texts) => texts.length >= 4);
  assert.deepEqual(titles.slice(1), ["keystone: Step 0 · a", "Open graph", "Show report", "Step 0 · a: 299 followers · keystone"]);
  await window.screenshot("one-line");
});

scene("notes in the text are apart from the numbers, where they are asked for", async () => {
  window.write(".vscode/settings.json", JSON.stringify({ "plancheck.inlayHints.enable": true, "plancheck.codeLens.enable": false }));
  await window.openFile(LONG);
  const lines = window.page.locator(".editor-instance .view-lines");
  const shown = (text) => text.replaceAll("\u00a0", " ");
  await eventually(() => lines.innerText().then(shown), (text) => text.includes('"idx": 1 · 6 followers') || /1\s*· 6 followers/.test(text));
  await window.screenshot("inlay-hints");
  window.write(".vscode/settings.json", "{}");
  await eventually(() => lines.innerText().then(shown), (text) => !text.includes("· 6 followers"));
});

scene("the hover of a step says what it waits for and knows, and repeats no finding", async () => {
  await window.openPlan(LOOK);
  const hover = await window.hover(6, '"policy-agent"');
  const texts = await eventually(() => hover.allInnerTexts(), (all) => /Waits for: 0\./.test(all.join()));
  assert.match(texts.join("\n"), /Knows: /);
  await window.screenshot("hover-waits");
  await window.page.keyboard.press("Escape");
  // Of the step with a finding the hover says how many there are; what they say is at their own tokens.
  const found = await window.hover(11, '"ledger-agent"');
  const said = (await eventually(() => found.allInnerTexts(), (all) => /1 finding in this step\./.test(all.join()))).join("\n");
  assert.doesNotMatch(said, /which no step has read before|write_with_no_prior_read/);
});
