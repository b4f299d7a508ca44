/** Where VS Code enters: puts the parts together, and starts the server when the first plan is opened. */
import * as vscode from "vscode";
import { Connection } from "./client";
import { registerCommands } from "./commands";
import { GraphPanel } from "./graph/panel";
import { onDidSelectEnvironment } from "./interpreter";
import { Panels } from "./panels";
import { ReportPanel } from "./report/panel";
import { RulePages } from "./rulepages";
import { SECTION, START_SETTINGS, isPlan, isServed } from "./settings";
import { Status } from "./status";

let connection: Connection | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("plancheck", { log: true });
  const status = new Status();
  const rulePages = new RulePages();
  const opened = new Connection(context, status, rulePages, log);
  connection = opened;
  const graphs = new Panels((uri) => new GraphPanel(uri, context.extensionUri, opened));
  const reports = new Panels((uri) => new ReportPanel(uri, context.extensionUri, opened));
  context.subscriptions.push(
    log,
    status,
    graphs,
    reports,
    rulePages,
    opened,
    registerCommands(opened, graphs, reports),
    vscode.workspace.onDidOpenTextDocument((document) => {
      startFor(opened, document);
      notePlans();
    }),
    vscode.workspace.onDidCloseTextDocument(notePlans),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (START_SETTINGS.some((name) => event.affectsConfiguration(name))) {
        status.select();
        notePlans();
        void restartIfUsed(opened);
      }
    }),
  );
  void onDidSelectEnvironment(() => void restartIfUsed(opened)).then((subscription) => {
    if (subscription !== undefined) {
      context.subscriptions.push(subscription);
    }
  });
  notePlans();
  vscode.workspace.textDocuments.forEach((document) => {
    startFor(opened, document);
  });
}

export async function deactivate(): Promise<void> {
  await connection?.stop();
}

function startFor(connection: Connection, document: vscode.TextDocument): void {
  if (isServed(document)) {
    void connection.get();
  }
}

/** A server that nobody has needed yet is not started by a change of settings. */
async function restartIfUsed(connection: Connection): Promise<void> {
  if (vscode.workspace.textDocuments.some(isServed)) {
    await connection.restart();
  }
}

/** Menus and icons appear in editors that show a plan, and only there. */
function notePlans(): void {
  const plans = vscode.workspace.textDocuments.filter(isPlan).map((document) => document.uri.fsPath);
  void vscode.commands.executeCommand("setContext", `${SECTION}.plans`, plans);
}
