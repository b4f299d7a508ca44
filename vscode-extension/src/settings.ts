/** What the user has set, as the extension and the server want it. */
import * as vscode from "vscode";
import type { DocumentFilter } from "vscode-languageclient/node";
import { asSelector, type NamedFiles } from "./named";

export const SECTION = "plancheck";

/** Settings that decide how the server is started: a change of one needs a new server. */
export const START_SETTINGS = ["interpreter", "importStrategy", "path", "include"].map((name) => `${SECTION}.${name}`);

const PLANS = ["**/*.plan.json", "**/*.calls.json", "**/*.trace.json"];
const POLICIES = "**/plan-policy.{yaml,yml,rego}";
const CONFIGURATION = "**/plancheck.toml";
/** What may be a policy in a folder of such, or a configuration: whether it is, the server knows. */
const MAYBE_OURS = ["**/*.rego", "**/pyproject.toml"];
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
export function planSelector(named: NamedFiles): DocumentFilter[] {
  const more = vscode.workspace.getConfiguration(SECTION).get<string[]>("include", []);
  const patterns = [...new Set([...PLANS, ...more])];
  const byName = patterns.flatMap((pattern) =>
    SCHEMES.flatMap((scheme) => LANGUAGES.map((language) => ({ scheme, language, pattern }))),
  );
  return [...byName, ...named.plans];
}

/**
 * Which documents the server is told about: the plans, and the policies, configurations and catalogues of tools, so that
 * these are checked while they are typed. Policies and configurations are known by their names alone, as extensions give
 * YAML other language ids, and Rego and TOML belong to the extensions for them. A catalogue is any JSON file that a
 * configuration names, and a plan any JSON document that the user treats as one. The server says nothing about others.
 */
export function servedSelector(named: NamedFiles): DocumentFilter[] {
  const maybe = MAYBE_OURS.map((pattern) => ({ scheme: "file", pattern }));
  const json = SCHEMES.flatMap((scheme) => LANGUAGES.map((language) => ({ scheme, language })));
  return [...startingSelector(named), ...maybe, ...json];
}

/** Which documents the server is started for. A Rego file of another name is no reason to. */
function startingSelector(named: NamedFiles): DocumentFilter[] {
  const known = [POLICIES, CONFIGURATION].map((pattern) => ({ scheme: "file", pattern }));
  return [...planSelector(named), ...known, ...named.policies];
}

export function isServed(document: vscode.TextDocument, named: NamedFiles): boolean {
  return vscode.languages.match(asSelector(startingSelector(named)), document) > 0;
}

export function isPlan(document: vscode.TextDocument, named: NamedFiles): boolean {
  return vscode.languages.match(asSelector(planSelector(named)), document) > 0;
}

/**
 * The settings for the server. Syntax errors and repeated keys of open files are left to VS Code, which reports them
 * anyway, unless its own validation is switched off. It never looks at a file that is not open: those stay with the
 * server, and so does a rule for which the user has set a severity.
 */
export function serverSettings(sent: unknown, named: NamedFiles, scope?: vscode.ConfigurationScope): object {
  const settings = { ...(sent as Record<string, unknown> | null) };
  const validates = vscode.workspace.getConfiguration("json", scope).get("validate.enable") !== false;
  return { ...settings, plans: named.marked, reportedByEditor: validates ? SEEN_BY_VSCODE : [] };
}
