/** The entry in the language status: which server runs, or why none does. */
import * as vscode from "vscode";
import { asSelector, type NamedFiles } from "./named";
import type { ServerState } from "./serverstate";
import { planSelector } from "./settings";

export class Status implements vscode.Disposable {
  private readonly item: vscode.LanguageStatusItem;

  constructor(private readonly named: NamedFiles) {
    this.item = vscode.languages.createLanguageStatusItem("plancheck.status", asSelector(planSelector(named)));
    this.item.name = "plancheck";
    this.item.text = "plancheck";
    this.item.command = { command: "plancheck.showOutput", title: "Show log" };
  }

  /** Follow a change of which documents are plans. */
  select(): void {
    this.item.selector = asSelector(planSelector(this.named));
  }

  show({ state, reason }: ServerState): void {
    const severities = {
      starting: vscode.LanguageStatusSeverity.Information,
      running: vscode.LanguageStatusSeverity.Information,
      stopped: vscode.LanguageStatusSeverity.Warning,
      failed: vscode.LanguageStatusSeverity.Error,
    };
    this.item.severity = severities[state];
    this.item.detail = reason === "" ? state : reason;
    this.item.busy = state === "starting";
  }

  running(version: string, description: string): void {
    this.item.detail = description;
    this.item.text = `plancheck ${version}`;
  }

  dispose(): void {
    this.item.dispose();
  }
}
