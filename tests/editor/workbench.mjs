/**
 * A real VS Code to test in: one code-server and one headless Chromium for a whole run, and a window per scene.
 * Scenes talk to the workbench the way a user does, by mouse, keyboard and what is on the screen.
 */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { packInside } from "./inside.mjs";

const HERE = path.dirname(fileURLToPath(import.meta.url));
export const ROOT = path.resolve(HERE, "../..");
const EDITOR = path.join(ROOT, ".cache/editor");
const ENTRY = path.join(EDITOR, "node_modules/code-server/out/node/entry.js");
const VSIX = path.join(ROOT, "vscode-extension/plancheck.vsix");
const SCREENSHOTS = path.join(HERE, "screenshots");
const PICTURES = path.join(ROOT, "docs/images");
export const WALKTHROUGH = path.join(ROOT, "vscode-extension/walkthrough");
const { chromium } = createRequire(path.join(EDITOR, "package.json"))("playwright-core");

const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Settings that keep VS Code quiet: nothing but the plan is to be seen on the screen. */
const QUIET = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.colorTheme": "Default Dark Modern",
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "security.workspace.trust.enabled": false,
  "git.enabled": false,
  "chat.commandCenter.enabled": false,
  "editor.minimap.enabled": false,
  "editor.cursorBlinking": "solid",
  "files.autoSave": "off",
};

async function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

