/** Every fix of every rule, applied by VS Code to the rule's bad example: the text is as it should be, and the squiggle gone. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { Inside } from "./inside.mjs";
import { ROOT, VSCode } from "./workbench.mjs";

const examples = mkdtempSync(path.join(tmpdir(), "plancheck-fixes-"));
const cases = python("tests/editor/fix_cases.py", examples);

let code;
let window;
let inside;

before(async () => {
  code = await VSCode.start({ inside: true });
  window = await code.open({}, { from: examples, settings: { "plancheck.workspaceDiagnostics": false } });
  inside = await Inside.of(window);
});
after(async () => {
  await code?.stop();
  rmSync(examples, { recursive: true, force: true });
});

function python(...args) {
  const done = spawnSync(path.join(ROOT, ".venv/bin/python"), args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 });
  if (done.status !== 0) throw new Error(done.stderr);
  return JSON.parse(done.stdout);
}

test("every rule with fixes has a case, and every case a fix", () => {
  const fixable = python("-m", "plancheck", "rules", "--format", "json").filter(({ fixes }) => fixes.length > 0);
  assert.ok(fixable.length > 40);
  assert.deepEqual(cases.map(({ rule }) => rule), fixable.map(({ rule }) => rule));
  assert.deepEqual(cases.filter(({ fixes }) => fixes.length === 0).map(({ rule }) => rule), []);
});

for (const { rule, plan, shown, fixes } of cases) {
  test(`the fixes of ${rule}`, async () => {
    assert.deepEqual(await inside.run(openAndSee, { plan, shown }), shown);
    for (const fix of fixes) {
      const { offered, text, left } = await inside.run(applyAndUndo, { plan, shown, fix });
      assert.ok(offered.includes(fix.title), `VS Code offers ${JSON.stringify(offered)}, and not ${fix.title}`);
      assert.equal(text, fix.after, fix.title);
      assert.deepEqual(left, fix.shown, fix.title);
    }
  });
}

/** Runs in the extension host. What plancheck shows of a plan, once that is what is expected or nothing comes any more. */
async function openAndSee(vscode, { plan, shown }) {
  const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, plan);
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  await vscode.commands.executeCommand("vscode.open", uri);
  const problems = () =>
    vscode.languages
      .getDiagnostics(uri)
      .filter(({ source }) => source === "plancheck")
      .map(({ code, severity, message, range }) => [code.value, severity, message, range.start.line, range.start.character]);
  globalThis.settled = async (expected) => {
    for (const end = Date.now() + 10_000; Date.now() < end; ) {
      if (JSON.stringify(problems()) === JSON.stringify(expected)) break;
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    return problems();
  };
  return globalThis.settled(shown);
}

/** Runs in the extension host. Chooses a fix where a user would, at the squiggle, looks, and takes it back. */
async function applyAndUndo(vscode, { shown, fix }) {
  const { document } = vscode.window.activeTextEditor;
  const at = new vscode.Position(...fix.at);
  let actions;
  let chosen;
  for (const end = Date.now() + 10_000; chosen === undefined && Date.now() < end; ) {
    actions = await vscode.commands.executeCommand("vscode.executeCodeActionProvider", document.uri, new vscode.Range(at, at), "quickfix");
    chosen = actions.find(({ title }) => title === fix.title);
  }
  const offered = actions.map(({ title }) => title);
  if (chosen === undefined) return { offered };
  await vscode.workspace.applyEdit(chosen.edit);
  const left = await globalThis.settled(fix.shown);
  const text = document.getText();
  await vscode.commands.executeCommand("undo");
  await globalThis.settled(shown);
  return { offered, text, left };
}
