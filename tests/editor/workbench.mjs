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
import { fileURLToPath } from "node:url";

const HERE = path.dirname(fileURLToPath(import.meta.url));
export const ROOT = path.resolve(HERE, "../..");
const EDITOR = path.join(ROOT, ".cache/editor");
const ENTRY = path.join(EDITOR, "node_modules/code-server/out/node/entry.js");
const VSIX = path.join(ROOT, "vscode-extension/plancheck.vsix");
export const SCREENSHOTS = path.join(HERE, "screenshots");
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
   * @param {{settings?: object, env?: NodeJS.ProcessEnv, extension?: boolean}} options User settings on top of the
   *   quiet ones, and the environment of the server (which extensions and the language server inherit).
   */
  static async start({ settings = {}, env = process.env, extension = true } = {}) {
    const home = mkdtempSync(path.join(tmpdir(), "plancheck-code-"));
    const places = ["--user-data-dir", path.join(home, "data"), "--extensions-dir", path.join(home, "extensions")];
    mkdirSync(path.join(home, "data/User"), { recursive: true });
    writeFileSync(path.join(home, "data/User/settings.json"), JSON.stringify({ ...QUIET, ...settings }));
    if (extension) {
      const done = spawnSync(process.execPath, [ENTRY, ...places, "--install-extension", VSIX], { encoding: "utf8" });
      if (done.status !== 0) throw new Error(`The VSIX cannot be installed:\n${done.stdout}${done.stderr}`);
    }
    const port = await freePort();
    const server = spawn(
      process.execPath,
      [
        ENTRY,
        ...places,
        ...["--auth", "none", "--bind-addr", `127.0.0.1:${port}`],
        ...["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"],
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

  /** Open a window on a folder with copies of these files (name -> text, or a path to copy). */
  async open(files, { size = { width: 1360, height: 800 }, settings } = {}) {
    const folder = path.join(this.home, `work-${++this.windows}`, "plans");
    mkdirSync(folder, { recursive: true });
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

  async screenshot(name) {
    mkdirSync(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) });
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
    writeFileSync(this.file(name), text);
  }

  /** Click a file in the explorer. */
  async openFile(name) {
    await this.page.locator(`.explorer-folders-view .monaco-list-row[aria-label^="${name}"]`).dblclick();
    await this.page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
    await this.page.locator(".editor-instance .monaco-editor .view-line").first().waitFor();
  }

  /** Run a command by its name in the command palette. */
  async command(title) {
    await this.page.keyboard.press("F1");
    const input = this.page.locator(".quick-input-widget input.input");
    await input.waitFor();
    await input.fill(`>${title}`);
    await this.page.locator(`.quick-input-list .monaco-list-row[aria-label^="${title}"]`).first().click();
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }
}
