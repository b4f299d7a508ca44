/** Policies and configurations, as a user edits them: help while typing, fixes, and one name in several files. */
import { after, before } from "node:test";
import { VSCode, eventually, eventuallyEqual, scenesIn } from "./workbench.mjs";

const POLICY = "plan-policy.yaml";
const PLAN = "pay.plan.json";
const OTHER = "refund.plan.json";
const TOML = "plancheck.toml";

const FILES = {
  [POLICY]: `allow_tools: [crm.find, payments.transfer]
bounds:
  payments.transfer.amount: [0.01, 1000]
gate:
  not_frist: [payments.transfer]
`,
  [PLAN]: `{"goal": "pay the bill", "steps": [
  {"id": "find", "tool": "crm.find", "args": {"name": "Jo"}},
  {"id": "pay", "tool": "payments.transfer", "args": {"amount": 5000}, "on_fail": "abort", "depends_on": ["find"]}
]}
`,
  [OTHER]: `{"goal": "refund", "steps": [
  {"id": "back", "tool": "payments.transfer", "args": {"amount": 5}, "on_fail": "abort"}
]}
`,
  [TOML]: `profile = "stict"\n\n[rules]\nredundant_edge = "off"\n`,
};

let code;
let window;

before(async () => {
  code = await VSCode.start();
  window = await code.open(FILES, { settings: { "plancheck.inlayHints.enable": false, "editor.wordBasedSuggestions": "off" } });
});
after(async () => {
  await code?.stop();
});

const scene = scenesIn(() => window);
const rows = () => window.page.locator(".suggest-widget.visible .monaco-list-row .label-name");

scene("policies: a hover on a bounded argument of a plan says where the bound is set, and leads there", async () => {
  await window.openFile(PLAN);
  await eventuallyEqual(() => window.squiggles(), [
    [1, "{", "error"],
    [3, "5000", "error"],
  ]);
  const hover = await window.hover(3, '"amount"');
  await eventually(() => hover.allInnerTexts(), (texts) => /allows from 0.01 to 1000 \(plan-policy.yaml, line 3\)/.test(texts.join()));
  await window.screenshot("policies-bound-hover");
  await window.page.locator(".monaco-hover:not(.hidden) a", { hasText: "plan-policy.yaml, line 3" }).first().click();
  await window.page.locator(`.tab.active[data-resource-name="${POLICY}"]`).waitFor();
});

scene("policies: definition leads from a bounded argument to the bound", async () => {
  await window.openFile(PLAN);
  await window.click(3, '"amount"');
  await window.page.keyboard.press("F12");
  await window.page.locator(`.tab.active[data-resource-name="${POLICY}"]`).waitFor();
  await eventually(() => window.page.locator("#status\\.editor\\.selection").innerText(), (text) => text.startsWith("Ln 3,"));
  await window.screenshot("policies-definition");
});

scene("policies: references of a tool are in the policy and in all plans, and its keys are symbols", async () => {
  await window.openFile(POLICY);
  await window.click(1, "payments.transfer");
  await window.page.keyboard.press("Shift+F12");
  const files = window.page.locator(".reference-zone-widget .ref-tree .reference-file");
  await eventually(() => files.allInnerTexts(), (texts) => [POLICY, PLAN, OTHER].every((name) => texts.some((text) => text.includes(name))));
  await window.screenshot("policies-references");
  await window.page.keyboard.press("Escape");
  await window.page.keyboard.press("Control+Shift+O");
  const symbols = window.page.locator(".quick-input-list .monaco-list-row .label-name");
  await eventually(() => symbols.allInnerTexts(), (texts) => ["bounds", "payments.transfer.amount"].every((name) => texts.some((text) => text.endsWith(name))));
  await window.screenshot("policies-symbols");
  await window.page.keyboard.press("Escape");
});

scene("policies: a misspelt key is put right by its quick fix", async () => {
  await window.openFile(POLICY);
  await eventuallyEqual(() => window.squiggles(), [[5, "not_frist", "error"]]);
  await window.openFixes(5, "not_frist");
  await window.screenshot("policies-fix");
  await window.fix("Change it to `not_first`");
  await eventuallyEqual(() => window.squiggles(), []);
  await window.find(5, "not_first: [payments.transfer]");
  await window.save();
});

scene("policies: keys and arguments are completed, and a hover says what a key means", async () => {
  await window.openFile(POLICY);
  await window.goTo(3, 100);
  await window.page.keyboard.press("Enter");
  await window.page.keyboard.type("crm");
  await window.page.keyboard.press("Control+Space");
  await eventually(async () => rows().allInnerTexts(), (labels) => labels.includes("crm.find.name"));
  await window.screenshot("policies-completion");
  await window.page.keyboard.press("Enter");
  await window.find(4, "  crm.find.name: [0, 1000]");
  const hover = await window.hover(2, "bounds");
  await eventually(() => hover.allInnerTexts(), (texts) => /The numbers that arguments may be/.test(texts.join()));
  await window.screenshot("policies-hover");
});

scene("policies: a tool is renamed in the policy and in all plans", async () => {
  await window.openFile(POLICY);
  await window.click(1, "payments.transfer");
  await window.page.keyboard.press("F2");
  const box = window.page.locator(".rename-box input.rename-input");
  await box.waitFor();
  await window.screenshot("policies-rename");
  await box.fill("bank.pay");
  await window.page.keyboard.press("Enter");
  await eventually(() => window.find(3, "bank.pay.amount").then(() => true, () => false), Boolean);
  await window.command("File: Save All Files");
  await eventually(() => window.read(OTHER), (text) => text.includes('"tool": "bank.pay"'));
  await eventually(() => window.read(PLAN), (text) => text.includes('"tool": "bank.pay"') && !text.includes("payments.transfer"));
  await eventually(() => window.read(POLICY), (text) => !text.includes("payments.transfer"));
});

scene("policies: a configuration is checked, completed and put right while it is typed", async () => {
  await window.openFile(TOML);
  await eventuallyEqual(() => window.squiggles(), [[1, '"stict"', "error"]]);
  const hover = await window.hover(1, "profile");
  await eventually(() => hover.allInnerTexts(), (texts) => /What is looked for, and how strictly/.test(texts.join()));
  await window.screenshot("policies-configuration-hover");
  await window.page.keyboard.press("Escape");
  await window.openFixes(1, "stict");
  await window.fix("Change it to `strict`");
  await eventuallyEqual(() => window.squiggles(), []);
  await window.goTo(4, 100);
  await window.page.keyboard.press("Enter");
  await window.page.keyboard.type("parallel_wr");
  await window.page.keyboard.press("Control+Space");
  await eventuallyEqual(async () => (await rows().allInnerTexts()).slice(0, 1), ["parallel_write_race"]);
  await window.screenshot("policies-configuration");
});
