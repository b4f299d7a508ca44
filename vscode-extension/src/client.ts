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
} from "vscode-languageclient/node";
import { NoInterpreter } from "./interpreter";
import type { RulePages } from "./rulepages";
import { serverCommand, type ServerCommand } from "./server";
import { SECTION, servedSelector, serverSettings, startSettings } from "./settings";
import type { Status } from "./status";

/** A server that dies this often within the span is not started again by itself. */
const MOST_CRASHES = 4;
const CRASH_SPAN_MS = 3 * 60_000;

/** The command with which the server gives the page of a rule. */
const SHOW_RULE = "plancheck.showRule";

export class Connection implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private starting: Promise<LanguageClient | undefined> | undefined;
  private readonly ready = new vscode.EventEmitter<LanguageClient>();
  /** Fires whenever a server is up, the first time and after each restart. */
  readonly onReady = this.ready.event;

  constructor(
    private readonly extension: vscode.ExtensionContext,
    private readonly status: Status,
    private readonly rulePages: RulePages,
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

  async restart(): Promise<void> {
    await this.stop();
    await this.get();
  }

  async stop(): Promise<void> {
    await this.starting;
    const client = this.client;
    this.client = undefined;
    this.starting = undefined;
    await client?.dispose();
  }

  dispose(): void {
    this.ready.dispose();
    void this.stop();
  }

  private async start(): Promise<LanguageClient | undefined> {
    this.status.starting();
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
    const client = new LanguageClient(SECTION, "plancheck", executable, this.options());
    client.onDidChangeState(({ newState }) => {
      this.stateChanged(client, newState, description);
    });
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
      this.status.running(client.initializeResult?.serverInfo?.version ?? "", description);
      this.ready.fire(client);
    } else if (state === State.Starting) {
      this.status.starting();
    } else if (this.client === client) {
      this.status.stopped();
    }
  }

  private options(): LanguageClientOptions {
    const crashes: number[] = [];
    return {
      documentSelector: servedSelector(),
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: serverSettings(vscode.workspace.getConfiguration(SECTION)),
      diagnosticPullOptions: { onChange: true, onTabs: false },
      middleware: this.middleware(),
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
            return section === SECTION ? serverSettings(answers[index], scope) : answers[index];
          });
        },
      },
      window: {
        // A rule's page is shown in the editor: it comes with the answer, and needs no network.
        showDocument: (params, token, next) => (params.external === true ? Promise.resolve({ success: true }) : Promise.resolve(next(params, token))),
      },
      executeCommand: async (command, args, next) => {
        const answer: unknown = await next(command, args);
        if (command === SHOW_RULE) {
          const { rule, markdown } = answer as { rule: string; markdown: string };
          await this.rulePages.show(rule, markdown);
        }
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
    this.log.error(reason);
    this.status.failed(reason);
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
