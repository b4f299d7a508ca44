/** How the extension starts the server, and what it does when that fails: no Python, one too old, a server that dies. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { ROOT, VSCode, eventually, eventuallyEqual } from "./workbench.mjs";

const FAULTY = path.join(ROOT, "examples/declared/refund-faulty.plan.json");
const NAME = "refund.plan.json";

/**
 * An environment whose PATH has the few programs VS Code itself needs, and no Python but the one given. VS Code asks
 * the user's login shell for the PATH, so that must be one which changes nothing.
 */
function environmentWith(python) {
  const folder = mkdtempSync(path.join(tmpdir(), "plancheck-path-"));
  for (const program of ["bash", "sh", "ps", "node", "uname", "env", "cat", "which"]) {
    const where = spawnSync("which", [program], { encoding: "utf8" }).stdout.trim();
    if (where !== "") symlinkSync(where, path.join(folder, program));
  }
  if (python !== undefined) symlinkSync(python, path.join(folder, "python3"));
  const shell = path.join(folder, "plain-shell");
  writeFileSync(shell, '#!/bin/sh\nfor command; do :; done\nexec /bin/sh -c "$command"\n', { mode: 0o755 });
  return { ...process.env, PATH: folder, SHELL: shell };
}

/** A Python older than 3.10: a real one where the machine has it, else a stand-in that answers as one would. */
function oldPython() {
  const versions = path.join(homedir(), ".pyenv/versions");
  const installed = existsSync(versions) ? readdirSync(versions).filter((name) => /^3\.[6-9]\./.test(name)) : [];
  const real = installed.map((name) => path.join(versions, name, "bin/python3")).find(existsSync);
  if (real !== undefined) return real;
  const standIn = path.join(mkdtempSync(path.join(tmpdir(), "plancheck-old-")), "python3");
  mkdirSync(path.dirname(standIn), { recursive: true });
  writeFileSync(standIn, '#!/bin/sh\nprintf "3.8.18\\n$0\\n"\n', { mode: 0o755 });
  return standIn;
}

async function messages(window) {
  const toasts = window.page.locator(".notifications-toasts .notification-list-item-message");
  return (await toasts.allInnerTexts()).filter((text) => text.includes("plancheck"));
}

for (const [name, python, wanted] of [
  ["no-python", () => undefined, /^plancheck needs Python 3\.10 or newer, and found none on this machine\.$/],
  ["old-python", oldPython, /^plancheck needs Python 3\.10 or newer, and found only Python 3\.\d\.\d+ \(.*\)\.$/],
]) {
  test(`${name}: one clear message, and no crash loop`, async () => {
    const code = await VSCode.start({ env: environmentWith(python()) });
    let window;
    try {
      window = await code.open({ [NAME]: FAULTY, "other.plan.json": FAULTY });
      await window.openFile(NAME);
      const [message] = await eventually(() => messages(window), (found) => found.length === 1);
      assert.match(message, wanted);
      const buttons = await window.page.locator(".notifications-toasts .notification-list-item-buttons-container a").allInnerTexts();
      assert.deepEqual(buttons.sort(), ["Select Interpreter", "Show Log"]);
      await window.page.waitForTimeout(700); // until the message has slid in
      await window.screenshot(name);
      await window.openFile("other.plan.json");
      await window.page.waitForTimeout(1500);
      assert.equal((await messages(window)).length, 1, "the message came again");
      assert.deepEqual(code.languageServers(), []);
    } catch (error) {
      await window?.screenshot(`failed-${name}`);
      throw error;
    } finally {
      await code.stop();
    }
  });
}

test("after a start that failed, the interpreter that is chosen and a restart bring the server up", async () => {
  const code = await VSCode.start({ env: environmentWith(undefined) });
  let window;
  try {
    window = await code.open({ [NAME]: FAULTY });
    await window.openFile(NAME);
    await eventually(() => messages(window), (found) => found.length === 1);
    window.write("real-python", '#!/bin/sh\nexec /usr/bin/python3 "$@"\n');
    chmodSync(window.file("real-python"), 0o755);
    window.write(".vscode/settings.json", JSON.stringify({ "plancheck.path": window.file("no-server") }));
    await eventually(() => messages(window), (found) => found.some((text) => text.includes("did not start")), 30_000);
    await window.page.waitForTimeout(700);
    assert.equal((await messages(window)).length, 2, "the client says the same again");
    await window.screenshot("failed-start");
    window.write(".vscode/settings.json", JSON.stringify({ "plancheck.interpreter": window.file("real-python") }));
    await eventually(() => window.squiggles(), (found) => found.length >= 2, 30_000);
  } catch (error) {
    await window?.screenshot("failed-failed-start");
    throw error;
  } finally {
    await code.stop();
  }
});

