/** A Rego policy beside a plan, as a user sees it: which step it blames, the rule behind it, and its own mistakes. */
import { existsSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { ROOT, VSCode, eventually, eventuallyEqual, scenesIn } from "./workbench.mjs";

const PLAN = "refund.plan.json";
const POLICY = "plan-policy.rego";
const OPA = [...process.env.PATH.split(path.delimiter).map((folder) => path.join(folder, "opa")), path.join(ROOT, ".cache/opa/opa")].find(existsSync);
const SKIP = OPA === undefined && "there is no opa: install one, or Go and run scripts/set-up-opa.sh";

let code;
let window;

before(async () => {
  if (SKIP) return;
  code = await VSCode.start({ settings: { "plancheck.opa": OPA } });
  const files = {
    [PLAN]: path.join(ROOT, "examples/rego/first-payment-denied.plan.json"),
    [POLICY]: path.join(ROOT, "examples/rego/first-payment.rego"),
  };
  // What a folder says about the program does not count: it would be run.
  window = await code.open(files, { settings: { "plancheck.opa": "/bin/false", "plancheck.inlayHints.enable": false } });
});
after(async () => {
  await code?.stop();
});

const scene = scenesIn(() => window, SKIP);

const BLAMED = [[4, '"payments.send"', "error"]];

scene("rego: the step to blame, and the rule behind it", async () => {
  await window.openFile(PLAN);
  await eventuallyEqual(() => window.squiggles(), BLAMED);
  const hover = await window.hover(4, '"payments.send"');
  await eventually(() => hover.allInnerTexts(), (texts) => /must not start with a payment/.test(texts.join()) && /deny if startswith/.test(texts.join()));
  await window.screenshot("rego-hover");
});

scene("rego: the policy is typed, and the plan follows; its own mistakes are shown where they are", async () => {
  await window.openFile(POLICY);
  await window.goTo(8, 1);
  await window.page.keyboard.type("deny if if");
  await eventually(() => window.squiggles(), (found) => found.some(([line, , severity]) => line === 8 && severity === "error"));
  await window.screenshot("rego-typed");
  for (const _ of "deny if if") await window.page.keyboard.press("Backspace");
  await eventuallyEqual(() => window.squiggles(), []);
  // What is typed and not saved is in force: now every plan is denied for another reason.
  await window.page.keyboard.type('deny if count(input.steps) > 2');
  await window.page.keyboard.press("Enter");
  await window.openFile(PLAN);
  await eventually(() => window.squiggles(), (found) => found.length === 2);
});
