/** Shows what plancheck runs on, what is in force for the active file, and what is wrong with either. */
import * as vscode from "vscode";
import type { Connection } from "./client";
import type { RulePages } from "./rulepages";

export async function showDoctor(connection: Connection, pages: RulePages): Promise<void> {
  const client = await connection.get();
  if (client === undefined) {
    return;
  }
  const uri = vscode.window.activeTextEditor?.document.uri;
  const params = uri === undefined ? {} : { textDocument: { uri: uri.toString() } };
  const title = "plancheck: looking at what is in force";
  const { text } = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () =>
    client.sendRequest<{ text: string }>("plancheck/doctor", params),
  );
  await pages.show("doctor", `# plancheck: Doctor\n\n\`\`\`\n${text}\`\`\`\n`);
}
