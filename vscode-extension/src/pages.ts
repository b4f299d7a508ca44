/** Pages in the editor that the server has written: the report of a plan, and the documentation of a rule. */
import * as path from "node:path";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

const SCHEME = "plancheck";
const PAUSE_MS = 200;

interface ReportAnswer {
  readonly markdown: string;
}

export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly rules = new Map<string, string>();
  private readonly reports = new Set<string>();
  private readonly parts: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly client: () => Promise<LanguageClient | undefined>) {
    this.parts = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        this.refresh(document.uri);
      }),
    ];
  }

  /** The report of a plan, rendered beside it and kept up to date. */
  async showReport(plan: vscode.Uri): Promise<void> {
    const page = reportUri(plan);
    this.reports.add(plan.toString());
    this.changed.fire(page);
    await vscode.commands.executeCommand("markdown.showPreviewToSide", page);
  }

  async showRule(rule: string, markdown: string): Promise<void> {
    this.rules.set(rule, markdown);
    const page = vscode.Uri.from({ scheme: SCHEME, path: `/${rule}.md` });
    this.changed.fire(page);
    await vscode.commands.executeCommand("markdown.showPreview", page);
  }

  async provideTextDocumentContent(page: vscode.Uri): Promise<string> {
    if (page.query === "") {
      return this.rules.get(path.basename(page.path, ".md")) ?? "";
    }
    const client = await this.client();
    const answer = await client?.sendRequest<ReportAnswer | null>("plancheck/report", { textDocument: { uri: page.query } });
    return answer?.markdown ?? "This file is no plan: there is nothing to report.";
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.changed.dispose();
    vscode.Disposable.from(...this.parts).dispose();
  }

  private refresh(plan: vscode.Uri): void {
    if (this.reports.has(plan.toString())) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        this.changed.fire(reportUri(plan));
      }, PAUSE_MS);
    }
  }
}

function reportUri(plan: vscode.Uri): vscode.Uri {
  const name = path.basename(plan.path).replace(/\.json$/, "");
  return vscode.Uri.from({ scheme: SCHEME, path: `/Report of ${name}.md`, query: plan.toString() });
}