test("after a first start that failed, the command brings the server up once its Python is there", async () => {
  const code = await VSCode.start({ env: environmentWith(undefined) });
  let window;
  try {
    window = await code.open({ [NAME]: FAULTY }, { settings: {} });
    window.write(".vscode/settings.json", JSON.stringify({ "plancheck.interpreter": window.file("later-python") }));
    await window.openFile(NAME);
    await eventually(() => messages(window), (found) => found.length >= 1);
    assert.deepEqual(code.languageServers(), []);
    window.write("later-python", '#!/bin/sh\nexec /usr/bin/python3 "$@"\n');
    chmodSync(window.file("later-python"), 0o755);
    await window.command("plancheck: Restart Server");
    await eventually(() => code.languageServers(), (found) => found.length === 1, 30_000);
    await eventually(() => window.squiggles(), (found) => found.length >= 2, 30_000);
  } catch (error) {
    await window?.screenshot("failed-restart-command");
    throw error;
  } finally {
    await code.stop();
  }
});

test("in a folder that is not trusted, its settings start no program, and plans are checked all the same", async () => {
  const code = await VSCode.start({ trusted: false, settings: { "security.workspace.trust.enabled": true, "security.workspace.trust.startupPrompt": "never" } });
  let window;
  try {
    const marker = path.join(tmpdir(), `plancheck-restricted-${process.pid}`);
    window = await code.open({ [NAME]: FAULTY, "evil-python": `#!/bin/sh\ntouch ${marker}\nexec /usr/bin/python3 "$@"\n` });
    chmodSync(window.file("evil-python"), 0o755);
    window.write(".vscode/settings.json", JSON.stringify({ "plancheck.interpreter": window.file("evil-python") }));
    await window.openFile(NAME);
    await eventually(() => window.squiggles(), (found) => found.length >= 2, 30_000);
    await window.page.locator(".statusbar-item", { hasText: "Restricted Mode" }).first().waitFor();
    await window.screenshot("restricted");
    assert.equal(existsSync(marker), false, "a program of the folder was run");
  } catch (error) {
    await window?.screenshot("failed-restricted");
    throw error;
  } finally {
    await code.stop();
  }
});

describe("a running server", () => {
  let code;
  let window;
  before(async () => {
    code = await VSCode.start();
    window = await code.open({ [NAME]: FAULTY });
    await window.openPlan(NAME);
  });
  after(async () => {
    await code.stop();
  });

  test("comes back when its process is killed, and the squiggles with it", async () => {
    const before = await eventually(() => window.squiggles(), (found) => found.length >= 2);
    const [server] = await eventually(() => code.languageServers(), (found) => found.length === 1);
    process.kill(server, "SIGKILL");
    await eventually(() => code.languageServers(), (found) => found.length === 1 && found[0] !== server, 30_000);
    await eventuallyEqual(() => window.squiggles(), before, 30_000);
    assert.deepEqual(await messages(window), []);
    await window.screenshot("killed-and-back");
  });

  test("is restarted by the command, and says in the status what runs", async () => {
    const [server] = code.languageServers();
    await window.command("plancheck: Restart Server");
    await eventually(() => code.languageServers(), (found) => found.length === 1 && found[0] !== server, 30_000);
    await eventually(() => window.squiggles(), (found) => found.length >= 2);
    await window.page.locator('#status\\.languageStatus').hover();
    await window.page.locator(".hover-language-status").first().waitFor();
    const texts = await window.page.locator(".hover-language-status").allInnerTexts();
    assert.match(texts.join("\n"), /plancheck \d+\.\d+\.\d+\S*\s*Python 3\.\d+\.\d+, bundled/);
    await window.screenshot("status");
  });

  test("is given up after five crashes, and comes back by the command", async () => {
    for (let crash = 0; crash < 5; crash++) {
      const [server] = await eventually(() => code.languageServers(), (found) => found.length === 1, 30_000);
      process.kill(server, "SIGKILL");
      await eventually(() => code.languageServers(), (found) => !found.includes(server), 30_000);
    }
    await eventually(() => messages(window), (found) => found.length === 1 && found[0].includes("times in a row"));
    await window.page.waitForTimeout(700);
    await window.screenshot("given-up");
    assert.deepEqual(code.languageServers(), []);
    await window.command("plancheck: Restart Server");
    await eventually(() => code.languageServers(), (found) => found.length === 1, 30_000);
    await eventually(() => window.squiggles(), (found) => found.length >= 2, 30_000);
  });
});
