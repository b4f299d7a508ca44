/** How the server is started: which program, with which arguments. */
import * as path from "node:path";
import type * as vscode from "vscode";
import type { Executable } from "vscode-languageclient/node";
import { findInterpreter } from "./interpreter";
import type { StartSettings } from "./settings";
import { versionText } from "./version";

export interface ServerCommand {
  readonly executable: Executable;
  /** What runs, for the status item. */
  readonly description: string;
}

export async function serverCommand(
  settings: StartSettings,
  extension: vscode.Uri,
  log: vscode.LogOutputChannel,
): Promise<ServerCommand> {
  if (settings.path !== "") {
    return { executable: { command: settings.path, args: ["lsp"] }, description: settings.path };
  }
  const python = await findInterpreter(settings.interpreter, log);
  const bundled = path.join(extension.fsPath, "bundled", "launch.py");
  // Isolated, so that neither PYTHONPATH nor the folder the editor was started in changes what is imported.
  const args = settings.fromEnvironment ? ["-m", "plancheck", "lsp"] : ["-I", bundled];
  const description = `Python ${versionText(python.version)}, ${settings.fromEnvironment ? "from its environment" : "bundled"}`;
  return { executable: { command: python.command, args }, description };
}
