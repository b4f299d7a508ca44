/** Folds long runs of uneventful steps into one item each, so that a plan of thousands still has a shape. */
import { total, worst, type Graph, type Severity, type StepNode } from "../model";

/** What is drawn as one box: a step, or a run of steps that stands for itself. */
export interface Item {
  /** The first step's position, which no other item has. */
  readonly id: number;
  readonly steps: readonly StepNode[];
  readonly severity: Severity | null;
}

export interface ItemEdge {
  readonly from: number;
  readonly to: number;
  readonly kind: "control" | "data";
  readonly resources: readonly string[];
  readonly volatile: boolean;
}

export interface Folded {
  readonly items: readonly Item[];
  readonly edges: readonly ItemEdge[];
  /** The item that shows each step, by the step's position. */
  readonly itemOf: ReadonlyMap<number, number>;
}

/** A shorter run is not worth folding. */
const SHORTEST_RUN = 4;

/** Fold the graph. `expanded` holds the first positions of runs that are to stay open. */
export function fold(graph: Graph, collapse: boolean, expanded: ReadonlySet<number>): Folded {
  const runs = collapse ? findRuns(graph).filter((run) => !expanded.has(first(run).position)) : [];
  const inRun = new Set(runs.flat().map((step) => step.position));
  const single = graph.steps.filter((step) => !inRun.has(step.position)).map((step) => [step]);
  const items = [...single, ...runs]
    .map((steps) => ({ id: first(steps).position, steps, severity: steps.length > 1 ? null : worst(first(steps).counts) }))
    .sort((a, b) => a.id - b.id);
  const itemOf = new Map(items.flatMap((item) => item.steps.map((step) => [step.position, item.id] as const)));
  return { items, edges: itemEdges(graph, itemOf), itemOf };
}

/** Every run that could be folded: each step has one predecessor and one follower, and nothing about it stands out. */
export function findRuns(graph: Graph): StepNode[][] {
  const before = neighbours(graph, "to", "from");
  const after = neighbours(graph, "from", "to");
  const byPosition = new Map(graph.steps.map((step) => [step.position, step]));
  const isPlain = (step: StepNode): boolean =>
    !step.keystone &&
    step.kind !== "decision" &&
    total(step.counts) === 0 &&
    before.get(step.position)?.length === 1 &&
    after.get(step.position)?.length === 1;
  const runs: StepNode[][] = [];
  const seen = new Set<number>();
  for (const start of graph.steps) {
    if (seen.has(start.position) || !isPlain(start)) {
      continue;
    }
    const run = [start];
    seen.add(start.position);
    for (let next = follow(start, after, byPosition); next !== undefined; next = follow(next, after, byPosition)) {
      if (seen.has(next.position) || !isPlain(next)) {
        break;
      }
      run.push(next);
      seen.add(next.position);
    }
    if (run.length >= SHORTEST_RUN) {
      runs.push(run);
    }
  }
  return runs;
}

function first(steps: readonly StepNode[]): StepNode {
  const [step] = steps;
  if (step === undefined) {
    throw new Error("An item has at least one step.");
  }
  return step;
}

function follow(
  step: StepNode,
  after: ReadonlyMap<number, readonly number[]>,
  byPosition: ReadonlyMap<number, StepNode>,
): StepNode | undefined {
  const next = after.get(step.position)?.[0];
  return next === undefined ? undefined : byPosition.get(next);
}

function neighbours(graph: Graph, of: "from" | "to", to: "from" | "to"): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const edge of graph.control) {
    const list = found.get(edge[of]);
    if (list === undefined) {
      found.set(edge[of], [edge[to]]);
    } else {
      list.push(edge[to]);
    }
  }
  return found;
}

/** The edges between items: those inside one are gone, and several of a kind between the same two are one. */
function itemEdges(graph: Graph, itemOf: ReadonlyMap<number, number>): ItemEdge[] {
  const found = new Map<string, ItemEdge>();
  const add = (from: number, to: number, kind: ItemEdge["kind"], resource: string | null, volatile: boolean): void => {
    const start = itemOf.get(from);
    const end = itemOf.get(to);
    if (start === undefined || end === undefined || start === end) {
      return;
    }
    const key = `${kind} ${start} ${end}`;
    const known = found.get(key);
    const resources = [...new Set([...(known?.resources ?? []), ...(resource === null ? [] : [resource])])];
    found.set(key, { from: start, to: end, kind, resources, volatile: volatile || (known?.volatile ?? false) });
  };
  for (const edge of graph.control) {
    add(edge.from, edge.to, "control", null, false);
  }
  for (const edge of graph.data) {
    add(edge.from, edge.to, "data", edge.resource, edge.volatile && !edge.revalidates);
  }
  return [...found.values()];
}
