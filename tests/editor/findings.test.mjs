/** What a user sees of the findings: squiggles, Problems, hover, quick fix, rename, settings. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { ROOT, VSCode, checked, eventually, eventuallyEqual } from "./workbench.mjs";

const FAULTY = path.join(ROOT, "examples/declared/refund-faulty.plan.json");
const TEXT = readFileSync(FAULTY, "utf8");
const [SEEN, FIXED, BROKEN, CONFIGURED, RENAMED] = ["seen", "fixed", "broken", "configured", "renamed"].map((name) => `${name}.plan.json`);

/** Nothing in between the letters of a line. */
const PLAIN = { "plancheck.inlayHints.enable": false, "plancheck.codeLens.enable": false, "plancheck.workspaceDiagnostics": false };

let code;
/** Wide enough for the longest line of the example. */
let wide;
/** As users have it. */
let window;

before(async () => {
  code = await VSCode.start();
  wide = await code.open({ [SEEN]: FAULTY, [FIXED]: FAULTY, [BROKEN]: FAULTY, [CONFIGURED]: FAULTY }, { size: { width: 3300, height: 700 }, settings: PLAIN });
  window = await code.open({ "refund.plan.json": FAULTY, [RENAMED]: FAULTY }, { settings: { "plancheck.workspaceDiagnostics": false } });
});
after(async () => {
  await code.stop();
});

/** A scene in one of the windows: what it leaves open is closed, and when it fails there is a picture of it. */
function scene(name, inWindow, run) {
  test(name, async () => {
    try {
      await run(inWindow());
    } catch (error) {
      await inWindow().screenshot(`failed-${name.replace(/\W+/g, "-")}`);
      throw error;
    } finally {
      await inWindow().closeEditors();
    }
  });
}

function shown(findings) {
  return findings.map(({ line, words, severity }) => [line, words, severity]);
}

const EXPECTED = shown(checked(TEXT));

scene("squiggles on the expected tokens and nowhere else", () => wide, async (window) => {
  assert.ok(EXPECTED.length >= 5);
  await window.openFile(SEEN);
  await eventuallyEqual(() => window.squiggles(), EXPECTED);
  await window.screenshot("squiggles-whole-lines");
});

scene("the lightbulb applies a fix and the squiggle goes", () => wide, async (window) => {
  await window.openFile(FIXED);
  await eventuallyEqual(() => window.squiggles(), EXPECTED);
  const titles = await window.openFixes(12, '"write"');
  const title = titles.find((each) => each.includes("writes"));
  assert.ok(title, `no fix among ${titles.join(", ")}`);
  await window.screenshot("lightbulb-whole-lines");
  await window.fix(title);
  const fixed = TEXT.replace('"write":', '"writes":');
  await eventuallyEqual(() => window.squiggles(), shown(checked(fixed)));
  await window.save();
  assert.equal(window.read(FIXED), fixed);
});

scene("a character that breaks and repairs the JSON leaves the other squiggles alone", () => wide, async (window) => {
  await window.openFile(BROKEN);
  await eventuallyEqual(() => window.squiggles(), EXPECTED);
  await window.click(3, '"langgraph",');
  await window.page.keyboard.press("End");
  await window.page.keyboard.type("]");
  await window.page.locator(".squiggly-error").first().waitFor();
  const ours = (found) => found.filter(([, , severity]) => severity !== "error");
  await eventuallyEqual(async () => ours(await window.squiggles()), ours(EXPECTED));
  const rows = await window.problems();
  assert.ok(rows.some((row) => / jsonc? /.test(row)), `VS Code itself says nothing: ${rows.join("\n")}`);
  assert.ok(!rows.some((row) => row.includes("syntax_error")), `said twice: ${rows.join("\n")}`);
  await window.screenshot("broken-whole-lines");
  await window.click(3, '"langgraph"');
  await window.page.keyboard.press("End");
  await window.page.keyboard.press("Backspace");
  await eventuallyEqual(() => window.squiggles(), EXPECTED);
});

scene("settings and plancheck.toml switch a rule off at once", () => wide, async (window) => {
  const without = (...rules) => shown(checked(TEXT).filter(({ rule }) => !rules.includes(rule)));
  await window.openFile(CONFIGURED);
  await eventuallyEqual(() => window.squiggles(), EXPECTED);
  const servers = code.languageServers();
  assert.ok(servers.length >= 1);
  window.write(".vscode/settings.json", JSON.stringify({ ...PLAIN, "plancheck.rules": { unknown_key: "off" } }));
  await eventuallyEqual(() => window.squiggles(), without("unknown_key"));
  window.write("plancheck.toml", '[rules]\nmissing_revalidation_barrier = "off"\n');
  await eventuallyEqual(() => window.squiggles(), without("unknown_key", "missing_revalidation_barrier"));
  await window.screenshot("rules-off-whole-lines");
  window.write("plancheck.toml", '[rules]\nmissing_revalidation_barrier = "warning"\n');
  await eventuallyEqual(() => window.squiggles(), without("unknown_key"));
  for (const server of servers) {
    assert.ok(code.languageServers().includes(server), "the server was restarted");
  }
});

