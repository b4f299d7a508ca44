/** What the language server does, and why it does not run, in words. */
export interface ServerState {
  readonly state: "starting" | "running" | "stopped" | "failed";
  readonly reason: string;
}
