/** The documentation of a rule, as the server has it, rendered in the editor. */
import * as path from "node:path";
import * as vscode from "vscode";

const SCHEME = "plancheck";

export class RulePages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly pages = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  async show(rule: string, markdown: string): Promise<void> {
    this.pages.set(rule, `# ${rule}\n\n${markdown}`);
    const page = vscode.Uri.from({ scheme: SCHEME, path: `/${rule}.md` });
    this.changed.fire(page);
    await vscode.commands.executeCommand("markdown.showPreview", page);
  }

  provideTextDocumentContent(page: vscode.Uri): string {
    return this.pages.get(path.basename(page.path, ".md")) ?? "";
  }

  dispose(): void {
    this.changed.dispose();
    this.registration.dispose();
  }
}
