/** The commands as a user runs them, what each says afterwards, and which files are plans. */
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { VSCode, eventually, eventuallyEqual, scenesIn } from "./workbench.mjs";

const UNSAFE = `{
  "plan_id": "one",
  "nodes": [
    {"idx": 0, "agent": "a", "kind": "tool_call", "reads": ["x"]},
    {"idx": 1, "agent": "b", "kind": "tool_call", "reads": ["x"], "write": ["x"]}
  ]
}
`;
const KINDS = `{
  "plan_id": "two",
  "nodes": [
    {"idx": 0, "agent": "a", "kind": "tool-call", "reads": ["x"]},
    {"idx": 1, "agent": "b", "kind": "Decision", "reads": ["x"]}
  ]
}
`;
const FLOW = KINDS.replace('"two"', '"flow"');

const PLAIN = { "plancheck.inlayHints.enable": false, "plancheck.codeLens.enable": false };

let code;
let window;

before(async () => {
  code = await VSCode.start();
  const files = { "unsafe.plan.json": UNSAFE, "kinds.plan.json": KINDS, "other.plan.json": KINDS, "loose.json": KINDS };
  window = await code.open(files, { settings: PLAIN });
});
after(async () => {
  await code?.stop();
});

const scene = scenesIn(() => window);

/** The toast that says something, with its buttons; it is closed again. */
async function said(wanted, picture) {
  const toast = window.page.locator(".notifications-toasts .notification-list-item", { hasText: wanted });
  await toast.first().waitFor({ timeout: 20_000 });
  const text = await toast.first().locator(".notification-list-item-message").innerText();
  const buttons = await toast.first().locator(".notification-list-item-buttons-container a.monaco-button").allInnerTexts();
  if (picture !== undefined) {
    await window.page.waitForTimeout(500); // until it has slid in
    await window.screenshot(picture);
  }
  return { text, buttons, press: (name) => toast.first().locator("a.monaco-button", { hasText: name }).click() };
}

async function clearToasts() {
  await window.command("Notifications: Clear All Notifications");
}

scene("commands: the workspace is checked with a summary", async () => {
  await window.openFile("unsafe.plan.json");
  await window.command("plancheck: Check Workspace");
  const { text, buttons, press } = await said("plans checked", "check-workspace");
  assert.equal(text, "3 plans checked: 4 errors, 1 warning.");
  assert.deepEqual(buttons, ["Show Problems"]);
  await press("Show Problems");
  await window.page.locator(".markers-panel-container").waitFor();
  await window.page.keyboard.press("Control+Shift+M");
  await clearToasts();
});

scene("commands: Fix All says when no fix is safe, and applies the others when asked", async () => {
  await window.openPlan("unsafe.plan.json");
  await window.command("plancheck: Fix All Safe Problems");
  const { text, buttons, press } = await said("safe fix", "nothing-safe");
  assert.equal(text, "No problem here has a safe fix. 1 problem has only fixes that may change what the plan means.");
  assert.deepEqual(buttons, ["Apply Unsafe Fixes"]);
  await press("Apply Unsafe Fixes");
  await eventuallyEqual(() => window.squiggles(), []);
  await window.find(5, '"writes"');
  assert.equal((await said("Fixed")).text, "Fixed 1 problem in 1 file; save to keep it.");
  await clearToasts();
});

scene("commands: all problems of one rule are fixed in this file, or in the workspace", async () => {
  await window.openFile("kinds.plan.json");
  await eventuallyEqual(() => window.squiggles(), [
    [4, '"tool-call"', "error"],
    [5, '"Decision"', "error"],
  ]);
  const titles = await window.openFixes(4, '"tool-call"');
  await window.screenshot("fix-rule");
  assert.ok(titles.includes("Fix all `unknown_kind` in this file"), titles.join("\n"));
  await window.fix("Fix all `unknown_kind` in this file");
  await eventuallyEqual(() => window.squiggles(), []);
  assert.equal((await said("Fixed")).text, "Fixed 2 problems in 1 file; save to keep it.");
  await clearToasts();
  await window.page.keyboard.press("Control+Z");
  await eventually(() => window.squiggles(), (found) => found.length === 2);
  await window.goTo(4, 50);
  await window.command("plancheck: Fix All Problems of a Rule in the Workspace");
  assert.equal((await said("Fixed")).text, "Fixed 4 problems in 2 files; save to keep it.");
  await window.screenshot("fix-rule-workspace");
  await clearToasts();
  await window.openFile("other.plan.json");
  await window.find(4, '"tool_call"');
});

