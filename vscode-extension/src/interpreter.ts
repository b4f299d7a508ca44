/** Finds a Python to run the server on: the setting, else the Python extension's choice, else what is on the PATH. */
import { execFile } from "node:child_process";
import * as vscode from "vscode";
import { PROBE, isNewEnough, parseProbe, versionText, type PythonVersion } from "./version";

export interface Interpreter {
  readonly command: string;
  readonly version: PythonVersion;
}

/** Why there is no interpreter, in words for the user. */
export class NoInterpreter extends Error {}

export interface Candidate {
  readonly command: string;
  readonly args: readonly string[];
  /** Where it comes from, in the words of the log. */
  readonly origin: string;
}

/** The part of the Python extension's API that is used here; the extension itself is not required. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    /** All that the Python extension has found. */
    readonly known: readonly { readonly path: string }[];
    resolveEnvironment(path: { readonly path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

const PYTHON_EXTENSION = "ms-python.python";
const PROBE_TIMEOUT_MS = 15_000;

export async function findInterpreter(setting: string, log: vscode.LogOutputChannel): Promise<Interpreter> {
  if (setting !== "") {
    return probeChosen({ command: setting, args: [], origin: "the setting plancheck.interpreter" }, log);
  }
  const tooOld: string[] = [];
  for await (const candidate of candidates()) {
    const found = await probe(candidate, log);
    if (found === undefined) {
      continue;
    }
    if (isNewEnough(found.version)) {
      return found;
    }
    tooOld.push(`Python ${versionText(found.version)} (${found.command})`);
  }
  if (tooOld.length > 0) {
    throw new NoInterpreter(`plancheck needs Python 3.10 or newer, and found only ${[...new Set(tooOld)].join(", ")}.`);
  }
  throw new NoInterpreter("plancheck needs Python 3.10 or newer, and found none on this machine.");
}

/** Tells when another environment is selected in the Python extension. */
export async function onDidSelectEnvironment(listener: () => void): Promise<vscode.Disposable | undefined> {
  return (await pythonApi())?.environments.onDidChangeActiveEnvironmentPath(listener);
}

/** The user's own choice is used or refused; nothing else is tried in its place. */
async function probeChosen(candidate: Candidate, log: vscode.LogOutputChannel): Promise<Interpreter> {
  const found = await probe(candidate, log);
  if (found === undefined) {
    throw new NoInterpreter(`plancheck cannot run ${candidate.command}, which ${candidate.origin} names.`);
  }
  if (!isNewEnough(found.version)) {
    const version = versionText(found.version);
    throw new NoInterpreter(
      `plancheck needs Python 3.10 or newer, and ${candidate.command}, which ${candidate.origin} names, is ${version}.`,
    );
  }
  return found;
}

/** All that may be a Python, wherever the Python extension or the PATH has it. */
export async function candidatesOnMachine(): Promise<Candidate[]> {
  const known = (await pythonApi())?.environments.known ?? [];
  const ofExtension = known.map(({ path }) => ({ command: path, args: [], origin: "the Python extension" }));
  return [...ofExtension, ...onPath()];
}

async function* candidates(): AsyncGenerator<Candidate> {
  const selected = await selectedEnvironment();
  if (selected !== undefined) {
    yield { command: selected, args: [], origin: "the Python extension" };
  }
  yield* onPath();
}

function onPath(): Candidate[] {
  const origin = "the PATH";
  const launcher = process.platform === "win32" ? [{ command: "py", args: ["-3"], origin }] : [];
  return [{ command: "python3", args: [], origin }, { command: "python", args: [], origin }, ...launcher];
}

async function pythonApi(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>(PYTHON_EXTENSION);
  if (extension === undefined) {
    return undefined;
  }
  const api = await extension.activate();
  // Versions of the Python extension before 2023 have no environments.
  return "environments" in api ? api : undefined;
}

async function selectedEnvironment(): Promise<string | undefined> {
  const environments = (await pythonApi())?.environments;
  if (environments === undefined) {
    return undefined;
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const environment = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(folder));
  return environment?.executable.uri?.fsPath;
}

export async function probe(candidate: Candidate, log: vscode.LogOutputChannel): Promise<Interpreter | undefined> {
  const { command, args, origin } = candidate;
  const output = await new Promise<string | undefined>((resolve) => {
    const options = { timeout: PROBE_TIMEOUT_MS, windowsHide: true };
    execFile(command, [...args, "-c", PROBE], options, (error, stdout) => {
      if (error !== null) {
        log.info(`No Python: ${command} (from ${origin}): ${error.message.trim()}`);
      }
      resolve(error === null ? stdout : undefined);
    });
  });
  const probed = output === undefined ? undefined : parseProbe(output);
  if (probed === undefined) {
    return undefined;
  }
  log.info(`Python ${versionText(probed.version)}: ${probed.executable || command} (from ${origin})`);
  // The interpreter's own path spares the server's start the detour through a version manager's shim.
  return { command: probed.executable || command, version: probed.version };
}
