/** Lets the user choose among the Pythons that are found on the machine. */
import { access, readdir } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { candidatesOnMachine, probe, type Candidate, type Interpreter } from "./interpreter";
import { SECTION } from "./settings";
import { isNewEnough, versionText } from "./version";

interface Choice extends vscode.QuickPickItem {
  /** The value of the setting; nothing to look for a file. */
  readonly command?: string;
}

interface ListedPython extends Choice {
  readonly isUsable: boolean;
}

const BROWSE: Choice = { label: "$(folder-opened) Browse…", description: "choose a Python program by its file" };
const BY_ITSELF: Choice = {
  label: "$(search) Find one each time",
  description: "the Python extension's choice, else what is on the PATH",
  command: "",
};

/** Whether anything was chosen. */
export async function selectInterpreter(log: vscode.LogOutputChannel): Promise<boolean> {
  const options = { title: "Python for the plancheck server", placeHolder: "3.10 or newer", matchOnDescription: true };
  const choice = await vscode.window.showQuickPick(choices(log), options);
  const command = choice === BROWSE ? await browse() : choice?.command;
  if (command === undefined) {
    return false;
  }
  const setting = vscode.workspace.getConfiguration(SECTION);
  const isOfWorkspace = setting.inspect("interpreter")?.workspaceValue !== undefined;
  const target = isOfWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await setting.update("interpreter", command === "" ? undefined : command, target);
  return true;
}

async function browse(): Promise<string | undefined> {
  const picked = await vscode.window.showOpenDialog({ title: "Select a Python 3.10 or newer", openLabel: "Use this Python" });
  return picked?.[0]?.fsPath;
}

async function choices(log: vscode.LogOutputChannel): Promise<Choice[]> {
  const candidates = [...(await inWorkspace()), ...(await candidatesOnMachine()), ...(await ofPyenv())];
  const found = await Promise.all(candidates.map(async (candidate) => ({ candidate, python: await probe(candidate, log) })));
  const inUse = vscode.workspace.getConfiguration(SECTION).get<string>("interpreter", "").trim();
  const seen = new Set<string>();
  const listed: ListedPython[] = [];
  for (const { candidate, python } of found) {
    // One Python often has several names: python, python3, python3.11.
    const identity = python === undefined ? "" : `${path.dirname(python.command)} ${versionText(python.version)}`;
    if (python !== undefined && !seen.has(identity)) {
      seen.add(identity);
      listed.push(choiceOf(python, candidate, python.command === inUse));
    }
  }
  return [...listed.filter(({ isUsable }) => isUsable), ...listed.filter(({ isUsable }) => !isUsable), BY_ITSELF, BROWSE];
}

function choiceOf({ command, version }: Interpreter, { origin }: Candidate, isInUse: boolean): ListedPython {
  const isUsable = isNewEnough(version);
  const note = isUsable ? "" : ", too old: plancheck needs 3.10 or newer";
  const detail = `from ${origin}${note}${isInUse ? ", in use" : ""}`;
  return { label: `Python ${versionText(version)}`, description: command, detail, command, isUsable };
}

/** The virtual environments right below the folders of the workspace. */
async function inWorkspace(): Promise<Candidate[]> {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  const found = await Promise.all(folders.map(({ uri }) => environmentsIn(uri.fsPath, "pyvenv.cfg")));
  return found.flat().map((folder) => ({ command: pythonIn(folder), args: [], origin: "an environment of the workspace" }));
}

async function ofPyenv(): Promise<Candidate[]> {
  const root = process.env.PYENV_ROOT ?? path.join(homedir(), ".pyenv");
  const folders = await environmentsIn(path.join(root, "versions"), path.relative("/", pythonIn("/")));
  return folders.map((folder) => ({ command: pythonIn(folder), args: [], origin: "pyenv" }));
}

/** The folders in a folder that have a certain file. */
async function environmentsIn(folder: string, sign: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const inside = names.sort().map((name) => path.join(folder, name));
  const have = await Promise.all(inside.map((each) => access(path.join(each, sign)).then(() => true, () => false)));
  return inside.filter((_, position) => have[position]);
}

function pythonIn(environment: string): string {
  return process.platform === "win32" ? path.join(environment, "Scripts", "python.exe") : path.join(environment, "bin", "python");
}