scene("commands: a JSON file is treated as a plan, and no longer", async () => {
  await window.openFile("loose.json");
  await window.page.waitForTimeout(800);
  assert.deepEqual(await window.squiggles(), []);
  await window.command("plancheck: Treat This File as a Plan");
  await eventually(() => window.squiggles(), (found) => found.length === 2);
  await window.page.locator('.editor-actions a[aria-label^="plancheck: Preview Plan Graph"], .editor-actions a[aria-label^="Preview Plan Graph"]').first().waitFor();
  await window.screenshot("treated");
  await window.command("plancheck: Stop Treating This File as a Plan");
  await eventuallyEqual(() => window.squiggles(), []);
});

scene("commands: so is a document without a file", async () => {
  await window.openFile("loose.json");
  await window.command("File: New Untitled Text File");
  await window.page.locator('.tab.active[data-resource-name^="Untitled"]').waitFor();
  await window.page.locator(".editor-status-mode, #status\\.editor\\.mode").first().click();
  await window.page.locator(".quick-input-widget input.input").fill("json");
  await window.page.locator(".quick-input-list .monaco-list-row.focused", { hasText: "JSON" }).waitFor();
  await window.page.keyboard.press("Enter");
  await window.page.locator(".monaco-editor.focused").first().waitFor();
  await window.page.keyboard.insertText('{"nodes": [{"idx": 0, "agent": "a", "kind": "tool-call"}]}');
  await window.page.waitForTimeout(800);
  assert.deepEqual(await window.squiggles(), []);
  await window.command("plancheck: Treat This File as a Plan");
  await eventuallyEqual(() => window.squiggles(), [[1, '"tool-call"', "error"]]);
  await window.screenshot("treated-untitled");
});

scene("commands: switching a rule off shows the line that was written", async () => {
  await window.openFile("kinds.plan.json");
  await eventually(() => window.squiggles(), (found) => found.length === 2);
  await window.openFixes(4, '"tool-call"');
  await window.fix("Switch `unknown_kind` off in the configuration");
  await window.page.locator('.tab.active[data-resource-name="plancheck.toml"]').waitFor();
  const { text, press } = await said("Switched", "switched-off");
  assert.equal(text, 'Switched `unknown_kind` off: wrote `unknown_kind = "off"` to plancheck.toml. Save it to put this in force.');
  await press("Save");
  await eventually(() => window.read("plancheck.toml"), (found) => found.includes('unknown_kind = "off"'));
  await window.openFile("kinds.plan.json");
  await eventuallyEqual(() => window.squiggles(), []);
  await clearToasts();
});

scene("commands: files that plancheck.toml includes are plans, and its policies are checked while they are typed", async () => {
  window.write("run.flow.json", FLOW);
  window.write("limits.yaml", "allow_tools: [a]\nmax_stepz: 3\n");
  window.write("plancheck.toml", 'include = ["*.flow.json"]\npolicy = ["limits.yaml"]\n');
  await window.openFile("run.flow.json");
  await eventually(() => window.squiggles(), (found) => found.length === 3, 30_000);
  await window.page.locator('.editor-actions a[aria-label^="Preview Plan Graph"]').first().waitFor();
  await window.screenshot("included");
  await window.openFile("limits.yaml");
  await eventually(() => window.squiggles(), (found) => found.some(([line, words]) => line === 2 && words.startsWith("max_stepz")));
  await window.screenshot("policy-of-another-name");
});

