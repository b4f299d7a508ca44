/** A first plan to play with: small, and with two things in it to be found. */
import * as vscode from "vscode";

const PLAN = `{
  "plan_id": "first-plan",
  "nodes": [
    {"idx": 0, "agent": "market-data", "kind": "tool_call", "reads": [{"id": "quote:ACME", "volatile": true}]},
    {"idx": 1, "agent": "strategist", "kind": "decision", "reads": [{"id": "quote:ACME", "producer": 0}]},
    {"idx": 2, "agent": "broker", "kind": "tool_call", "reads": [{"id": "quote:ACME", "producer": 0}], "writes": ["orders/1"]}
  ]
}
`;

export async function newPlan(): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = await freeName(folder);
  const uri = folder === undefined ? vscode.Uri.parse(`untitled:${name}`) : vscode.Uri.joinPath(folder, name).with({ scheme: "untitled" });
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document);
  await editor.edit((edit) => {
    edit.insert(new vscode.Position(0, 0), PLAN);
  });
}

async function freeName(folder: vscode.Uri | undefined): Promise<string> {
  const taken = folder === undefined ? [] : (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
  let name = "first.plan.json";
  for (let number = 2; taken.includes(name); number++) {
    name = `first-${number}.plan.json`;
  }
  return name;
}
