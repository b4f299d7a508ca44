/** A new plan, in the format that the user chooses: as the server begins one, or a first one to play with. */
import * as vscode from "vscode";
import type { Connection } from "./client";

const EXAMPLE = `{
  "plan_id": "first-plan",
  "nodes": [
    {"idx": 0, "agent": "market-data", "kind": "tool_call", "reads": [{"id": "quote:ACME", "volatile": true}]},
    {"idx": 1, "agent": "strategist", "kind": "decision", "reads": [{"id": "quote:ACME", "producer": 0}]},
    {"idx": 2, "agent": "broker", "kind": "tool_call", "reads": [{"id": "quote:ACME", "producer": 0}], "writes": ["orders/1"]}
  ]
}
`;

/** What the server answers to `plancheck/starters`. */
interface Starter {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** What stands before `.json` in the names of such files. */
  readonly suffix: string;
  readonly snippet: string;
}

interface Choice extends vscode.QuickPickItem {
  readonly suffix: string;
  readonly snippet: vscode.SnippetString;
}

export async function newPlan(connection: Connection): Promise<void> {
  const choice = await vscode.window.showQuickPick(choices(connection), { title: "New plan", matchOnDetail: true });
  if (choice === undefined) {
    return;
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = await freeName(folder, choice.suffix);
  const uri = folder === undefined ? vscode.Uri.parse(`untitled:${name}`) : vscode.Uri.joinPath(folder, name).with({ scheme: "untitled" });
  const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  await editor.insertSnippet(choice.snippet, new vscode.Position(0, 0));
}

/** The example needs no server, so that there is one thing to choose in any case. */
async function choices(connection: Connection): Promise<Choice[]> {
  const client = await connection.get();
  const starters = client === undefined ? [] : await client.sendRequest<Starter[]>("plancheck/starters");
  const example = { label: "Example", description: "a declared plan with two things in it to be found", suffix: "plan" };
  return [
    ...starters.map(({ name, title, summary, suffix, snippet }) => ({
      label: title,
      description: name,
      detail: summary,
      suffix,
      snippet: new vscode.SnippetString(snippet),
    })),
    { ...example, snippet: new vscode.SnippetString().appendText(EXAMPLE) },
  ];
}

async function freeName(folder: vscode.Uri | undefined, suffix: string): Promise<string> {
  const taken = folder === undefined ? [] : (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
  let name = `first.${suffix}.json`;
  for (let number = 2; taken.includes(name); number++) {
    name = `first-${number}.${suffix}.json`;
  }
  return name;
}
