/** The connection to the language server: start, restart, stop, and what to say when it cannot start. */
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  type CloseHandlerResult,
  type LanguageClientOptions,
  type Middleware,
  type StaticFeature,
} from "vscode-languageclient/node";
import { showAnswer } from "./answers";
import { NoInterpreter } from "./interpreter";
import type { NamedFiles, Served } from "./named";
import { ruleCommand, type RulePages } from "./rulepages";
import { serverCommand, type ServerCommand } from "./server";
import type { ServerState } from "./serverstate";
import { SECTION, servedSelector, serverSettings, startSettings } from "./settings";
import type { Status } from "./status";
import { ReadySymbols } from "./symbols";

/** A server that dies this often within the span is not started again by itself. */
const MOST_CRASHES = 4;
const CRASH_SPAN_MS = 3 * 60_000;

/** Has the server tell which files the configuration makes plans and policies. */
const ASKS_FOR_SERVED: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    capabilities.experimental = { ...(capabilities.experimental as object | undefined), plancheckServed: true };
  },
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};

/** The connection says itself, and once, what is wrong: the client's own messages are for the log. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export class Connection implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private starting: Promise<LanguageClient | undefined> | undefined;
  private hasFailed = false;
  /** Which documents the running server is told about. */
  private selected = "";
  private readonly ready = new vscode.EventEmitter<LanguageClient>();
  /** Fires whenever a server is up, the first time and after each restart. */
  readonly onReady = this.ready.event;
  private readonly changed = new vscode.EventEmitter<ServerState>();
  readonly onChanged = this.changed.event;
  private current: ServerState = { state: "stopped", reason: "" };
  private readonly symbols = new ReadySymbols(this);

  constructor(
    private readonly extension: vscode.ExtensionContext,
    private readonly status: Status,
    private readonly rulePages: RulePages,
    readonly named: NamedFiles,
    readonly log: vscode.LogOutputChannel,
  ) {}

  /** The running client, started if need be; nothing if it cannot be started, which the user has been told then. */
  async get(): Promise<LanguageClient | undefined> {
    this.starting ??= this.start();
    return this.starting;
  }

  /** The client, if it is running by now. */
  get running(): LanguageClient | undefined {
    return this.client?.state === State.Running ? this.client : undefined;
  }

  get server(): ServerState {
    return this.current;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.get();
  }

  async stop(): Promise<void> {
    await this.starting;
    const client = this.client;
    this.client = undefined;
    this.starting = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      // One that never ran cannot be stopped, and one that has gone need not be.
      this.log.info(`The old connection was given up: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Follow a change of which documents are plans, or of which the user says so. */
  async followNamed(): Promise<void> {
    if (this.running === undefined) {
      return;
    }
    if (JSON.stringify(servedSelector(this.named)) !== this.selected) {
      await this.restart();
    }
  }

  dispose(): void {
    this.symbols.dispose();
    this.ready.dispose();
    this.changed.dispose();
    void this.stop();
  }

  private async start(): Promise<LanguageClient | undefined> {
    this.hasFailed = false;
    this.note("starting");
    let command: ServerCommand;
    try {
      command = await serverCommand(startSettings(), this.extension.extensionUri, this.log);
    } catch (error) {
      if (!(error instanceof NoInterpreter)) {
        throw error;
      }
      this.fail(error.message);
      return undefined;
    }
    const { executable, description } = command;
    this.log.info(`Starting ${[executable.command, ...(executable.args ?? [])].join(" ")}`);
    const client = new QuietClient(SECTION, "plancheck", executable, this.options());
    client.onDidChangeState(({ newState }) => {
      this.stateChanged(client, newState, description);
    });
    client.registerFeature(ASKS_FOR_SERVED);
    client.onNotification("plancheck/served", (served: Served) => this.named.takeIn(served));
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.fail(`The plancheck server did not start: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
    return client;
  }

  private stateChanged(client: LanguageClient, state: State, description: string): void {
    if (state === State.Running) {
      this.note("running");
      this.status.running(client.initializeResult?.serverInfo?.version ?? "", description);
      this.ready.fire(client);
    } else if (state === State.Starting) {
      this.note("starting");
    } else if (this.client === client && !this.hasFailed) {
      this.note("stopped");
    }
  }

  private note(state: ServerState["state"], reason = ""): void {
    this.current = { state, reason };
    this.status.show(this.current);
    this.changed.fire(this.current);
  }

  private options(): LanguageClientOptions {
    const crashes: number[] = [];
    const documentSelector = servedSelector(this.named);
    this.selected = JSON.stringify(documentSelector);
    return {
      documentSelector,
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: serverSettings(vscode.workspace.getConfiguration(SECTION), this.named),
      uriConverters: { code2Protocol: String, protocol2Code: (value) => ruleCommand(value) ?? vscode.Uri.parse(value) },
      diagnosticPullOptions: { onChange: true, onTabs: false },
      middleware: this.middleware(),
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => this.closed(crashes),
      },
    };
  }

  private middleware(): Middleware {
    return {
      workspace: {
        configuration: async (params, token, next) => {
          const answers = await next(params, token);
          if (!Array.isArray(answers)) {
            return answers;
          }
          return params.items.map(({ section, scopeUri }, index): unknown => {
            const scope = scopeUri === undefined ? undefined : vscode.Uri.parse(scopeUri);
            return section === SECTION ? serverSettings(answers[index], this.named, scope) : answers[index];
          });
        },
      },
      window: {
        // A rule's page is shown in the editor: it comes with the answer, and needs no network.
        showDocument: (params, token, next) => (params.external === true ? Promise.resolve({ success: true }) : Promise.resolve(next(params, token))),
      },
      provideDocumentSymbols: (document, token, next) => this.symbols.provide(document, token, next),
      executeCommand: async (command, args, next) => {
        const answer: unknown = await next(command, args);
        await showAnswer(command, args, answer, this.rulePages);
        return answer;
      },
    };
  }

  private closed(crashes: number[]): CloseHandlerResult {
    const now = Date.now();
    crashes.push(now);
    if (crashes.filter((time) => now - time < CRASH_SPAN_MS).length <= MOST_CRASHES) {
      this.log.warn("The server ended unexpectedly and is started again.");
      return { action: CloseAction.Restart, handled: true };
    }
    this.fail(`The plancheck server ended ${MOST_CRASHES + 1} times in a row and is not started again.`);
    return { action: CloseAction.DoNotRestart, handled: true };
  }

  /** Say once what is wrong, and offer the ways out. */
  private fail(reason: string): void {
    if (this.hasFailed) {
      return;
    }
    this.hasFailed = true;
    this.log.error(reason);
    this.note("failed", reason);
    const select = "Select Interpreter";
    const showLog = "Show Log";
    void vscode.window.showErrorMessage(reason, select, showLog).then((choice) => {
      if (choice === select) {
        void vscode.commands.executeCommand("plancheck.selectInterpreter");
      } else if (choice === showLog) {
        this.log.show();
      }
    });
  }
}
