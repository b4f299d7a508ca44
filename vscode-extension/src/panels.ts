/** The views of one kind that are open beside plans, at most one for each plan. */
import * as vscode from "vscode";

export interface Panel extends vscode.Disposable {
  readonly onClosed: vscode.Event<void>;
}

export class Panels<Kind extends Panel> implements vscode.Disposable {
  private readonly open = new Map<string, Kind>();

  constructor(private readonly make: (uri: vscode.Uri) => Kind) {}

  /** The view of a plan, opened if need be. */
  of(uri: vscode.Uri): Kind {
    const key = uri.toString();
    let panel = this.open.get(key);
    if (panel === undefined) {
      panel = this.make(uri);
      panel.onClosed(() => this.open.delete(key));
      this.open.set(key, panel);
    }
    return panel;
  }

  dispose(): void {
    [...this.open.values()].forEach((panel) => {
      panel.dispose();
    });
  }
}
