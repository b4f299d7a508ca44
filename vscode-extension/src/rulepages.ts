/** Pages in Markdown that the server gives, such as the documentation of a rule, rendered beside the plan. */
import * as path from "node:path";
import * as vscode from "vscode";
import { SHOW_RULE } from "./answers";

const SCHEME = "plancheck";

/** What the addresses of the rules' pages begin with, in the server's diagnostics. */
const PAGES = "https://github.com/plancheck/plancheck/blob/main/docs/rules.md#";

/** The command that shows a rule's page here, in the place of the page's address on the web. */
export function ruleCommand(address: string): vscode.Uri | undefined {
  if (!address.startsWith(PAGES)) {
    return undefined;
  }
  const args = encodeURIComponent(JSON.stringify(["", address.slice(PAGES.length)]));
  return vscode.Uri.parse(`command:${SHOW_RULE}?${args}`);
}

export class RulePages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly pages = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  async show(name: string, markdown: string): Promise<void> {
    this.pages.set(name, markdown);
    const page = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.md` });
    this.changed.fire(page);
    await vscode.commands.executeCommand("markdown.showPreviewToSide", page);
  }

  provideTextDocumentContent(page: vscode.Uri): string {
    return this.pages.get(path.basename(page.path, ".md")) ?? "";
  }

  dispose(): void {
    this.changed.dispose();
    this.registration.dispose();
  }
}
