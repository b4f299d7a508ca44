/** Files that are plans or policies whatever their names: because a configuration says so, or the user does. */
import * as vscode from "vscode";
import type { DocumentFilter, RelativePattern } from "vscode-languageclient/node";

/** What the server tells in `plancheck/served`. */
export interface Served {
  readonly plans: readonly RelativePattern[];
  readonly policies: readonly RelativePattern[];
}

const SERVED = "plancheck.served";
const MARKED = "plancheck.marked";
const NOTHING: Served = { plans: [], policies: [] };

/** Kept for the workspace, so that the next start knows them before the server does. */
export class NamedFiles implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when other files are plans or policies than before. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly memory: vscode.Memento) {}

  private get served(): Served {
    return this.memory.get(SERVED, NOTHING);
  }

  /** The documents, by their URIs, that the user treats as plans. */
  get marked(): readonly string[] {
    return this.memory.get<string[]>(MARKED, []);
  }

  get plans(): DocumentFilter[] {
    const marked = this.marked.map((text): DocumentFilter => {
      const uri = vscode.Uri.parse(text);
      return { scheme: uri.scheme, pattern: literally(uri.fsPath) };
    });
    return [...this.served.plans.map(filter), ...marked];
  }

  get policies(): DocumentFilter[] {
    return this.served.policies.map(filter);
  }

  async takeIn(served: Served): Promise<void> {
    if (JSON.stringify(served) !== JSON.stringify(this.served)) {
      await this.memory.update(SERVED, served);
      this.changed.fire();
    }
  }

  isMarked(uri: vscode.Uri): boolean {
    return this.marked.includes(uri.toString());
  }

  async mark(uri: vscode.Uri, isPlan: boolean): Promise<void> {
    const others = this.marked.filter((each) => each !== uri.toString());
    await this.memory.update(MARKED, isPlan ? [...others, uri.toString()] : others);
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** A selector of the protocol as VS Code has it. */
export function asSelector(filters: readonly DocumentFilter[]): vscode.DocumentSelector {
  return filters.map((each) => {
    const pattern = (each as { pattern?: string | RelativePattern }).pattern;
    if (pattern === undefined || typeof pattern === "string") {
      return each as vscode.DocumentFilter;
    }
    const base = vscode.Uri.parse(typeof pattern.baseUri === "string" ? pattern.baseUri : pattern.baseUri.uri);
    return { ...each, pattern: new vscode.RelativePattern(base, pattern.pattern) };
  });
}

function filter(pattern: RelativePattern): DocumentFilter {
  return { scheme: "file", pattern };
}

/** The glob that fits a path and no other. */
function literally(path: string): string {
  return path.replace(/[*?[{]/g, "[$&]");
}
