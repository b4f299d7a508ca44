/** Checks every plan of the workspace, open or not, with progress, and says what came of it. */
import * as vscode from "vscode";
import { WorkDoneProgress } from "vscode-languageclient/node";
import { counted } from "./answers";
import type { Connection } from "./client";
import { SECTION } from "./settings";

export interface Counts {
  readonly plans: number;
  readonly error: number;
  readonly warning: number;
  readonly info: number;
  readonly hint: number;
  /** Places that were not checked. */
  readonly unchecked: number;
  readonly cancelled: boolean;
}

export async function checkWorkspace(connection: Connection): Promise<void> {
  const client = await connection.get();
  if (client === undefined) {
    return;
  }
  const workDoneToken = `check-${Date.now()}`;
  const title = "plancheck: checking the plans of the workspace";
  const counts = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, cancel) => {
      let reached = 0;
      const listening = client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
        if (value.kind === "report") {
          const percentage = value.percentage ?? reached;
          progress.report({ message: value.message ?? "", increment: percentage - reached });
          reached = percentage;
        }
      });
      cancel.onCancellationRequested(() => {
        void client.sendNotification("window/workDoneProgress/cancel", { token: workDoneToken });
      });
      try {
        return await client.sendRequest<Counts>("plancheck/checkWorkspace", { workDoneToken });
      } finally {
        listening.dispose();
      }
    },
  );
  const showProblems = "Show Problems";
  const show = counts.unchecked + counts.error + counts.warning + counts.info + counts.hint > 0 ? [showProblems] : [];
  if ((await vscode.window.showInformationMessage(inWords(counts), ...show)) === showProblems) {
    await vscode.commands.executeCommand("workbench.actions.view.problems");
  }
}

export function inWords(counts: Counts): string {
  if (counts.cancelled) {
    return `Stopped after ${counted(counts.plans, "plan")}.`;
  }
  if (counts.plans === 0) {
    return "The workspace has no plans: files named *.plan.json, *.calls.json or *.trace.json, or what plancheck.toml includes.";
  }
  const severities: [number, string][] = [
    [counts.error, "error"],
    [counts.warning, "warning"],
    [counts.info, "note"],
    [counts.hint, "hint"],
  ];
  const found = severities.filter(([number]) => number > 0).map(([number, word]) => counted(number, word));
  const unchecked = counts.unchecked > 0 ? `; ${counts.unchecked} not checked` : "";
  const hidden = vscode.workspace.getConfiguration(SECTION).get("workspaceDiagnostics") === false;
  const note = hidden && found.length > 0 ? " Problems lists those of open plans only, as `plancheck.workspaceDiagnostics` is off." : "";
  return `${counted(counts.plans, "plan")} checked: ${found.length > 0 ? found.join(", ") : "nothing found"}${unchecked}.${note}`;
}