async function answers(url, patience) {
  const end = Date.now() + patience;
  while (Date.now() < end) {
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // Not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Nothing answered at ${url} within ${patience} ms`);
}

export class VSCode {
  /**
   * @param {{settings?: object, env?: NodeJS.ProcessEnv, extension?: boolean, inside?: boolean}} options User settings on
   *   top of the quiet ones, the environment of the server (which extensions and the language server inherit), and
   *   whether tests may run functions in the extension host (`inside.mjs`), and whether folders are trusted.
   */
  static async start({ settings = {}, env = process.env, extension = true, inside = false, trusted = true } = {}) {
    const home = mkdtempSync(path.join(tmpdir(), "plancheck-code-"));
    const places = ["--user-data-dir", path.join(home, "data"), "--extensions-dir", path.join(home, "extensions")];
    mkdirSync(path.join(home, "data/User"), { recursive: true });
    writeFileSync(path.join(home, "data/User/settings.json"), JSON.stringify({ ...QUIET, ...settings }));
    const vsixes = [...(extension ? [VSIX] : []), ...(inside ? [packInside(home)] : [])];
    if (vsixes.length > 0) {
      const install = vsixes.flatMap((vsix) => ["--install-extension", vsix]);
      const done = spawnSync(process.execPath, [ENTRY, ...places, ...install], { encoding: "utf8" });
      if (done.status !== 0) throw new Error(`The VSIX cannot be installed:\n${done.stdout}${done.stderr}`);
    }
    const port = await freePort();
    const server = spawn(
      process.execPath,
      [
        ENTRY,
        ...places,
        ...["--auth", "none", "--bind-addr", `127.0.0.1:${port}`],
        ...["--disable-telemetry", "--disable-update-check", ...(trusted ? ["--disable-workspace-trust"] : [])],
      ],
      { env, stdio: ["ignore", "pipe", "pipe"], detached: true },
    );
    const log = [];
    server.stdout.on("data", (data) => log.push(data));
    server.stderr.on("data", (data) => log.push(data));
    const url = `http://127.0.0.1:${port}`;
    await answers(`${url}/healthz`, 30_000);
    const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: CHROMIUM_FLAGS });
    return new VSCode(home, url, server, browser, log);
  }

  constructor(home, url, server, browser, log) {
    Object.assign(this, { home, url, server, browser, log });
    this.windows = 0;
  }

  /** Open a window on a folder with copies of these files (name -> text, or a path to copy), and of another folder. */
  async open(files, { size = { width: 1360, height: 800 }, settings, from } = {}) {
    const folder = path.join(this.home, `work-${++this.windows}`, "plans");
    mkdirSync(folder, { recursive: true });
    if (from !== undefined) cpSync(from, folder, { recursive: true });
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      if (content.startsWith("/")) cpSync(content, path.join(folder, name));
      else writeFileSync(path.join(folder, name), content);
    }
    if (settings) {
      mkdirSync(path.join(folder, ".vscode"), { recursive: true });
      writeFileSync(path.join(folder, ".vscode/settings.json"), JSON.stringify(settings, null, 2));
    }
    const context = await this.browser.newContext({ viewport: size, permissions: ["clipboard-read", "clipboard-write"] });
    const page = await context.newPage();
    await page.goto(`${this.url}/?folder=${encodeURIComponent(folder)}`);
    await page.locator(".monaco-workbench .explorer-folders-view .monaco-list-row").first().waitFor({ timeout: 60_000 });
    return new Window(page, folder);
  }

  /** The process ids of the language servers of this VS Code. */
  languageServers() {
    const { stdout } = spawnSync("ps", ["-eo", "pid,args"], { encoding: "utf8" });
    const ours = stdout.split("\n").filter((line) => line.includes(`${this.home}/extensions`) && line.includes("launch.py"));
    return ours.map((line) => Number.parseInt(line, 10)).sort();
  }

  async stop() {
    await this.browser.close();
    try {
      process.kill(-this.server.pid, "SIGTERM");
    } catch {
      // It is gone already.
    }
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

export class Window {
  constructor(page, folder) {
    this.page = page;
    this.folder = folder;
  }

  /** Leave what is open without saving it. */
  async closeEditors() {
    await this.page.keyboard.press("Escape");
    while (await this.page.locator(".editor-group-container .tab").count()) {
      await this.command("View: Revert and Close Editor");
    }
  }

  async screenshot(name) {
    mkdirSync(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) });
  }

  /** A picture that the documentation or the walkthrough shows, too. It is only replaced when asked for (`make pictures`). */
  async picture(name, folder = PICTURES) {
    await this.screenshot(name);
    if (process.env.PLANCHECK_PICTURES === "1") {
      mkdirSync(folder, { recursive: true });
      cpSync(path.join(SCREENSHOTS, `${name}.png`), path.join(folder, `${name}.png`));
    }
  }

  async close() {
    await this.page.context().close();
  }

  file(name) {
    return path.join(this.folder, name);
  }

  read(name) {
    return readFileSync(this.file(name), "utf8");
  }

  write(name, text) {
    mkdirSync(path.dirname(this.file(name)), { recursive: true });
    writeFileSync(this.file(name), text);
  }

  /** Open a file and wait for its squiggles. */
  async openPlan(name) {
    await this.openFile(name);
    await this.page.locator(".squiggly-warning").first().waitFor();
  }

  /** Click a file in the explorer. Its rows move when a file appears on disk: a click that went astray is repeated. */
  async openFile(name) {
    const row = this.page.locator(`.explorer-folders-view .monaco-list-row[aria-label^="${name}"]`);
    const tab = this.page.locator(`.tab.active[data-resource-name="${name}"]`);
    for (let tries = 1; ; tries++) {
      await row.dblclick();
      try {
        await tab.waitFor({ timeout: 5000 });
        break;
      } catch (error) {
        if (tries === 4) throw error;
      }
    }
    await this.page.locator(".editor-instance .monaco-editor .view-line").first().waitFor();
  }

  /** Run a command by its name in the command palette. */
  async command(title) {
    const row = this.page.locator(`.quick-input-list .monaco-list-row[aria-label^="${title}"]`).first();
    await this.quickInput("F1", `>${title}`, () => row.click({ timeout: 5000 }));
  }

  /**
   * Type something into the box that a key opens, and go on from there. The box closes when anything else takes the
   * focus, as a view does that is just appearing: then it is opened again.
   */
  async quickInput(key, text, finish) {
    const box = this.page.locator(".quick-input-widget");
    for (let tries = 1; ; tries++) {
      try {
        await this.page.keyboard.press(key);
        await box.locator("input.input").fill(text, { timeout: 3000 });
        await finish();
        await box.waitFor({ state: "hidden", timeout: 5000 });
        return;
      } catch (error) {
        if (tries === 4) throw error;
        await this.page.keyboard.press("Escape");
      }
    }
  }

  /** Where a piece of text is on the screen: the middle of it, in the given line of the file (from 1). */
  async find(line, text) {
    // What was just typed may not be drawn yet.
    for (let tries = 0; tries < 20; tries++) {
      const found = await this.page.evaluate(findOnScreen, { line, text });
      if (found !== null) return found;
      await this.page.waitForTimeout(100);
    }
    throw new Error(`Line ${line} on the screen has no ${text}`);
  }

  async click(line, text) {
    const { x, y } = await this.find(line, text);
    await this.page.mouse.click(x, y);
  }

  /** Put the cursor at a line and column, both from 1. */
  async goTo(line, column) {
    await this.quickInput("Control+G", `:${line}:${column}`, () => this.page.keyboard.press("Enter"));
  }

  /** The words that are underlined, as [line, words, severity], from top to bottom and left to right. */
  async squiggles() {
    return this.page.evaluate(underlined);
  }

  /** What the Problems view lists, as one text a row. */
  async problems() {
    const panel = this.page.locator(".markers-panel-container");
    if (!(await panel.isVisible())) {
      await this.page.keyboard.press("Control+Shift+M");
      await panel.waitFor();
    }
    const rows = panel.locator('.monaco-list-row[aria-level="2"]');
    return (await rows.allInnerTexts()).map((row) => row.replace(/\s+/g, " ").trim());
  }

  /** The page inside a webview. */
  webview() {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  }

  /** Show the quick fixes at a piece of text and choose the one whose title starts so. */
  async openFixes(line, text) {
    await this.click(line, text);
    await this.page.keyboard.press("Control+.");
    await this.page.locator(".action-widget .monaco-list-row.action").first().waitFor();
    return (await this.page.locator(".action-widget .monaco-list-row.action").allInnerTexts()).map((row) => row.trim());
  }

  /** Choose one of the quick fixes that are shown. */
  async fix(title) {
    const focused = this.page.locator(".action-widget .monaco-list-row.action.focused");
    for (let tries = 0; !(await focused.innerText()).includes(title); tries++) {
      if (tries > 20) throw new Error(`There is no quick fix ${title}`);
      await this.page.keyboard.press("ArrowDown");
    }
    await this.page.keyboard.press("Enter");
  }

  async hover(line, text) {
    const { x, y } = await this.find(line, text);
    await this.page.mouse.move(x - 40, y - 60);
    await this.page.mouse.move(x, y, { steps: 4 });
    const hover = this.page.locator(".monaco-hover:not(.hidden) .monaco-hover-content");
    await hover.first().waitFor();
    return hover;
  }

  async save() {
    await this.page.keyboard.press("Control+S");
    await this.page.locator(".tab.active.dirty").waitFor({ state: "detached" });
  }
}

