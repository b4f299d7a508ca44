/** The commands of the extension. Those that the server executes itself are registered by the language client. */
import * as vscode from "vscode";
import type { Location, Position } from "vscode-languageclient/node";
import type { Connection } from "./client";
import type { GraphPanel } from "./graph/panel";
import type { Panels } from "./panels";
import type { ReportPanel } from "./report/panel";
import { SECTION, isPlan } from "./settings";
import { newPlan } from "./starter";

/** Lenses and actions put the URI of their document first; menus give a `Uri`, and the palette nothing at all. */
type Target = string | vscode.Uri | undefined;

export function registerCommands(connection: Connection, graphs: Panels<GraphPanel>, reports: Panels<ReportPanel>): vscode.Disposable {
  const commands: Record<string, (...args: never[]) => unknown> = {
    restart: () => connection.restart(),
    showOutput: () => {
      connection.log.show();
    },
    newPlan,
    selectInterpreter,
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
    showSteps: (target: Target, from: Position, steps: Location[]) => showSteps(connection, target, from, steps),
    showUses: (target: Target, from: Position) => showUses(connection, target, from),
    fixAll: () => vscode.commands.executeCommand("editor.action.codeAction", { kind: "source.fixAll.plancheck", apply: "first" }),
    checkWorkspace: () => checkWorkspace(connection),
    openRulePage: () => openRulePage(connection),
  };
  const parts = Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(`${SECTION}.${name}`, run));
  return vscode.Disposable.from(...parts);
}

function withPlan(target: Target, run: (uri: vscode.Uri) => unknown): unknown {
  const uri = typeof target === "string" ? vscode.Uri.parse(target) : target;
  const active = vscode.window.activeTextEditor?.document;
  const plan = uri ?? (active !== undefined && isPlan(active) ? active.uri : undefined);
  if (plan === undefined) {
    return vscode.window.showInformationMessage("Open a plan first: a JSON file named *.plan.json, *.calls.json or *.trace.json.");
  }
  return run(plan);
}

async function showSteps(connection: Connection, target: Target, from: Position, steps: Location[]): Promise<void> {
  const client = await connection.get();
  if (client === undefined || target === undefined) {
    return;
  }
  const uri = typeof target === "string" ? vscode.Uri.parse(target) : target;
  const { protocol2CodeConverter: convert } = client;
  const places = steps.map((step) => convert.asLocation(step));
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

/** Check every plan of the workspace, open or not, and show what was found. */
async function checkWorkspace(connection: Connection): Promise<void> {
  if ((await connection.get()) !== undefined) {
    await vscode.commands.executeCommand("workbench.actions.view.problems");
  }
}

/** Open the page of a rule: of the one that is found at the cursor, else of one picked from those found here. */
async function openRulePage(connection: Connection): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || (await connection.get()) === undefined) {
    return;
  }
  const { document, selection } = editor;
  const ours = vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === SECTION);
  const here = ours.filter(({ range }) => range.contains(selection.active));
  const rules = [...new Set((here.length > 0 ? here : ours).map(ruleOf))].sort();
  const rule = rules.length > 1 ? await vscode.window.showQuickPick(rules, { title: "Open the page of a rule" }) : rules[0];
  if (rule === undefined) {
    if (rules.length === 0) {
      await vscode.window.showInformationMessage("Nothing was found in this plan, so there is no rule to read about.");
    }
    return;
  }
  await vscode.commands.executeCommand("plancheck.showRule", document.uri.toString(), rule);
}

function ruleOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === "object" ? code.value : code);
}

/** The Python extension's own picker where there is one, else the setting. */
async function selectInterpreter(): Promise<void> {
  if (vscode.extensions.getExtension("ms-python.python") !== undefined) {
    await vscode.commands.executeCommand("python.setInterpreter");
    return;
  }
  const picked = await vscode.window.showOpenDialog({ title: "Select a Python 3.10 or newer", openLabel: "Use this Python" });
  if (picked?.[0] !== undefined) {
    await vscode.workspace.getConfiguration(SECTION).update("interpreter", picked[0].fsPath, vscode.ConfigurationTarget.Global);
  }
}
