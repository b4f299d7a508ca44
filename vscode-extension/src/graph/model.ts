/** The graph of a plan as it is drawn, and the messages between the extension and the page that draws it. */
import type { ServerState } from "../serverstate";

export type Severity = "error" | "warning" | "info" | "hint";
export type Kind = "decision" | "tool_call";

export interface Read {
  readonly resource: string;
  readonly volatile: boolean;
  /** Reads the resource anew: a barrier against stale values. */
  readonly revalidates: boolean;
}

export type Counts = Readonly<Record<Severity, number>>;

/** A finding that the list of problems shows. There may be more of them. */
export interface StepFinding {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
}

export interface StepNode {
  /** Place in the plan's list: edges refer to it. */
  readonly position: number;
  readonly name: string;
  readonly kind: Kind | null;
  readonly agent: string | null;
  readonly tool: string | null;
  readonly followers: number;
  readonly keystone: boolean;
  readonly reads: readonly Read[];
  readonly writes: readonly string[];
  readonly findings: readonly StepFinding[];
  /** How many findings there are, shown or not. */
  readonly counts: Counts;
}

export interface ControlEdge {
  readonly from: number;
  readonly to: number;
}

export interface DataEdge extends ControlEdge {
  readonly resource: string;
  readonly volatile: boolean;
  readonly revalidates: boolean;
}

export interface Graph {
  readonly title: string;
  readonly steps: readonly StepNode[];
  readonly control: readonly ControlEdge[];
  readonly data: readonly DataEdge[];
  /** All findings of the plan, those included that are at no step. */
  readonly counts: Counts;
}

/** From the extension to the page. */
export type ToPage =
  | { readonly type: "graph"; readonly graph: Graph }
  /** The text cannot be read at the moment: what is shown is the last graph that could. */
  | { readonly type: "stale"; readonly reason: string }
  | { readonly type: "empty"; readonly reason: string }
  /** The cursor stands in this step, or in none. */
  | { readonly type: "cursor"; readonly position: number | null }
  | { readonly type: "select"; readonly position: number }
  | { readonly type: "server"; readonly server: ServerState };

/** From the page to the extension. */
export type FromPage =
  | { readonly type: "ready" }
  | { readonly type: "reveal"; readonly position: number; readonly focus: boolean }
  | { readonly type: "save"; readonly format: "svg" | "png"; readonly base64: string }
  | { readonly type: "restart" }
  | { readonly type: "log" };

/** The worst first. */
export const SEVERITIES: readonly Severity[] = ["error", "warning", "info", "hint"];

export function worst(counts: Counts): Severity | null {
  return SEVERITIES.find((severity) => counts[severity] > 0) ?? null;
}

export function total(counts: Counts): number {
  return SEVERITIES.reduce((sum, severity) => sum + counts[severity], 0);
}
