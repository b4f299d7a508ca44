import assert from "node:assert/strict";
import { test } from "node:test";
import { AGENT_COLOURS, agentsOf } from "../src/graph/view/agents";
import { countsInWords } from "../src/graph/view/card";
import { NO_FINDINGS, graph, step } from "./plans";

test("agents get letters and colours in the order in which they come, and no letter twice", () => {
  const steps = Array.from({ length: 60 }, (_, position) => step(position, { agent: `agent-${position % 30}` }));
  const agents = [...agentsOf(graph(steps, [])).values()];
  assert.deepEqual(agents[1], { name: "agent-1", letter: "B", colour: 1, steps: [1, 31] });
  assert.deepEqual(agents.slice(25, 28).map(({ letter }) => letter), ["Z", "AA", "AB"]);
  assert.equal(new Set(agents.map(({ letter }) => letter)).size, 30);
  assert.deepEqual(agents.slice(0, 9).map(({ colour }) => colour), [0, 1, 2, 3, 4, 5, 6, 7, 0]);
  assert.equal(AGENT_COLOURS, 8);
});

test("a plan that names no agents is told apart by its tools, and steps with neither are nobody's", () => {
  const plan = graph([step(0, { agent: null, tool: "search" }), step(1, { agent: null })], []);
  assert.deepEqual([...agentsOf(plan).keys()], ["search"]);
});

test("counts in words, the worst first", () => {
  assert.equal(countsInWords({ ...NO_FINDINGS, hint: 1200, error: 1, info: 2 }), "1 error, 2 info, 1,200 hints");
});
