/** Graphs to test with. */
import type { ControlEdge, Counts, DataEdge, Graph, StepNode } from "../src/graph/model";

export const NO_FINDINGS: Counts = { error: 0, warning: 0, info: 0, hint: 0 };

export function step(position: number, more: Partial<StepNode> = {}): StepNode {
  return {
    position,
    name: String(position),
    kind: "tool_call",
    agent: "agent",
    tool: null,
    followers: 0,
    keystone: false,
    reads: [],
    writes: [],
    findings: [],
    counts: NO_FINDINGS,
    ...more,
  };
}

export function graph(steps: readonly StepNode[], control: readonly [number, number][], data: readonly DataEdge[] = []): Graph {
  return { title: "test", steps, control: control.map(([from, to]): ControlEdge => ({ from, to })), data, counts: NO_FINDINGS };
}

export function chain(length: number): Graph {
  const steps = Array.from({ length }, (_, position) => step(position));
  return graph(steps, steps.slice(1).map(({ position }) => [position - 1, position]));
}

/** A plan as large ones are: mostly a chain, with forks and joins here and there, always the same. */
export function tangled(length: number): Graph {
  let seed = 42;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const steps = Array.from({ length }, (_, position) => step(position));
  const control: [number, number][] = [];
  for (let position = 1; position < length; position++) {
    control.push([position - 1 - random(Math.min(position, 5)), position]);
    if (random(4) === 0 && position > 8) {
      control.push([position - 6 - random(3), position]);
    }
  }
  return graph(steps, control);
}
