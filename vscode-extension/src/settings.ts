/** What the user has set, as the extension and the server want it. */
import * as vscode from "vscode";
import type { DocumentFilter } from "vscode-languageclient/node";

export const SECTION = "plancheck";

/** Settings that decide how the server is started: a change of one needs a new server. */
export const START_SETTINGS = ["interpreter", "importStrategy", "path", "include"].map((name) => `${SECTION}.${name}`);

const PLANS = ["**/*.plan.json", "**/*.calls.json", "**/*.trace.json"];
const POLICIES = "**/plan-policy.{yaml,yml,rego}";
const REGO = "**/*.rego";
const LANGUAGES = ["json", "jsonc"];
const SCHEMES = ["file", "untitled"];

/** Rules whose findings VS Code's own JSON server reports as well. */
const SEEN_BY_VSCODE = ["syntax_error", "duplicate_key"];

export interface StartSettings {
  readonly interpreter: string;
  readonly fromEnvironment: boolean;
  readonly path: string;
}

export function startSettings(): StartSettings {
  const config = vscode.workspace.getConfiguration(SECTION);
  return {
    interpreter: config.get<string>("interpreter", "").trim(),
    fromEnvironment: config.get<string>("importStrategy") === "fromEnvironment",
    path: config.get<string>("path", "").trim(),
  };
}

/** Which documents are plans. They keep the language JSON, and with it all that VS Code knows about JSON. */
export function planSelector(): DocumentFilter[] {
  const more = vscode.workspace.getConfiguration(SECTION).get<string[]>("include", []);
  const patterns = [...new Set([...PLANS, ...more])];
  return patterns.flatMap((pattern) =>
    SCHEMES.flatMap((scheme) => LANGUAGES.map((language) => ({ scheme, language, pattern }))),
  );
}

/**
 * Which documents the server is told about: the plans, and the policies and catalogues of tools, so that these are
 * checked while they are typed. A policy is known by its name alone, as extensions give YAML other language ids, and Rego
 * belongs to the extensions for Rego. A catalogue is any JSON file that a configuration names. The server says nothing
 * about files that are neither.
 */
export function servedSelector(): DocumentFilter[] {
  const catalogues = LANGUAGES.map((language) => ({ scheme: "file", language }));
  return [...startingSelector(), { scheme: "file", pattern: REGO }, ...catalogues];
}

/** Which documents the server is started for. A Rego file of another name is no reason to. */
function startingSelector(): DocumentFilter[] {
  return [...planSelector(), { scheme: "file", pattern: POLICIES }];
}

export function isServed(document: vscode.TextDocument): boolean {
  return vscode.languages.match(startingSelector() as vscode.DocumentSelector, document) > 0;
}

export function isPlan(document: vscode.TextDocument): boolean {
  return vscode.languages.match(planSelector() as vscode.DocumentSelector, document) > 0;
}

/**
 * The settings for the server. Syntax errors and repeated keys of open files are left to VS Code, which reports them
 * anyway, unless its own validation is switched off. It never looks at a file that is not open: those stay with the
 * server, and so does a rule for which the user has set a severity.
 */
export function serverSettings(sent: unknown, scope?: vscode.ConfigurationScope): object {
  const settings = { ...(sent as Record<string, unknown> | null) };
  const validates = vscode.workspace.getConfiguration("json", scope).get("validate.enable") !== false;
  return { ...settings, reportedByEditor: validates ? SEEN_BY_VSCODE : [] };
}
