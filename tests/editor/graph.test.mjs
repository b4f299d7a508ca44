/** The graph beside the text. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { ROOT, VSCode, eventually, eventuallyEqual, scenesIn } from "./workbench.mjs";

const FAULTY = path.join(ROOT, "examples/declared/refund-faulty.plan.json");
const [LOOK, EDIT, SAVE, HUGE, LARGE, HALF, LONG, CREW] = ["refund", "edited", "saved", "huge", "large", "half", "long", "crew"].map(
  (name) => `${name}.plan.json`,
);

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

/** Each step has a finding: a scope that is too wide. */
function crewPlan(length, agents) {
  const nodes = Array.from({ length }, (_, idx) => ({
    idx,
    agent: `${["intake", "policy", "fraud", "ledger"][idx % 4]}-agent-${idx % agents}`,
    kind: "tool_call",
    ...(idx > 0 ? { control_preds: [Math.floor((idx - 1) / 2)] } : {}),
    reads: [`r/${idx}`],
    scope: [`r/${idx}`, `other/${idx}`],
  }));
  return JSON.stringify({ nodes }, null, 1);
}

/** Names of steps that need all the room there is, with many findings beside them. */
function longNames() {
  const missing = Array.from({ length: 12 }, (_, index) => `missing-${index}`);
  const steps = ["WWWWWWWWWWWWWWWWWWWWWWWWWW", "verify_the_identity_of_the_customer_and_of_the_merchant", "払い戻しの申請を確認して承認する担当者を決める"].map(
    (id, index) => ({ id, tool: `payments.${id}`, args: {}, depends_on: index === 0 ? [] : missing }),
  );
  return JSON.stringify({ goal: "names", steps }, null, 1);
}

let code;
let window;

before(async () => {
  code = await VSCode.start({ settings: { "plancheck.workspaceDiagnostics": false, "plancheck.inlayHints.enable": false } });
  const files = { [LOOK]: FAULTY, [EDIT]: FAULTY, [SAVE]: FAULTY, [HUGE]: hugePlan(10_000), [LARGE]: hugePlan(1000), [HALF]: hugePlan(50), [LONG]: longNames(), [CREW]: crewPlan(300, 12) };
  window = await code.open(files, { size: { width: 1440, height: 960 } });
});
after(async () => {
  await code.stop();
});

const scene = scenesIn(() => window);

async function openGraph(name, open = () => window.openPlan(name)) {
  await open();
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
  await eventuallyEqual(() => graph.locator("#summary").innerText(), "9 steps · keystone 0 with 8 followers · 6 findings: 5 warnings, 1 info");
  const loaded = await graph.locator("body").evaluate(() => performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname.split("/").slice(-2).join("/")));
  assert.deepEqual([...new Set(loaded)].sort(), ["dist/drawing.css", "dist/graph.js", "dist/style.css"]);
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

/** Runs in the page. The steps of which all is on the screen. */
function inSight(stage) {
  const pane = stage.getBoundingClientRect();
  const isInside = (box) => box.left >= pane.left && box.right <= pane.right && box.top >= pane.top && box.bottom <= pane.bottom;
  return [...stage.querySelectorAll("g.step")].filter((each) => isInside(each.getBoundingClientRect())).map((each) => each.dataset.step);
}

/** Runs in the page. The height in pixels of the smallest words on the screen. */
function smallestWords(stage) {
  const sizes = [...stage.querySelectorAll("text")].map((text) => Number.parseFloat(getComputedStyle(text).fontSize));
  return Math.min(...sizes) * Number(stage.dataset.scale);
}

/** Runs in the page. The step nearest to the middle of the stage. */
function middleStep(stage) {
  const pane = stage.getBoundingClientRect();
  const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
  const [x, y] = middle(pane);
  const distance = (each) => Math.hypot(middle(each.getBoundingClientRect())[0] - x, middle(each.getBoundingClientRect())[1] - y);
  return [...stage.querySelectorAll("g.step")].sort((a, b) => distance(a) - distance(b))[0].dataset.step;
}

