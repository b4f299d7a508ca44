/** The report of one plan beside its text, kept up to date. */
import { randomBytes } from "node:crypto";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Connection } from "../client";
import { revealStep } from "../reveal";
import { renderReport, type Report } from "./render";

const PAUSE_MS = 200;

interface ReportAnswer {
  readonly report: Report;
}

export class ReportPanel implements vscode.Disposable {
  private readonly panel: vscode.WebviewPanel;
  private readonly parts: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;
  private readonly closed = new vscode.EventEmitter<void>();
  readonly onClosed = this.closed.event;

  constructor(
    private readonly uri: vscode.Uri,
    private readonly extension: vscode.Uri,
    private readonly connection: Connection,
  ) {
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    this.panel = vscode.window.createWebviewPanel("plancheck.report", this.title, place, {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(extension, "dist")],
    });
    this.parts = [
      this.panel.onDidDispose(() => {
        this.dispose();
      }),
      this.panel.webview.onDidReceiveMessage((message: { step?: string }) =>
        message.step === undefined ? this.refresh() : revealStep(this.connection, this.uri, message.step),
      ),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.toString() === this.uri.toString()) {
          clearTimeout(this.timer);
          this.timer = setTimeout(() => void this.refresh(), PAUSE_MS);
        }
      }),
    ];
    this.panel.webview.html = this.page();
  }

  reveal(): void {
    this.panel.reveal(undefined, true);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.closed.fire();
    this.closed.dispose();
    vscode.Disposable.from(...this.parts.splice(0)).dispose();
    this.panel.dispose();
  }

  private get title(): string {
    return `Report of ${path.basename(this.uri.path)}`;
  }

  private async refresh(): Promise<void> {
    const client = await this.connection.get();
    if (client === undefined) {
      return;
    }
    const uri = client.code2ProtocolConverter.asUri(this.uri);
    const answer = await client.sendRequest<ReportAnswer | null>("plancheck/report", { textDocument: { uri } });
    const html = answer === null ? "<p>This file is no plan: there is nothing to report.</p>" : renderReport(answer.report, this.title);
    await this.panel.webview.postMessage({ html });
  }

  private page(): string {
    const { webview } = this.panel;
    const nonce = randomBytes(16).toString("hex");
    const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(this.extension, "dist", name)).toString();
    return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'">
  <link rel="stylesheet" href="${file("report.css")}">
  <title>Report</title>
</head>
<body><main></main><script nonce="${nonce}" src="${file("report.js")}"></script></body>
</html>`;
  }
}
