/** Plans of other dialects than the declared one, and the policy beside them, as a user sees them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { ROOT, VSCode, checked, eventually, eventuallyEqual, scenesIn } from "./workbench.mjs";

const POLICY = "plan-policy.yaml";
const STEPS = example("steps.plan.json", "examples/steps/trading-faulty.plan.json");
const CALLS = example("calls.plan.json", "examples/calls/refund-faulty.plan.json");

/** Nothing in between the letters of a line. */
const PLAIN = { "plancheck.inlayHints.enable": false, "plancheck.codeLens.enable": false, "plancheck.workspaceDiagnostics": false };

function example(name, source) {
  const file = path.join(ROOT, source);
  const text = readFileSync(file, "utf8");
  return { name, file, text, steps: JSON.parse(text).steps };
}

let code;
let window;

before(async () => {
  code = await VSCode.start();
  const files = { [STEPS.name]: STEPS.file, [CALLS.name]: CALLS.file, [POLICY]: path.join(ROOT, "examples/steps", POLICY) };
  window = await code.open(files, { size: { width: 2200, height: 960 }, settings: PLAIN });
});
after(async () => {
  await code.stop();
});

const scene = scenesIn(() => window);

/** The line and the column where a piece of a text starts, both from 1. */
function placeOf(text, piece) {
  const before = text.slice(0, text.indexOf(piece)).split("\n");
  return { line: before.length, column: before.at(-1).length + 1 };
}

/** What the Problems view lists of one file: others that were open before may be listed as well. */
async function problemsOf(name) {
  await window.problems();
  await window.page.locator(".part.panel .viewpane-filter input").fill(`**/${name}`);
  return async () => (await window.problems()).sort();
}

for (const [dialect, plan, rule] of [["steps", STEPS, "bound_violation"], ["calls", CALLS, "blocked_tool"]]) {
  scene(`${dialect}: squiggles on the expected tokens, and Problems with their codes`, async () => {
    const findings = checked(plan.text, window.file(plan.name));
    assert.ok(findings.some((finding) => finding.rule === rule), `the command line finds no ${rule}`);
    await window.openFile(plan.name);
    // Two findings of one severity on the same word are one squiggle.
    const squiggles = new Map(findings.map(({ line, words, severity, range }) => [JSON.stringify([range, severity]), [line, words, severity]]));
    await eventuallyEqual(() => window.squiggles(), [...squiggles.values()]);
    // VS Code lists no hints among the problems.
    const listed = findings.filter(({ severity }) => severity !== "hint");
    const wanted = listed.map(({ message, rule, range: { start } }) => `${message} plancheck ${rule} [Ln ${start.line + 1}, Col ${start.character + 1}]`);
    await eventuallyEqual(await problemsOf(plan.name), wanted.sort());
    await window.screenshot(`${dialect}-findings`);
    await window.page.keyboard.press("Control+J");
  });
}

for (const [dialect, plan, token, followers] of [
  ["steps", STEPS, '"quote", "tool"', /2 of 2 other steps follow/],
  ["calls", CALLS, '"get_order"', /2 of 2 other steps follow/],
]) {
  scene(`${dialect}: the hover of a step counts its followers`, async () => {
    await window.openFile(plan.name);
    await window.page.locator(".editor-instance .cdr[class*=squiggly-]").first().waitFor();
    const hover = await window.hover(placeOf(plan.text, token).line, token.split(",")[0]);
    await eventually(() => hover.allInnerTexts(), (texts) => followers.test(texts.join()));
    await window.screenshot(`${dialect}-hover`);
  });

  scene(`${dialect}: the graph shows each step`, async () => {
    await window.openFile(plan.name);
    await window.page.locator('.editor-actions a.action-label[aria-label*="Preview Plan Graph"]').click();
    const graph = window.webview();
    await graph.locator("g.step").first().waitFor({ timeout: 30_000 });
    const names = plan.steps.map(({ id }, index) => id ?? String(index));
    const shown = () => graph.locator("g.step").evaluateAll((all) => all.map((each) => each.dataset.step));
    await eventuallyEqual(async () => (await shown()).sort(), names.sort());
    await window.screenshot(`${dialect}-graph`);
  });
}

scene("steps: the rename of a step changes the references inside strings, too", async () => {
  await window.openFile(STEPS.name);
  await window.page.locator(".editor-instance .cdr[class*=squiggly-]").first().waitFor();
  const { line, column } = placeOf(STEPS.text, '"quote", "tool"');
  await window.goTo(line, column + 2);
  await window.page.keyboard.press("F2");
  const input = window.page.locator(".rename-box input.rename-input");
  await input.waitFor();
  assert.equal(await input.inputValue(), "quote");
  await input.fill("price");
  await window.screenshot("steps-rename");
  await window.page.keyboard.press("Enter");
  await window.page.locator(".tab.active.dirty").waitFor();
  await window.save();
  const renamed = STEPS.text.replaceAll('"quote"', '"price"').replace("${quote.result", "${price.result");
  assert.notEqual(renamed, STEPS.text.replaceAll('"quote"', '"price"'));
  assert.equal(window.read(STEPS.name), renamed);
  window.write(STEPS.name, STEPS.text);
});

scene("a policy is checked while it is typed, and is no plan", async () => {
  await window.openFile(POLICY);
  const { line, column } = placeOf(window.read(POLICY), "max_steps");
  await window.goTo(line, column);
  await window.page.keyboard.type("max_stepz: 3");
  await window.page.keyboard.press("Enter");
  await eventually(() => window.squiggles(), (found) => found.some(([at, words]) => at === line && words === "max_stepz"));
  const rows = await eventually(await problemsOf(POLICY), (found) => found.length === 1);
  assert.match(rows[0], /max_stepz.* plancheck policy_unknown_key /);
  assert.equal(await window.page.locator('.editor-actions a.action-label[aria-label*="Preview Plan Graph"]').count(), 0);
  await window.screenshot("policy-typed");
  await window.page.keyboard.press("Control+J");
});
