/** The entry in the language status: which server runs, or why none does. */
import * as vscode from "vscode";
import { planSelector } from "./settings";

export class Status implements vscode.Disposable {
  private readonly item: vscode.LanguageStatusItem;

  constructor() {
    this.item = vscode.languages.createLanguageStatusItem("plancheck.status", planSelector() as vscode.DocumentSelector);
    this.item.name = "plancheck";
    this.item.text = "plancheck";
    this.item.command = { command: "plancheck.showOutput", title: "Show log" };
  }

  /** Follow a change of which documents are plans. */
  select(): void {
    this.item.selector = planSelector() as vscode.DocumentSelector;
  }

  starting(): void {
    this.set(vscode.LanguageStatusSeverity.Information, "starting", true);
  }

  running(version: string, description: string): void {
    this.set(vscode.LanguageStatusSeverity.Information, description);
    this.item.text = `plancheck ${version}`;
  }

  failed(reason: string): void {
    this.set(vscode.LanguageStatusSeverity.Error, reason);
  }

  stopped(): void {
    this.set(vscode.LanguageStatusSeverity.Warning, "stopped");
  }

  dispose(): void {
    this.item.dispose();
  }

  private set(severity: vscode.LanguageStatusSeverity, detail: string, busy = false): void {
    this.item.severity = severity;
    this.item.detail = detail;
    this.item.busy = busy;
  }
}
