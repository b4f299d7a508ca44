/** Where VS Code enters: puts the parts together, and starts the server when the first plan is opened. */
import * as vscode from "vscode";
import { Connection } from "./client";
import { registerCommands } from "./commands";
import { GraphPanel } from "./graph/panel";
import { onDidSelectEnvironment } from "./interpreter";
import { NamedFiles } from "./named";
import { Panels } from "./panels";
import { ReportPanel } from "./report/panel";
import { RulePages } from "./rulepages";
import { SECTION, START_SETTINGS, isPlan, isServed } from "./settings";
import { Status } from "./status";

/** Projects of Python that are looked into for a configuration. */
const MOST_PROJECTS = 20;

let connection: Connection | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("plancheck", { log: true });
  const named = new NamedFiles(context.workspaceState);
  const status = new Status(named);
  const rulePages = new RulePages();
  const opened = new Connection(context, status, rulePages, named, log);
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
    named,
    registerCommands(opened, named, rulePages, graphs, reports),
    vscode.workspace.onDidOpenTextDocument((document) => {
      startFor(opened, named, document);
      notePlans(named);
    }),
    vscode.workspace.onDidCloseTextDocument(() => {
      notePlans(named);
    }),
    named.onDidChange(() => {
      status.select();
      notePlans(named);
      void opened.followNamed();
      startForAll(opened, named);
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (START_SETTINGS.some((name) => event.affectsConfiguration(name))) {
        status.select();
        notePlans(named);
        void restartIfUsed(opened, named);
      }
    }),
  );
  void onDidSelectEnvironment(() => void restartIfUsed(opened, named)).then((subscription) => {
    if (subscription !== undefined) {
      context.subscriptions.push(subscription);
    }
  });
  notePlans(named);
  startForAll(opened, named);
  void startIfConfigured(opened);
}

export async function deactivate(): Promise<void> {
  await connection?.stop();
}

function startForAll(connection: Connection, named: NamedFiles): void {
  vscode.workspace.textDocuments.forEach((document) => {
    startFor(connection, named, document);
  });
}

function startFor(connection: Connection, named: NamedFiles, document: vscode.TextDocument): void {
  if (isServed(document, named)) {
    void connection.get();
  }
}

/** Where there is a configuration, the server alone knows which files are plans and policies. */
async function startIfConfigured(connection: Connection): Promise<void> {
  const [own] = await vscode.workspace.findFiles("**/plancheck.toml", undefined, 1);
  if (own !== undefined || (await anyConfigures(await vscode.workspace.findFiles("**/pyproject.toml", undefined, MOST_PROJECTS)))) {
    await connection.get();
  }
}

async function anyConfigures(projects: vscode.Uri[]): Promise<boolean> {
  const texts = await Promise.all(projects.map((uri) => vscode.workspace.fs.readFile(uri)));
  return texts.some((bytes) => Buffer.from(bytes).includes("tool.plancheck"));
}

/** A server that nobody has needed yet is not started by a change of settings. */
async function restartIfUsed(connection: Connection, named: NamedFiles): Promise<void> {
  if (vscode.workspace.textDocuments.some((document) => isServed(document, named))) {
    await connection.restart();
  }
}

/** Menus and icons appear in editors that show a plan, and only there. */
function notePlans(named: NamedFiles): void {
  const paths = (documents: vscode.TextDocument[]) => documents.map(({ uri }) => uri.fsPath);
  const { textDocuments } = vscode.workspace;
  const plans = textDocuments.filter((document) => isPlan(document, named));
  void vscode.commands.executeCommand("setContext", `${SECTION}.plans`, paths(plans));
  const marked = textDocuments.filter(({ uri }) => named.isMarked(uri));
  void vscode.commands.executeCommand("setContext", `${SECTION}.marked`, paths(marked));
}
