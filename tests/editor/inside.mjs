/**
 * A way into the extension host of a scene: functions of a test run beside our extension, with the API of VS Code. For
 * what a user does hundreds of times; how it looks and feels is for scenes that click.
 */
import { spawnSync } from "node:child_process";
import { request } from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const EXTENSION = path.join(path.dirname(fileURLToPath(import.meta.url)), "inside");
const VSCE = path.resolve(EXTENSION, "../../../vscode-extension/node_modules/.bin/vsce");

/** The extension that lets tests in, as a VSIX in a folder. */
export function packInside(folder) {
  const vsix = path.join(folder, "inside.vsix");
  const options = ["--no-dependencies", "--skip-license", "--allow-missing-repository", "--out", vsix];
  const done = spawnSync(VSCE, ["package", ...options], { cwd: EXTENSION, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`The extension for tests cannot be packed:\n${done.stdout}${done.stderr}`);
  return vsix;
}

export class Inside {
  /** The way into the extension host of a window, once that has started. */
  static async of(window) {
    const inside = new Inside(path.join(path.dirname(window.folder), "inside.sock"));
    for (const end = Date.now() + 30_000; ; ) {
      try {
        await inside.run(() => true);
        return inside;
      } catch (error) {
        if (Date.now() > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  constructor(socketPath) {
    this.socketPath = socketPath;
  }

  /** Run a function in the extension host, with `vscode` and one plain value. It sees nothing of the file it is from. */
  async run(task, argument) {
    const response = await new Promise((resolve, reject) => {
      const asked = request({ socketPath: this.socketPath, method: "POST" }, resolve);
      asked.once("error", reject);
      asked.end(JSON.stringify({ source: String(task), argument }));
    });
    const { result, error } = JSON.parse(await text(response));
    if (error !== undefined) throw new Error(`In the extension host: ${error}`);
    return result;
  }
}
