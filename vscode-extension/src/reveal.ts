/** Shows a step of a plan in its text. */
import * as vscode from "vscode";
import type { Connection } from "./client";
import { fetchGraph, rangeOf } from "./graph/source";

export async function showRange(uri: vscode.Uri, range: vscode.Range, focus: boolean): Promise<void> {
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
  const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.One;
  const editor = await vscode.window.showTextDocument(uri, { viewColumn, preserveFocus: !focus });
  editor.selection = new vscode.Selection(range.start, range.start);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Show the step with this identity, wherever it stands by now. */
export async function revealStep(connection: Connection, uri: vscode.Uri, identity: string): Promise<void> {
  const client = await connection.get();
  const answer = client === undefined ? null : await fetchGraph(client, uri);
  const node = answer?.graph.nodes.find((each) => String(each.identity) === identity);
  const range = answer && node ? rangeOf(answer, node.position) : undefined;
  if (range !== undefined) {
    await showRange(uri, range, true);
  }
}
