/** The report of one plan beside its text, kept up to date. */
import { randomBytes } from "node:crypto";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Connection } from "../client";
import { revealStep, showRange } from "../reveal";
import { renderReport, type Place, type Report } from "./render";
import type { FromPage } from "./view";

const PAUSE_MS = 200;

interface ReportAnswer {
  /** None for a plan that is not open. */
  readonly version: number | null;
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
      this.panel.webview.onDidReceiveMessage((message: FromPage) => this.receive(message)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        this.refreshIf(document.uri);
      }),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        uris.forEach((changed) => {
          this.refreshIf(changed);
        });
      }),
      connection.onReady(() => {
        this.refreshIf(this.uri);
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

  private refreshIf(changed: vscode.Uri): void {
    if (changed.toString() === this.uri.toString()) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.refresh(), PAUSE_MS);
    }
  }

  private async receive({ step, place }: FromPage): Promise<void> {
    if (step !== undefined) {
      await revealStep(this.connection, this.uri, step);
    } else if (place !== undefined) {
      await this.showInText(place);
    } else {
      await this.refresh();
    }
  }

  private async showInText({ start, end }: Place): Promise<void> {
    await showRange(this.uri, new vscode.Range(start.line, start.character, end.line, end.character), true);
  }

  private async refresh(): Promise<void> {
    const client = await this.connection.get();
    if (client === undefined || this.connection.running !== client) {
      return;
    }
    const uri = client.code2ProtocolConverter.asUri(this.uri);
    let answer: ReportAnswer | null;
    try {
      answer = await client.sendRequest<ReportAnswer | null>("plancheck/report", { textDocument: { uri } });
    } catch (error) {
      if (this.connection.running === client) {
        throw error;
      }
      return; // The server ended meanwhile; it is asked again as soon as it is back.
    }
    if (answer !== null && answer.version !== null && answer.version < (this.document?.version ?? 0)) {
      return; // A newer edit has asked again already.
    }
    const html = answer === null ? "<p>This file is not a plan: there is nothing to report.</p>" : renderReport(answer.report, this.title);
    await this.panel.webview.postMessage({ html });
    if (answer?.report.document.pending === true) {
      this.refreshIf(this.uri);
    }
  }

  private get document(): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find((document) => document.uri.toString() === this.uri.toString());
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