/** Runs in the page. Words of less contrast than 4.5 with what is behind them, borders and signs of less than 3. */
function poorContrasts() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const paint = (...colours) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255);
  };
  const light = (rgb) => rgb.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)).reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const page = getComputedStyle(document.body).backgroundColor;
  const base = getComputedStyle(document.documentElement).getPropertyValue("--vscode-editor-background").trim() || page;
  const poor = [];
  const check = (what, over, behind, least) => {
    const found = contrast(paint(...behind, over), paint(...behind));
    if (found < least) poor.push(`${what}: ${over} on ${behind.at(-1)} ${found.toFixed(2)}`);
  };
  for (const text of document.querySelectorAll("#stage text, #foot text")) {
    const own = text.parentElement.querySelector(":scope > rect");
    const card = text.closest("g.step")?.querySelector(".outline");
    const under = text.classList.contains("edge-label") ? undefined : text.closest(".agent, .findings, .keystone-mark") ? own : card;
    const behind = under ? [base, getComputedStyle(under).fill] : [base];
    check(`${text.getAttribute("class") ?? text.parentElement.getAttribute("class")} ${text.textContent}`, getComputedStyle(text).fill, behind, 4.5);
  }
  for (const outline of document.querySelectorAll("#stage .outline")) check("border", getComputedStyle(outline).stroke, [base], 3);
  for (const mark of document.querySelectorAll("#stage .agent rect, #stage .badge, #stage .keystone-mark rect")) check("mark", getComputedStyle(mark).fill, [base], 3);
  return [...new Set(poor)];
}

scene("1,000 steps open at their keystone, at a size that can be read, and stay on the screen when they are unfolded", async () => {
  const graph = await openGraph(LARGE, () => window.openFile(LARGE));
  const stage = graph.locator("#stage");
  await eventually(() => stage.evaluate(inSight), (found) => found.includes("0") && found.length > 2);
  assert.ok((await stage.evaluate(smallestWords)) >= 10);
  await window.screenshot("graph-1000");
  await graph.locator("#fold").uncheck();
  await eventually(() => graph.locator("g.step.group").count(), (count) => count === 0);
  await eventually(() => stage.evaluate(inSight), (found) => found.length > 2);
  assert.ok((await stage.evaluate(smallestWords)) >= 10);
  await window.screenshot("graph-1000-unfolded");
});

scene("50 steps in half a window are large enough to read, and the rest is scrolled to", async () => {
  const graph = await openGraph(HALF, () => window.openFile(HALF));
  const stage = graph.locator("#stage");
  await eventually(() => stage.evaluate(inSight), (found) => found.includes("0") && found.length > 2);
  assert.ok((await stage.evaluate(smallestWords)) >= 10);
  await window.screenshot("graph-50");
  const before = await stage.evaluate(inSight);
  await stage.hover();
  await window.page.mouse.wheel(0, 600);
  await eventually(() => stage.evaluate(inSight), (found) => found.length > 2 && !before.includes(found.at(-1)));
  assert.ok((await stage.evaluate(smallestWords)) >= 10);
});

scene("the graph is fitted into a pane that grows or shrinks, until it is moved by hand", async () => {
  const graph = await openGraph(LOOK);
  const stage = graph.locator("#stage");
  const scale = async () => Number(await stage.getAttribute("data-scale"));
  await graph.locator("#fit").click();
  await eventually(() => stage.evaluate(inSight), (found) => found.length === 9);
  const large = await scale();
  try {
    await window.page.setViewportSize({ width: 1100, height: 560 });
    await eventually(scale, (found) => found < large);
    await eventually(() => stage.evaluate(inSight), (found) => found.length === 9);
    await window.screenshot("graph-small-pane");
    await window.page.setViewportSize({ width: 1440, height: 960 });
    await eventuallyEqual(scale, large);
    await stage.hover();
    await window.page.mouse.wheel(0, 260);
    await graph.locator("#zoom-in").click();
    const byHand = await eventually(scale, (found) => found > large);
    const middle = await stage.evaluate(middleStep);
    await window.page.setViewportSize({ width: 1100, height: 700 });
    await window.page.waitForTimeout(500);
    assert.deepEqual([await scale(), await stage.evaluate(middleStep)], [byHand, middle]);
    await window.screenshot("graph-small-pane-by-hand");
  } finally {
    await window.page.setViewportSize({ width: 1440, height: 960 });
  }
});

