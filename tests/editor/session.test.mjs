/** A long session of random work in VS Code ends with what `plancheck check` says of the same files. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { Inside } from "./inside.mjs";
import { problems, work } from "./session.mjs";
import { ROOT, VSCode, eventuallyEqual } from "./workbench.mjs";

/** To try others: `PLANCHECK_SEEDS="11 12 13" node --test tests/editor/session.test.mjs`. */
const SEEDS = (process.env.PLANCHECK_SEEDS ?? "1 2 5").split(" ").map(Number);
const COUNT = 200;

const example = (name) => readFileSync(path.join(ROOT, "examples", name), "utf8");
const texts = {
  "declared.plan.json": example("declared/refund-faulty.plan.json"),
  "steps.plan.json": example("steps/kyc-faulty.plan.json"),
  "calls.plan.json": example("tools/refund-faulty.plan.json"),
  "chat.trace.json": example("tools/refund-chat-faulty.trace.json"),
};
const policies = [
  "allow_tools: [crm.find, db.query_ro]\nmax_steps: 3\n",
  "deny_tokens_regex: ['[A-Z]{3}-[0-9]+']\nrequire_handlers: true\n",
  "max_step: 5\nbounds: {pay.amount: [1, 10]}\n",
  "allow_writes: [order/*]\n",
  "allow_tools: [",
  "",
];
const configurations = [
  "",
  'tools = ["*.tools.json"]\n',
  '[rules]\nunknown_key = "error"\nmissing_goal = "off"\n',
  'profile = "security"\n',
  'profile = "strict"\ntools = ["*.tools.json"]\n',
  "exclude = ['calls.*']\n",
  "[rules\n",
];

let code;

before(async () => {
  code = await VSCode.start({ inside: true });
});
after(async () => {
  await code?.stop();
});

/** What the command says of the files of a folder, as VS Code has it. */
function said(folder) {
  const done = spawnSync(path.join(ROOT, ".venv/bin/plancheck"), ["check", "--format", "json", "--fail-on", "never", "."], { cwd: folder, encoding: "utf8" });
  assert.ok(done.stdout.startsWith("{"), done.stderr);
  const severities = ["error", "warning", "info", "hint"];
  const ofReason = { runtime: 2, not_understood: 1, limit: 1, failure: 0 };
  return JSON.parse(done.stdout).files.flatMap(({ path: name, findings, unchecked }) => [
    ...findings.map((each) => [name, each.rule, severities.indexOf(each.severity), each.message, each.range]),
    ...unchecked.map((each) => [name, each.rule, ofReason[each.reason], `Not checked: ${each.message}`, each.range]),
  ]);
}

for (const seed of SEEDS) {
  test(`session ${seed}: ${COUNT} actions`, async () => {
    const window = await code.open({ ...texts, "shop.tools.json": example("tools/shop.tools.json") }, { settings: { "files.autoSave": "off" } });
    const inside = await Inside.of(window);
    const log = await inside.run(work, { seed, count: COUNT, texts, policies, configurations });
    try {
      const { found, broken } = await compare(window, inside);
      console.log(`session ${seed}: ${found.length} problems, and VS Code's own in ${broken.length} files`);
    } catch (error) {
      error.message += `\n${log.join("\n")}`;
      throw error;
    }
    await window.close();
  });
}

for (const how of ["put right", "deleted"]) {
  test(`a plan that is ${how} and closed at once leaves no problems, where plans that are not open are left alone`, async () => {
    const name = "declared.plan.json";
    const window = await code.open({ [name]: texts[name] }, { settings: { "plancheck.workspaceDiagnostics": false } });
    const inside = await Inside.of(window);
    const healthy = example("declared/refund.plan.json");
    await inside.run(closeAtOnce, { name, healthy: how === "deleted" ? undefined : healthy });
    await eventuallyEqual(async () => (await inside.run(problems)).found, []);
    await window.close();
  });
}

/** Runs in the extension host. Opens a plan with problems and leaves it, changed or deleted. */
async function closeAtOnce(vscode, { name, healthy }) {
  const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);
  await vscode.commands.executeCommand("vscode.open", uri);
  while (vscode.languages.getDiagnostics(uri).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  if (healthy === undefined) {
    const edit = new vscode.WorkspaceEdit();
    edit.deleteFile(uri);
    await vscode.workspace.applyEdit(edit);
    return;
  }
  const { document, edit } = vscode.window.activeTextEditor;
  await edit((builder) => builder.replace(document.validateRange(new vscode.Range(0, 0, 999, 0)), healthy));
  await document.save();
  await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
}

/** Plans and the policy. What is wrong with a configuration the command says in its own way, beside the files. */
async function compare(window, inside) {
  const LEFT_TO_VSCODE = ["syntax_error", "duplicate_key"];
  const isCompared = ([name]) => name in texts || name === "plan-policy.yaml";
  const sorted = (rows) => rows.map((row) => JSON.stringify(row)).sort();
  let seen;
  let wanted;
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    const { found, broken, open, unsaved } = await inside.run(problems);
    const all = said(window.folder).filter(isCompared);
    // VS Code reads no JSON that is inside a text, and knows nothing of plans: this we say in open plans, too.
    const isOurs = (message) => message.startsWith("The arguments ") || message.startsWith("`parameters` means the same");
    const isLeft = ([name, rule, , message]) => open.includes(name) && LEFT_TO_VSCODE.includes(rule) && !isOurs(message);
    seen = { unsaved, broken, found: sorted(found.filter(isCompared)) };
    wanted = {
      unsaved: [],
      broken: [...new Set(all.filter(isLeft).map(([name]) => name))].sort(),
      found: sorted(all.filter((row) => !isLeft(row)).map(flat)),
    };
    if (JSON.stringify(seen) === JSON.stringify(wanted)) break;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  assert.deepEqual(seen, wanted);
  return wanted;
}

function flat([name, rule, severity, message, { start, end }]) {
  return [name, rule, severity, message, start.line, start.character, end.line, end.character];
}
