/** The commands of the extension. Those that the server executes itself are registered by the language client. */
import * as vscode from "vscode";
import type { Location, Position } from "vscode-languageclient/node";
import { APPLY_FIXES, SHOW_RULE } from "./answers";
import { checkWorkspace } from "./check";
import type { Connection } from "./client";
import type { GraphPanel } from "./graph/panel";
import { showDoctor } from "./doctor";
import { selectInterpreter } from "./interpreterlist";
import type { NamedFiles } from "./named";
import type { Panels } from "./panels";
import type { ReportPanel } from "./report/panel";
import type { RulePages } from "./rulepages";
import { SECTION, isPlan } from "./settings";
import { newPlan } from "./starter";

/** Lenses and actions put the URI of their document first; menus give a `Uri`, and the palette nothing at all. */
type Target = string | vscode.Uri | undefined;

export function registerCommands(
  connection: Connection,
  named: NamedFiles,
  pages: RulePages,
  graphs: Panels<GraphPanel>,
  reports: Panels<ReportPanel>,
): vscode.Disposable {
  const withPlan = (target: Target, run: (uri: vscode.Uri) => unknown): unknown => runWithPlan(named, target, run);
  const commands: Record<string, (...args: never[]) => unknown> = {
    restart: () => connection.restart(),
    showOutput: () => {
      connection.log.show();
    },
    newPlan: () => newPlan(connection),
    selectInterpreter: async () => {
      if (await selectInterpreter(connection.log)) {
        await connection.restart();
      }
    },
    openGraph: (target: Target, identity?: string | number) => {
      withPlan(target, (uri) => {
        graphs.of(uri).reveal(typeof identity === "object" ? undefined : identity);
      });
    },
    showReport: (target: Target) => {
      withPlan(target, (uri) => {
        reports.of(uri).reveal();
      });
    },
    showFindings: () => vscode.commands.executeCommand("workbench.actions.view.problems"),
    showSteps: (target: Target, from: Position) => showSteps(connection, target, from),
    showUses: (target: Target, from: Position) => showUses(connection, target, from),
    fixAll: (target: Target) => {
      withPlan(target, (uri) => applyFixes(connection, uri, "", "file"));
    },
    fixRule: (target: Target) => fixRule(connection, target, "file"),
    fixRuleInWorkspace: (target: Target) => fixRule(connection, target, "workspace"),
    checkWorkspace: () => checkWorkspace(connection),
    treatAsPlan: (target?: vscode.Uri) => treat(named, target, true),
    treatAsOther: (target?: vscode.Uri) => treat(named, target, false),
    openRulePage: () => openRulePage(connection),
    doctor: () => showDoctor(connection, pages),
  };
  const parts = Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(`${SECTION}.${name}`, run));
  return vscode.Disposable.from(...parts);
}

function runWithPlan(named: NamedFiles, target: Target, run: (uri: vscode.Uri) => unknown): unknown {
  const uri = typeof target === "string" ? vscode.Uri.parse(target) : target;
  const active = vscode.window.activeTextEditor?.document;
  const plan = uri ?? (active !== undefined && isPlan(active, named) ? active.uri : undefined);
  if (plan === undefined) {
    return vscode.window.showInformationMessage("Open a plan first: a JSON file named *.plan.json, *.calls.json or *.trace.json.");
  }
  return run(plan);
}

/** List the steps that follow the one at a position. */
async function showSteps(connection: Connection, target: Target, from: Position): Promise<void> {
  const client = await connection.get();
  if (client === undefined || target === undefined) {
    return;
  }
  const uri = typeof target === "string" ? vscode.Uri.parse(target) : target;
  const { protocol2CodeConverter: convert, code2ProtocolConverter: revert } = client;
  const params = { textDocument: { uri: revert.asUri(uri) }, position: from };
  const answer = await client.sendRequest<{ locations: Location[] } | null>("plancheck/followers", params);
  const places = (answer?.locations ?? []).map((place) => convert.asLocation(place));
  await vscode.commands.executeCommand("editor.action.showReferences", uri, convert.asPosition(from), places);
}

/** List the calls of the tool whose name is at a position of a catalogue. */
async function showUses(connection: Connection, target: Target, from: Position): Promise<void> {
  const client = await connection.get();
  if (client === undefined || target === undefined) {
    return;
  }
  const uri = typeof target === "string" ? vscode.Uri.parse(target) : target;
  await vscode.commands.executeCommand("editor.action.findReferences", uri, client.protocol2CodeConverter.asPosition(from));
}

type Scope = "file" | "workspace";

/** Apply safe fixes by the server, which says how many there were; see `answers`. */
async function applyFixes(connection: Connection, uri: vscode.Uri, rule: string, scope: Scope): Promise<void> {
  if ((await connection.get()) !== undefined) {
    await vscode.commands.executeCommand(APPLY_FIXES, uri.toString(), rule, scope, "safe");
  }
}

async function fixRule(connection: Connection, target: Target, scope: Scope): Promise<void> {
  const picked = await pickRule(connection, "Fix all problems of a rule");
  if (picked !== undefined) {
    await applyFixes(connection, target instanceof vscode.Uri ? target : picked.uri, picked.rule, scope);
  }
}

/** Treat a JSON document as a plan, whatever its name, or no longer. */
async function treat(named: NamedFiles, target: vscode.Uri | undefined, isPlan: boolean): Promise<void> {
  const uri = target ?? vscode.window.activeTextEditor?.document.uri;
  if (uri !== undefined) {
    await named.mark(uri, isPlan);
  }
}

/** Open the page of a rule: of the one that is found at the cursor, else of one picked from those found here. */
async function openRulePage(connection: Connection): Promise<void> {
  const picked = await pickRule(connection, "Open the page of a rule");
  if (picked !== undefined) {
    await vscode.commands.executeCommand(SHOW_RULE, picked.uri.toString(), picked.rule);
  }
}

interface Picked {
  readonly uri: vscode.Uri;
  readonly rule: string;
}

/** The rule that is found at the cursor, else one picked from those found here. */
async function pickRule(connection: Connection, title: string): Promise<Picked | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || (await connection.get()) === undefined) {
    return undefined;
  }
  const { document, selection } = editor;
  const ours = vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === SECTION);
  const here = ours.filter(({ range }) => range.contains(selection.active));
  const rules = [...new Set((here.length > 0 ? here : ours).map(ruleOf))].sort();
  const rule = rules.length > 1 ? await vscode.window.showQuickPick(rules, { title }) : rules[0];
  if (rules.length === 0) {
    void vscode.window.showInformationMessage("Nothing was found in this plan, so there is no rule to choose.");
  }
  return rule === undefined ? undefined : { uri: document.uri, rule };
}

function ruleOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === "object" ? code.value : code);
}
