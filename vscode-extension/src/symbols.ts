/**
 * Has the steps of a plan ready before VS Code asks for them. VS Code's JSON server names the parts of the text, too, and
 * breadcrumbs follow whoever answers first.
 */
import * as vscode from "vscode";
import { DocumentSymbolRequest, type ProvideDocumentSymbolsSignature } from "vscode-languageclient/node";
import type { Connection } from "./client";
import { isPlan } from "./settings";

/** VS Code itself waits longer than this after a change. */
const PAUSE_MS = 150;

/** A plan whose steps take longer is not asked about ahead of time: whoever types on makes that work for nothing. */
const SLOW_MS = 1000;

type Symbols = vscode.SymbolInformation[] | vscode.DocumentSymbol[] | null | undefined;

interface Known {
  readonly version: number;
  readonly symbols: Symbols;
  readonly took: number;
}

export class ReadySymbols implements vscode.Disposable {
  private readonly known = new WeakMap<vscode.TextDocument, Known>();
  private timer: NodeJS.Timeout | undefined;
  private readonly subscription = vscode.workspace.onDidChangeTextDocument(({ document }) => {
    if (document === vscode.window.activeTextEditor?.document && this.known.has(document)) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.fetchAhead(document), PAUSE_MS);
    }
  });

  constructor(private readonly connection: Connection) {}

  /** Answers VS Code: at once, where the answer is known; else VS Code asks a second time, and has it at once then. */
  provide(document: vscode.TextDocument, token: vscode.CancellationToken, next: ProvideDocumentSymbolsSignature): vscode.ProviderResult<Symbols> {
    return this.isKnown(document) ? this.known.get(document)?.symbols : this.provideLate(document, async () => next(document, token));
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscription.dispose();
  }

  private isKnown(document: vscode.TextDocument): boolean {
    return this.known.get(document)?.version === document.version;
  }

  private async provideLate(document: vscode.TextDocument, ask: () => Promise<Symbols>): Promise<Symbols> {
    const symbols = await this.noted(document, ask);
    if (this.isKnown(document) && isPlan(document, this.connection.named)) {
      askAgain(document);
    }
    return symbols;
  }

  private async fetchAhead(document: vscode.TextDocument): Promise<void> {
    const client = this.connection.running;
    if (client === undefined || this.isKnown(document) || (this.known.get(document)?.took ?? 0) > SLOW_MS) {
      return;
    }
    const params = { textDocument: client.code2ProtocolConverter.asTextDocumentIdentifier(document) };
    try {
      await this.noted(document, async () => {
        const answer = await client.sendRequest(DocumentSymbolRequest.type, params);
        return (answer ?? []).flatMap((symbol) => ("location" in symbol ? [] : [client.protocol2CodeConverter.asDocumentSymbol(symbol)]));
      });
    } catch (error) {
      // The server has ended, or another edit came in between. VS Code asks by itself.
      this.connection.log.debug(`The steps were not asked for ahead of time: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private async noted(document: vscode.TextDocument, ask: () => Promise<Symbols>): Promise<Symbols> {
    const { version } = document;
    const start = Date.now();
    const symbols = await ask();
    // One that was cancelled, or that came before the server knew the document, has none.
    if (document.version === version && symbols !== null && symbols !== undefined && symbols.length > 0) {
      this.known.set(document, { version, symbols, took: Date.now() - start });
    }
    return symbols;
  }
}

/** VS Code asks everybody for the symbols of a document again where somebody new could answer. */
function askAgain({ languageId }: vscode.TextDocument): void {
  vscode.languages.registerDocumentSymbolProvider({ language: languageId }, { provideDocumentSymbols: () => [] }).dispose();
}