scene("commands: Select Interpreter lists the Pythons of the machine and of the workspace", async () => {
  const bin = window.file(".venv/bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(window.file(".venv/pyvenv.cfg"), "home = /usr/bin\n");
  symlinkSync("/usr/bin/python3", path.join(bin, "python"));
  await window.openFile("kinds.plan.json");
  await window.page.keyboard.press("F1");
  await window.page.locator(".quick-input-widget input.input").fill(">plancheck: Select Python Interpreter");
  await window.page.locator('.quick-input-list .monaco-list-row[aria-label^="plancheck: Select Python"]').first().click();
  const rows = window.page.locator(".quick-input-list .monaco-list-row");
  const seen = () => rows.evaluateAll((all) => all.map((row) => row.getAttribute("aria-label")));
  const labels = await eventually(seen, (found) => found.length > 2);
  await window.screenshot("interpreters");
  assert.ok(labels.some((label) => /^Python 3\.\d+\.\d+, .*\.venv\/bin\/python, from an environment of the workspace/.test(label)), labels.join("\n"));
  assert.ok(labels.some((label) => /from the PATH/.test(label)), labels.join("\n"));
  await window.page.locator(".quick-input-widget input.input").fill("Browse");
  await eventually(seen, (found) => found.length === 1 && /Browse…/.test(found[0]));
  await window.page.locator(".quick-input-widget input.input").fill("");
  const [server] = code.languageServers();
  await rows.filter({ hasText: "an environment of the workspace" }).first().click();
  await eventually(() => code.languageServers(), (found) => found.length === 1 && found[0] !== server, 30_000);
});

scene("commands: a rule's code leads to its page beside the plan, with how to switch the rule off", async () => {
  window.write("plancheck.toml", "");
  await window.openFile("kinds.plan.json");
  await eventually(() => window.squiggles(), (found) => found.length === 2, 30_000);
  const hover = await window.hover(4, '"tool-call"');
  await hover.locator("a.code-link, a", { hasText: "unknown_kind" }).first().click();
  const page = window.webview();
  await page.locator("h1", { hasText: "unknown_kind (error)" }).waitFor({ timeout: 20_000 });
  assert.match(await page.locator("body").innerText(), /Example[\s\S]*How to switch it off/);
  assert.equal(await window.page.locator(".editor-group-container").count(), 2);
  for (const [theme, picture] of [
    ["Default Dark Modern", "rule-page-dark"],
    ["Default Light Modern", "rule-page-light"],
    ["Default High Contrast", "rule-page-contrast"],
  ]) {
    window.write(".vscode/settings.json", JSON.stringify({ ...PLAIN, "workbench.colorTheme": theme }));
    await window.page.waitForTimeout(1200);
    await window.screenshot(picture);
  }
  window.write(".vscode/settings.json", JSON.stringify(PLAIN));
});

scene("commands: Doctor shows what is in force for the active file, and what is wrong", async () => {
  window.write("plancheck.toml", 'tools = ["gone.json"]\n');
  await window.openFile("kinds.plan.json");
  await window.command("plancheck: Doctor");
  const page = window.webview();
  await page.locator("h1", { hasText: "Doctor" }).waitFor({ timeout: 20_000 });
  const text = await eventually(() => page.locator("body").innerText(), (found) => found.includes("Wrong:"));
  assert.match(text, /plancheck \S+, bundled with the editor's extension/);
  assert.match(text, /kinds\.plan\.json[\s\S]*counts as a plan: yes; its format: declared[\s\S]*gone\.json: there is no such file/);
  await window.screenshot("doctor");
});

const SUGGESTED = ".suggest-widget.visible .monaco-list-row .label-name";

scene("commands: completion in a plan comes from plancheck alone", async () => {
  window.write("plancheck.toml", "");
  await window.openFile("kinds.plan.json");
  await window.goTo(4, KINDS.split("\n")[3].indexOf("}") + 1);
  await window.page.keyboard.type(", ");
  await window.page.keyboard.press("Control+Space");
  const rows = window.page.locator(SUGGESTED);
  const labels = await eventually(() => rows.allInnerTexts(), (found) => found.length > 0);
  await window.screenshot("completion-once");
  assert.deepEqual(labels, ["control_preds", "writes", "scope", "plancheck-ignore"]);
});

scene("commands: whole plans are offered in empty plans, and in no other JSON file", async () => {
  window.write("empty.plan.json", "");
  window.write("empty.json", "");
  const rows = window.page.locator(SUGGESTED);
  await window.openFile("empty.plan.json");
  await window.page.locator(".monaco-editor").first().click();
  await window.page.keyboard.press("Control+Space");
  await eventuallyEqual(() => rows.allInnerTexts(), ["plan (declared)", "plan (steps)", "plan (trace)", "plan (calls)"]);
  await window.screenshot("starters");
  await window.page.keyboard.press("Escape");
  await window.openFile("empty.json");
  await window.page.keyboard.press("Control+Space");
  await window.page.waitForTimeout(1500);
  const others = await rows.allInnerTexts();
  assert.ok(!others.some((label) => /plan|step|trace/.test(label)), others.join("\n"));
});

scene("commands: New Plan asks for the format", async () => {
  await window.openFile("kinds.plan.json");
  await window.page.keyboard.press("F1");
  await window.page.locator(".quick-input-widget input.input").fill(">plancheck: New Plan");
  await window.page.locator('.quick-input-list .monaco-list-row[aria-label^="plancheck: New Plan"]').first().click();
  const rows = window.page.locator(".quick-input-list .monaco-list-row");
  await eventually(() => rows.allInnerTexts(), (found) => found.length === 5);
  await window.page.waitForTimeout(300);
  await window.screenshot("new-plan");
  await rows.filter({ hasText: "trace" }).first().click();
  await window.page.locator('.tab.active[data-resource-name="first.trace.json"]').waitFor();
  await window.find(3, '"tool_calls"');
  await window.screenshot("new-trace");
});
