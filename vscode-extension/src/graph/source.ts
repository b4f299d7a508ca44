/** Asks the server for the graph of a plan and turns the answer into what is drawn. */
import * as vscode from "vscode";
import type { LanguageClient, Range } from "vscode-languageclient/node";
import type { Counts, Graph, Kind, StepFinding } from "./model";

/** The answer to `plancheck/graph`, as docs/protocol.md promises it. */
export interface GraphAnswer {
  readonly version: number;
  /** False while the text is no JSON, so that part of the plan may be missing. */
  readonly readable: boolean;
  readonly graph: {
    readonly nodes: readonly {
      readonly position: number;
      readonly identity: string | number | null;
      readonly kind: Kind | null;
      readonly agent: string | null;
      readonly tool?: string | null;
      readonly followers: number;
      readonly is_keystone: boolean;
      readonly reads: readonly string[];
      readonly writes: readonly string[];
      readonly volatile: readonly string[];
      readonly revalidates: readonly string[];
    }[];
    readonly control_edges: readonly { readonly source: number; readonly target: number }[];
    readonly data_edges: readonly {
      readonly source: number;
      readonly target: number;
      readonly resource: string;
      readonly volatile: boolean;
      readonly revalidates: boolean;
    }[];
  };
  /** How many findings the plan has, shown or not. */
  readonly counts: Counts;
  /** Where each step stands in the text, and what was found about it. */
  readonly steps: readonly { readonly range: Range; readonly counts: Counts; readonly findings: readonly StepFinding[] }[];
}

export async function fetchGraph(client: LanguageClient, plan: vscode.Uri): Promise<GraphAnswer | null> {
  const uri = client.code2ProtocolConverter.asUri(plan);
  return client.sendRequest<GraphAnswer | null>("plancheck/graph", { textDocument: { uri } });
}

const NO_FINDINGS: Counts = { error: 0, warning: 0, info: 0, hint: 0 };

export function toGraph({ graph, counts, steps }: GraphAnswer, title: string): Graph {
  return {
    title,
    steps: graph.nodes.map((node) => ({
      position: node.position,
      name: node.identity === null ? `#${node.position + 1}` : String(node.identity),
      kind: node.kind,
      agent: node.agent,
      tool: node.tool ?? null,
      followers: node.followers,
      keystone: node.is_keystone,
      reads: [...new Set(node.reads)].map((resource) => ({
        resource,
        volatile: node.volatile.includes(resource),
        revalidates: node.revalidates.includes(resource),
      })),
      writes: node.writes,
      findings: steps[node.position]?.findings ?? [],
      counts: steps[node.position]?.counts ?? NO_FINDINGS,
    })),
    control: graph.control_edges.map(({ source, target }) => ({ from: source, to: target })),
    data: graph.data_edges.map(({ source, target, ...rest }) => ({ from: source, to: target, ...rest })),
    counts,
  };
}

/** The step that a position of the text lies in. Steps stand in the text one after the other, never inside another. */
export function stepAt({ steps }: GraphAnswer, at: vscode.Position): number | null {
  const found = steps.findIndex(({ range }) => toRange(range).contains(at));
  return found === -1 ? null : found;
}

export function rangeOf({ steps }: GraphAnswer, position: number): vscode.Range | undefined {
  const step = steps[position];
  return step === undefined ? undefined : toRange(step.range);
}

function toRange({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
