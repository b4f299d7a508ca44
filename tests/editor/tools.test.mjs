/** A catalogue of tools beside plans, as a user sees it: mistakes at their tokens, help while typing, ways between the files. */
import path from "node:path";
import { after, before, test } from "node:test";
import { ROOT, VSCode, eventually, eventuallyEqual, scenesIn } from "./workbench.mjs";

const TOOLS = "shop.tools.json";
const FAULTY = "faulty.plan.json";
const FINE = "fine.plan.json";
const TRACE = "chat.trace.json";
const CALL = String.raw`"{\"order_id\": 4711}"`;

let code;
let window;

before(async () => {
  code = await VSCode.start();
  const examples = path.join(ROOT, "examples/tools");
  const files = {
    "plancheck.toml": 'tools = ["*.tools.json"]\n',
    [TOOLS]: path.join(examples, "shop.tools.json"),
    "office.tools.json": path.join(examples, "office.tools.json"),
    [FAULTY]: path.join(examples, "refund-faulty.plan.json"),
    [FINE]: path.join(examples, "refund.plan.json"),
    [TRACE]: `{"tool_calls": [\n  {"id": "a", "type": "function", "function": {\n    "name": "get_order",\n    "arguments": ${CALL}}}\n]}\n`,
  };
  window = await code.open(files, { settings: { "plancheck.inlayHints.enable": false } });
});
after(async () => {
  await code?.stop();
});

const scene = scenesIn(() => window);

scene("tools: mistakes in calls are underlined at their tokens, and a hover says what a tool takes", async () => {
  await window.openFile(FAULTY);
  await eventuallyEqual(() => window.squiggles(), [
    [4, "4711", "error"],
    [5, "1195", "error"],
    [5, '"demaged"', "error"],
    [6, "mail", "warning"],
    [6, '"txt"', "error"],
    [6, '"priority"', "error"],
    [7, '"write_log"', "error"],
  ]);
  const hover = await window.hover(4, '"get_order"');
  await eventually(() => hover.allInnerTexts(), (texts) => /Get an order/.test(texts.join()) && /order_id \(required\)/.test(texts.join()));
  await window.screenshot("tools-hover");
});

scene("tools: arguments are completed, and the signature is shown while they are typed", async () => {
  await window.openFile(FINE);
  await window.goTo(6, window.read(FINE).split("\n")[5].indexOf('{"to"') + 2);
  await window.page.keyboard.type(" ");
  await window.page.keyboard.press("ArrowLeft");
  await window.page.keyboard.press("Control+Space");
  const rows = window.page.locator(".suggest-widget.visible .monaco-list-row .label-name");
  await eventuallyEqual(async () => (await rows.allInnerTexts()).slice(0, 2), ["subject", "urgent"]);
  await window.screenshot("tools-completion");
  await window.page.keyboard.press("Enter");
  await window.page.keyboard.type("Your refund");
  await eventuallyEqual(() => window.squiggles(), []);
  await window.find(6, '{"subject": "Your refund", "to"');
  await window.page.keyboard.press("Control+Shift+Space");
  const signature = window.page.locator(".parameter-hints-widget.visible");
  await eventually(() => signature.allInnerTexts(), (texts) => /send_email\(to: string.*, text: string, subject\?: string/.test(texts.join()));
  await window.screenshot("tools-signature");
});

scene("tools: definition leads into the catalogue, where a line above each tool counts the plans", async () => {
  await window.openFile(FINE);
  await window.click(4, "get_order");
  await window.page.keyboard.press("F12");
  await window.page.locator(`.tab.active[data-resource-name="${TOOLS}"]`).waitFor();
  const lens = window.page.locator(".codelens-decoration a", { hasText: "used by 3 plans" });
  await lens.first().waitFor();
  await window.screenshot("tools-lens");
  await lens.first().click();
  const peek = window.page.locator(".zone-widget .peekview-title");
  await eventually(() => peek.allInnerTexts(), (texts) => /References/.test(texts.join()));
  await window.screenshot("tools-references");
});

scene("tools: inside JSON text a mistake is at its own token, and its fix is escaped", async () => {
  await window.openFile(TRACE);
  await eventuallyEqual(() => window.squiggles(), [[4, "4711", "error"]]);
  await window.openFixes(4, "4711");
  await window.screenshot("tools-in-text");
  await window.fix('Change it to "4711"');
  await eventuallyEqual(() => window.squiggles(), []);
  await window.find(4, String.raw`"{\"order_id\": \"4711\"}"`);
});
