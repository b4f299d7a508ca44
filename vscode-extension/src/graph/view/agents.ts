/** Who acts in a plan: each agent with a letter and a colour of its own, as on the cards and in the legend. */
import type { Graph, StepNode } from "../model";

/** The palette in style.css. With more agents its colours come again; the letters never do. */
export const AGENT_COLOURS = 8;

export interface Agent {
  readonly name: string;
  readonly letter: string;
  readonly colour: number;
  /** The positions of its steps. */
  readonly steps: readonly number[];
}

/** A plan that names no agent is told apart by its tools. */
export function agentNameOf(step: StepNode): string | null {
  return step.agent ?? step.tool;
}

/** The agents by name, in the order in which the plan brings them in. */
export function agentsOf(graph: Graph): ReadonlyMap<string, Agent> {
  const steps = new Map<string, number[]>();
  for (const step of graph.steps) {
    const name = agentNameOf(step);
    if (name !== null) {
      const known = steps.get(name);
      if (known === undefined) {
        steps.set(name, [step.position]);
      } else {
        known.push(step.position);
      }
    }
  }
  return new Map([...steps].map(([name, positions], index) => [name, { name, letter: letterOf(index), colour: index % AGENT_COLOURS, steps: positions }]));
}

/** A to Z, then AA, AB, as the columns of a spreadsheet. */
function letterOf(index: number): string {
  const last = String.fromCharCode("A".charCodeAt(0) + (index % 26));
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last;
}
