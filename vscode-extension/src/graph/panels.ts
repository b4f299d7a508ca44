/** The graph views that are open, at most one for each plan. */
import * as vscode from "vscode";
import type { Connection } from "../client";
import { GraphPanel } from "./panel";

export class GraphPanels implements vscode.Disposable {
  private readonly open = new Map<string, GraphPanel>();

  constructor(
    private readonly extension: vscode.Uri,
    private readonly connection: Connection,
  ) {}

  show(uri: vscode.Uri, identity?: string | number): void {
    const key = uri.toString();
    let panel = this.open.get(key);
    if (panel === undefined) {
      panel = new GraphPanel(uri, this.extension, this.connection);
      panel.onClosed(() => this.open.delete(key));
      this.open.set(key, panel);
    }
    panel.reveal(identity);
  }

  dispose(): void {
    [...this.open.values()].forEach((panel) => {
      panel.dispose();
    });
  }
}