scene("Problems lists each finding once, with its code", () => window, async (window) => {
  await window.openPlan("refund.plan.json");
  const wanted = checked(TEXT).map(({ message, rule, range }) => {
    return `${message} plancheck ${rule} [Ln ${range.start.line + 1}, Col ${range.start.character + 1}]`;
  });
  const rows = await eventually(() => window.problems(), (found) => found.length === wanted.length);
  assert.deepEqual([...rows].sort(), wanted.sort());
  await window.picture("squiggles");
  await window.page.keyboard.press("Control+Shift+M");
});

scene("the hover of a step names its followers and the keystone", () => window, async (window) => {
  await window.openPlan("refund.plan.json");
  const hover = await window.hover(5, '"intake-agent"');
  const says = (texts) => /8 of 8 other steps follow/.test(texts.join()) && /keystone/.test(texts.join());
  await eventually(() => hover.allInnerTexts(), says);
  await window.picture("hover");
});

scene("the lightbulb's menu, as it looks", () => window, async (window) => {
  await window.openPlan("refund.plan.json");
  await window.goTo(11, 140);
  const titles = await window.openFixes(11, '"ledger.entry"');
  assert.ok(titles.includes("Mark `ledger.entry` as created by step 6"), titles.join());
  await window.picture("lightbulb");
  await window.page.keyboard.press("Escape");
});

scene("rename changes every reference", () => window, async (window) => {
  await window.openPlan(RENAMED);
  assert.ok(TEXT.split('"refund.request"').length > 8);
  await window.goTo(6, 132);
  await window.page.keyboard.press("F2");
  const input = window.page.locator(".rename-box input.rename-input");
  await input.waitFor();
  assert.equal(await input.inputValue(), "refund.request");
  await input.fill("refund.order");
  await window.screenshot("rename");
  await window.page.keyboard.press("Enter");
  await window.page.locator(".tab.active.dirty").waitFor();
  await window.save();
  assert.equal(window.read(RENAMED), TEXT.replaceAll('"refund.request"', '"refund.order"'));
});

scene("breadcrumbs name the step that the cursor is in, also while it is typed", () => window, async (window) => {
  await window.openPlan("refund.plan.json");
  const path = window.page.locator(".breadcrumbs-control");
  for (const [line, step] of [[6, "Step 1 · policy-agent"], [11, "Step 6 · ledger-agent"], [9, "Step 4 · refund-lead"]]) {
    await window.goTo(line, window.read("refund.plan.json").split("\n")[line - 1].indexOf('"agent"') + 2);
    await eventually(() => path.innerText(), (text) => text.includes(step) && !text.includes("JSON"));
  }
  await window.screenshot("breadcrumbs");
  await window.goTo(9, window.read("refund.plan.json").split("\n")[8].indexOf("refund-lead") + 1);
  for (const typed of ["the ", "first ", "of many "]) {
    await window.page.keyboard.type(typed);
    await eventually(() => path.innerText(), (text) => text.includes(typed.trim()) && !text.includes("JSON"));
  }
  await window.page.keyboard.press("Control+z");
});

scene("outline, call hierarchy and completion come from the server", () => window, async (window) => {
  await window.openPlan("refund.plan.json");
  await window.page.locator('.pane-header[aria-label="Outline Section"]').click();
  const outline = window.page.locator(".outline-pane .monaco-list-row");
  await eventually(() => outline.allInnerTexts(), (rows) => rows.some((row) => row.includes("Step 0 · intake-agent")));
  await window.screenshot("outline");
  await window.page.locator('.pane-header[aria-label="Outline Section"]').click();
  await window.goTo(6, 6);
  await window.page.keyboard.type('"c');
  await window.page.keyboard.press("Control+Space");
  const keys = window.page.locator(".suggest-widget.visible .monaco-list-row");
  await eventually(() => keys.allInnerTexts(), (rows) => rows.some((row) => row.includes("control_preds")));
  await window.screenshot("completion");
  await window.page.keyboard.press("Escape");
  await window.click(6, '"policy-agent"');
  await window.command("Calls: Show Call Hierarchy");
  const callers = window.page.locator(".part.sidebar .monaco-list-row");
  await eventually(() => callers.allInnerTexts(), (rows) => rows.some((row) => row.includes("Step 0 · intake-agent")));
  await window.screenshot("call-hierarchy");
});