/** Runs in the page. The letters of a line and where each stands; what VS Code adds in between is left out. */
function findOnScreen({ line, text }) {
  const number = [...document.querySelectorAll(".editor-instance .line-numbers")].find((each) => each.textContent === String(line));
  if (number === undefined) return null;
  const top = number.getBoundingClientRect().top;
  const shown = [...document.querySelectorAll(".editor-instance .view-line")].find(
    (each) => Math.abs(each.getBoundingClientRect().top - top) < 3,
  );
  const letters = [];
  const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    for (let index = 0; index < node.length; index++) letters.push([node, index]);
  }
  const all = letters.map(([node, index]) => node.data[index]).join("").replaceAll("\u00a0", " ");
  const start = all.indexOf(text);
  if (start === -1) return null;
  const range = document.createRange();
  range.setStart(...letters[start]);
  const [node, index] = letters[start + text.length - 1];
  range.setEnd(node, index + 1);
  const box = range.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/** Runs in the page. */
function underlined() {
  const numbers = [...document.querySelectorAll(".editor-instance .line-numbers")].map((each) => [
    each.getBoundingClientRect().top,
    Number(each.textContent),
  ]);
  const lines = [...document.querySelectorAll(".editor-instance .view-line")];
  const found = [];
  for (const squiggle of document.querySelectorAll(".editor-instance .cdr[class*=squiggly-]")) {
    const box = squiggle.getBoundingClientRect();
    const line = lines.find((each) => Math.abs(each.getBoundingClientRect().top - box.top) < 3);
    const number = numbers.find(([top]) => Math.abs(top - box.top) < 3)?.[1];
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    let text = "";
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      for (let index = 0; index < node.length; index++) {
        range.setStart(node, index);
        range.setEnd(node, index + 1);
        const letter = range.getBoundingClientRect();
        const middle = letter.left + letter.width / 2;
        if (middle > box.left && middle < box.right) text += node.data[index];
      }
    }
    found.push([number, box.left, text.replaceAll("\u00a0", " "), /squiggly-(\w+)/.exec(squiggle.className)[1]]);
  }
  found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return found.map(([line, , text, severity]) => [line, text, severity]);
}

/** Makes scenes in a window: what one leaves open is closed, and when it fails there is a picture of it. */
export function scenesIn(windowOf, skip = false) {
  return (name, run) =>
    test(name, { skip }, async () => {
      const window = windowOf();
      try {
        await run();
      } catch (error) {
        await window.screenshot(`failed-${name.replace(/\W+/g, "-")}`);
        throw error;
      } finally {
        await window.closeEditors();
      }
    });
}

/** Ask until the answer is as wanted; at the end say what it was. */
export async function eventually(ask, isRight, patience = 15_000) {
  const end = Date.now() + patience;
  let answer;
  do {
    answer = await ask();
    if (isRight(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 60));
  } while (Date.now() < end);
  throw new Error(`Still ${JSON.stringify(answer)} after ${patience} ms`);
}

export async function eventuallyEqual(ask, wanted, patience = 15_000) {
  const text = JSON.stringify(wanted);
  try {
    return await eventually(ask, (answer) => JSON.stringify(answer) === text, patience);
  } catch (error) {
    throw new Error(`${error.message}\nwanted ${text}`);
  }
}

/** What the command line says about a text, or the file it is in: the bundled one, so that both are the same version. */
export function checked(text, file = "-") {
  const program = [
    "import sys",
    `sys.path.insert(0, ${JSON.stringify(path.join(ROOT, "vscode-extension/bundled/libs"))})`,
    `sys.argv = ["plancheck", "check", "--format", "json", "--fail-on", "never", ${JSON.stringify(file)}]`,
    "from plancheck.__main__ import main",
    "sys.exit(main())",
  ];
  const done = spawnSync("python3", ["-I", "-B", "-c", program.join("\n")], { input: text, encoding: "utf8" });
  if (done.status !== 0) throw new Error(done.stderr);
  const lines = text.split("\n");
  return JSON.parse(done.stdout).files[0].findings.map((finding) => {
    const { start, end } = finding.range;
    return { ...finding, line: start.line + 1, words: lines[start.line].slice(start.character, end.character) };
  });
}