scene("nothing on a card lies over anything else, however long the names are", async () => {
  const graph = await openGraph(LONG, () => window.openFile(LONG));
  await graph.locator("g.step .findings").first().waitFor();
  const covering = await graph.locator("#stage").evaluate((stage) => {
    const overlaps = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const found = [];
    for (const step of stage.querySelectorAll("g.step")) {
      const outline = step.querySelector(".outline").getBoundingClientRect();
      const parts = [...step.querySelectorAll(".name, .agent, .agent-name, .findings, .detail")];
      for (const [index, part] of parts.entries()) {
        const box = part.getBoundingClientRect();
        if (box.left < outline.left || box.right > outline.right) found.push(`${part.textContent} is not on its card`);
        for (const other of parts.slice(index + 1)) {
          if (overlaps(box, other.getBoundingClientRect())) found.push(`${part.textContent} and ${other.textContent}`);
        }
      }
    }
    return found;
  });
  await window.screenshot("graph-long-names");
  assert.deepEqual(covering, []);
  assert.ok((await graph.locator("g.step .name").allTextContents()).every((name) => name.length > 5));
});

scene("every finding is counted at its step, also those that the list of problems leaves out", async () => {
  const graph = await openGraph(CREW);
  await eventually(() => graph.locator("#summary").innerText(), (text) => text.endsWith("300 findings: 300 warnings"));
  await graph.locator("#search").fill("299");
  const last = graph.locator("g.step.cursor[data-step='299']");
  await last.waitFor();
  assert.equal(await last.getAttribute("data-severity"), "warning");
  assert.equal(await last.locator(".badge-count").textContent(), "1");
  assert.match(await last.getAttribute("aria-label"), /1 finding, past plancheck\.maxFindings$/);
  await window.screenshot("graph-counts");
});

scene("the legend names the agents, with letters and colours as on the cards, and points their steps out", async () => {
  const graph = await openGraph(CREW);
  const entries = graph.locator("#agents button");
  await eventually(() => entries.count(), (count) => count === 12);
  const letters = await entries.locator("text").allTextContents();
  assert.deepEqual(letters, [..."ABCDEFGHIJKL"]);
  const colours = await entries.locator("rect").evaluateAll((all) => all.map((each) => getComputedStyle(each).fill));
  assert.equal(new Set(colours.slice(0, 8)).size, 8);
  const onCards = await graph.locator("g.step").evaluateAll((all) => all.map((each) => [each.querySelector(".agent-name").textContent, each.querySelector(".agent text").textContent]));
  const named = await entries.evaluateAll((all) => Object.fromEntries(all.map((each) => [each.dataset.agent, each.querySelector("text").textContent])));
  for (const [agent, letter] of onCards) assert.equal(named[agent], letter);
  await entries.nth(1).focus();
  await window.page.keyboard.press("Enter");
  await eventuallyEqual(() => graph.locator("#matches").innerText(), "1 of 25");
  await graph.locator("g.step.cursor[data-step='1']").waitFor();
  await window.screenshot("graph-agents");
});

const THEMES = [
  ["dark", "Default Dark Modern"],
  ["light", "Default Light Modern"],
  ["high-contrast", "Default High Contrast"],
  ["high-contrast-light", "Default High Contrast Light"],
];

for (const [name, theme] of THEMES) {
  scene(`the graph in the ${name} theme: words and borders stand out, and nothing is told by colour alone`, async () => {
    const settings = { "plancheck.workspaceDiagnostics": false, "workbench.colorTheme": theme };
    window.write(".vscode/settings.json", JSON.stringify(settings));
    try {
      for (const plan of [LOOK, CREW]) {
        const graph = await openGraph(plan);
        await graph.locator(`body.vscode-${name}`).waitFor();
        await graph.locator("#stage").focus();
        await window.page.keyboard.press("ArrowDown");
        await graph.locator("g.step.cursor").waitFor();
        await window.page.waitForTimeout(300);
        await window.screenshot(`graph-${name}-${plan === LOOK ? "refund" : "crew"}`);
        assert.deepEqual(await graph.locator("body").evaluate(poorContrasts), []);
        const unsigned = await graph.locator("g.step:not([data-severity=''])").evaluateAll((all) => all.filter((each) => !each.querySelector(`.${each.dataset.severity}-sign`)).length);
        assert.equal(unsigned, 0);
        await window.closeEditors();
      }
    } finally {
      window.write(".vscode/settings.json", "{}");
    }
  });
}

