/** What is shown once the server has executed a command. */
import * as vscode from "vscode";
import type { RulePages } from "./rulepages";

/** The commands of the server; the language client registers them under these names. */
export const SHOW_RULE = "plancheck.showRule";
export const APPLY_FIXES = "plancheck.applyFixes";
const IGNORE_IN_CONFIGURATION = "plancheck.ignoreInConfiguration";

interface FixesAnswer {
  readonly applied: boolean;
  readonly fixed: number;
  readonly files: number;
  /** Findings that only an unsafe fix would remove. */
  readonly unsafe: number;
}

interface SwitchedOff {
  readonly rule: string;
  readonly uri: string;
  readonly applied: boolean;
  /** The line as it stands in the file now. */
  readonly written: string;
}

export async function showAnswer(command: string, args: readonly unknown[], answer: unknown, rulePages: RulePages): Promise<void> {
  if (command === SHOW_RULE) {
    const { rule, severity, markdown } = answer as { rule: string; severity: string; markdown: string };
    await rulePages.show(rule, `# ${rule} (${severity})\n\n${markdown}`);
  } else if (command === APPLY_FIXES) {
    void showFixes(args, answer as FixesAnswer);
  } else if (command === IGNORE_IN_CONFIGURATION) {
    await showSwitchedOff(answer as SwitchedOff);
  }
}

async function showFixes(args: readonly unknown[], answer: FixesAnswer): Promise<void> {
  const [uri, rule, scope] = args;
  const isUnsafe = args[3] === "unsafe";
  const applyUnsafe = "Apply Unsafe Fixes";
  const ways = answer.unsafe > 0 && !isUnsafe ? [applyUnsafe] : [];
  const choice = await vscode.window.showInformationMessage(fixesInWords(answer), ...ways);
  if (choice === applyUnsafe) {
    await vscode.commands.executeCommand(APPLY_FIXES, uri, rule, scope, "unsafe");
  }
}

export function fixesInWords({ applied, fixed, files, unsafe }: FixesAnswer): string {
  if (fixed > 0 && !applied) {
    return "Nothing was fixed, because a plan was edited meanwhile: try again.";
  }
  const left = unsafe === 0 ? "" : ` ${counted(unsafe, "problem has", "problems have")} only fixes that may change what the plan means.`;
  return fixed === 0 ? `No problem here has a safe fix.${left}` : `Fixed ${counted(fixed, "problem")} in ${counted(files, "file")}; save to keep it.${left}`;
}

export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** A configuration counts once it is saved; one with edits of the user's own is left for the user to save. */
async function showSwitchedOff({ rule, uri, applied, written }: SwitchedOff): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  const name = vscode.workspace.asRelativePath(document.uri);
  if (!applied) {
    void vscode.window.showWarningMessage(`${name} was not changed, so \`${rule}\` is still on.`);
    return;
  }
  const save = "Save";
  const ways = document.isDirty ? [save] : [];
  const note = document.isDirty ? " Save it to put this in force." : "";
  void vscode.window.showInformationMessage(`Switched \`${rule}\` off: wrote \`${written}\` to ${name}.${note}`, ...ways).then((choice) => {
    if (choice === save) {
      void document.save();
    }
  });
}
