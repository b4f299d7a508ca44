/** The graph of one plan beside its text: follows every edit and the cursor, and leads back into the text. */
import * as path from "node:path";
import * as vscode from "vscode";
import type { Connection } from "../client";
import { showRange } from "../reveal";
import { graphPage } from "./page";
import type { FromPage, ToPage } from "./model";
import { fetchGraph, rangeOf, stepAt, toGraph, type GraphAnswer } from "./source";

/** Wait for a pause in the typing that is shorter than anyone would notice. */
const PAUSE_MS = 120;

export class GraphPanel implements vscode.Disposable {
  private readonly panel: vscode.WebviewPanel;
  private readonly parts: vscode.Disposable[] = [];
  private answer: GraphAnswer | undefined;
  private timer: NodeJS.Timeout | undefined;
  private pageIsReady = false;
  private cursor: number | null = null;
  private wanted: string | number | undefined;
  private readonly closed = new vscode.EventEmitter<void>();
  readonly onClosed = this.closed.event;

  constructor(
    readonly uri: vscode.Uri,
    private readonly extension: vscode.Uri,
    private readonly connection: Connection,
  ) {
    const title = `Graph of ${path.basename(uri.path)}`;
    this.panel = vscode.window.createWebviewPanel("plancheck.graph", title, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(extension, "dist")],
      // Laying out a large plan takes longer than keeping the page.
      retainContextWhenHidden: true,
    });
    this.panel.iconPath = {
      light: vscode.Uri.joinPath(extension, "images", "graph-light.svg"),
      dark: vscode.Uri.joinPath(extension, "images", "graph-dark.svg"),
    };
    this.parts.push(
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
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        this.followCursor(textEditor);
      }),
      connection.onReady(() => {
        this.refreshIf(this.uri);
      }),
      connection.onChanged((server) => {
        this.send({ type: "server", server });
      }),
    );
    this.panel.webview.html = graphPage(this.panel.webview, this.extension);
  }

  /** Bring the panel to the front, and with an identity point that step out. */
  reveal(identity?: string | number): void {
    this.wanted = identity;
    this.panel.reveal(undefined, true);
    this.showWanted();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.closed.fire();
    this.closed.dispose();
    vscode.Disposable.from(...this.parts.splice(0)).dispose();
    this.panel.dispose();
  }

  private refreshIf(changed: vscode.Uri): void {
    if (changed.toString() === this.uri.toString()) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.refresh(), PAUSE_MS);
    }
  }

  private async refresh(): Promise<void> {
    const document = this.document;
    const client = await this.connection.get();
    if (!this.pageIsReady || client === undefined || document === undefined || this.connection.running !== client) {
      return;
    }
    let answer: GraphAnswer | null;
    try {
      answer = await fetchGraph(client, document.uri);
    } catch (error) {
      if (this.connection.running === client) {
        throw error;
      }
      return; // The server ended meanwhile; it is asked again as soon as it is back.
    }
    if (answer === null) {
      this.send({ type: this.answer === undefined ? "empty" : "stale", reason: "This file is not a plan that can be drawn." });
      return;
    }
    if (answer.version < document.version) {
      return; // A newer edit has asked again already.
    }
    if (!answer.readable && this.answer !== undefined) {
      this.send({ type: "stale", reason: "The JSON is broken at the moment: this is the last graph that could be read." });
      return;
    }
    this.answer = answer;
    this.send({ type: "graph", graph: toGraph(answer, path.basename(this.uri.path)) });
    if (!answer.readable) {
      this.send({ type: "stale", reason: "The JSON is broken: this is as much of the graph as could be read." });
    }
    this.showWanted();
    this.editors.forEach((editor) => {
      this.followCursor(editor);
    });
  }

  private showWanted(): void {
    const node = this.answer?.graph.nodes.find(({ identity }) => identity === this.wanted);
    if (this.wanted !== undefined && node !== undefined) {
      this.send({ type: "select", position: node.position });
      this.wanted = undefined;
    }
  }

  private followCursor(editor: vscode.TextEditor): void {
    if (this.answer !== undefined && editor.document.uri.toString() === this.uri.toString()) {
      const position = stepAt(this.answer, editor.selection.active);
      // The graph may have a selection of its own by now, which only a move in the text overrules.
      if (position !== this.cursor) {
        this.cursor = position;
        this.send({ type: "cursor", position });
      }
    }
  }

  private async receive(message: FromPage): Promise<void> {
    if (message.type === "ready") {
      this.pageIsReady = true;
      this.send({ type: "server", server: this.connection.server });
      await this.refresh();
    } else if (message.type === "reveal") {
      await this.showInText(message.position, message.focus);
    } else if (message.type === "restart") {
      await vscode.commands.executeCommand("plancheck.restart");
    } else if (message.type === "log") {
      this.connection.log.show();
    } else {
      await this.save(message.format, message.base64);
    }
  }

  private async showInText(position: number, focus: boolean): Promise<void> {
    const range = this.answer === undefined ? undefined : rangeOf(this.answer, position);
    if (range === undefined) {
      return;
    }
    await showRange(this.uri, range, focus);
  }

  private async save(format: "svg" | "png", base64: string): Promise<void> {
    const name = path.basename(this.uri.path).replace(/\.json$/, "");
    const folder = vscode.Uri.joinPath(this.uri, "..");
    const target = await vscode.window.showSaveDialog({
      defaultUri: vscode.Uri.joinPath(folder, `${name}.${format}`),
      filters: format === "svg" ? { "SVG drawing": ["svg"] } : { "PNG picture": ["png"] },
    });
    if (target !== undefined) {
      await vscode.workspace.fs.writeFile(target, Buffer.from(base64, "base64"));
    }
  }

  private get document(): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find((document) => document.uri.toString() === this.uri.toString());
  }

  private get editors(): vscode.TextEditor[] {
    return vscode.window.visibleTextEditors.filter((editor) => editor.document.uri.toString() === this.uri.toString());
  }

  private send(message: ToPage): void {
    void this.panel.webview.postMessage(message);
  }
}