/** What each key of docs/editors.md does, from step 4 of the plan on: the step that is current afterwards, or a test. */
const KEYS = {
  "Arrow Down": ["ArrowDown", "5"],
  "Arrow Up": ["ArrowUp", "2"],
  "Arrow Right": ["ArrowRight", "4"],
  "Arrow Left": ["ArrowLeft", "4"],
  "Page Down": ["PageDown", "5"],
  "Page Up": ["PageUp", "3"],
  Home: ["Home", "0"],
  End: ["End", "8"],
  Enter: ["Enter", "4", async () => { await eventuallyEqual(lineOfCursor, 9); }],
  "+": ["+", "4", (graph, scale) => eventually(() => graph.locator("#stage").getAttribute("data-scale"), (found) => Number(found) > scale)],
  "-": ["-", "4", (graph, scale) => eventually(() => graph.locator("#stage").getAttribute("data-scale"), (found) => Number(found) < scale)],
  0: ["0", "4", (graph) => eventually(() => graph.locator("#stage").evaluate(inSight), (found) => found.length === 9)],
  "/": ["/", "4", (graph) => graph.locator("#search:focus").waitFor()],
};

scene("the keys of the documentation lead to every step and every control", async () => {
  const page = readFileSync(path.join(ROOT, "docs/editors.md"), "utf8");
  const documented = [...page.matchAll(/^\| <kbd>(.*?)<\/kbd>(?:, <kbd>(.*?)<\/kbd>)* \|/gm)].flatMap(([row]) => [...row.split("|")[1].matchAll(/<kbd>(.*?)<\/kbd>/g)].map(([, key]) => key));
  assert.deepEqual(documented.sort(), Object.keys(KEYS).sort());
  const graph = await openGraph(LOOK);
  const stage = graph.locator("#stage");
  for (const [key, step, check] of Object.values(KEYS)) {
    await graph.locator("#search").fill("refund-lead");
    await graph.locator("g.step.cursor[data-step='4']").waitFor();
    const scale = Number(await stage.getAttribute("data-scale"));
    await stage.press(key);
    await graph.locator(`g.step.cursor[data-step='${step}']`).waitFor();
    await check?.(graph, scale);
  }
  await graph.locator("#search").focus();
  const reached = [];
  for (let count = 0; count < 16; count++) {
    reached.push(await graph.locator(":focus").evaluate((each) => each.id || each.dataset.agent));
    const outline = await graph.locator(":focus").evaluate((each) => getComputedStyle(each).outlineStyle);
    assert.equal(outline, "solid", `the focus on ${reached.at(-1)} cannot be seen`);
    if (reached.at(-1) === "support-agent") break;
    await window.page.keyboard.press("Tab");
  }
  const controls = ["search", "zoom-out", "zoom-in", "fit", "show-data", "save-svg", "save-png", "stage"];
  const agents = ["intake-agent", "policy-agent", "fraud-desk", "payments-agent", "refund-lead", "ledger-agent", "support-agent"];
  assert.deepEqual(reached, [...controls, ...agents]);
  await window.screenshot("graph-focus");
});

scene("the graph says when the server is down, restarts it, and is there again by itself", async () => {
  const graph = await openGraph(LOOK);
  const words = graph.locator("#server-words");
  const dead = [];
  for (let times = 0; times < 5; times++) {
    const [server] = await eventually(() => code.languageServers(), (found) => found.length === 1 && !dead.includes(found[0]), 30_000);
    await eventually(() => graph.locator("#server").isVisible(), (isVisible) => !isVisible, 30_000);
    dead.push(server);
    process.kill(server, "SIGKILL");
    await graph.locator("#server:visible").waitFor();
    if (times === 0) await window.screenshot("graph-server-restarting");
  }
  await eventually(() => words.innerText(), (text) => /^The plancheck server is not running\. The plancheck server ended 5 times/.test(text));
  assert.equal((await steps(graph)).length, 9);
  await window.screenshot("graph-server-down");
  await graph.locator("#restart").click();
  await graph.locator("#server").waitFor({ state: "hidden", timeout: 30_000 });
  await window.click(13, "support-agent");
  await window.goTo(13, 13);
  await window.page.keyboard.press("Shift+ArrowRight");
  await window.page.keyboard.type("9");
  await graph.locator("g.step[data-step='9']").waitFor();
});

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
  await window.screenshot("graph-beside-hover");
});
