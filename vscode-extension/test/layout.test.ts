import assert from "node:assert/strict";
import { test } from "node:test";
import type { Graph } from "../src/graph/model";
import { layered } from "../src/graph/view/layered";
import { layout, type Box, type Layout, type LayoutEdge, type Size } from "../src/graph/view/layout";
import { chain, graph, step, tangled } from "./plans";

const CARD: Size = { width: 200, height: 60 };

function arranged(plan: Graph, by: (sizes: ReadonlyMap<number, Size>, edges: readonly LayoutEdge[]) => Layout = layout): Layout {
  const sizes = new Map(plan.steps.map(({ position }) => [position, CARD]));
  const edges = plan.control.map(({ from, to }): LayoutEdge => ({ from, to, kind: "control" }));
  return by(sizes, edges);
}

function overlapping(boxes: Iterable<Box>): [Box, Box][] {
  const sorted = [...boxes].sort((a, b) => a.y - b.y);
  const found: [Box, Box][] = [];
  for (const [index, box] of sorted.entries()) {
    for (const other of sorted.slice(index + 1)) {
      if (other.y - box.y >= CARD.height) {
        break;
      }
      if (Math.abs(other.x - box.x) < CARD.width) {
        found.push([box, other]);
      }
    }
  }
  return found;
}

for (const [name, by] of [["dagre", layout], ["our own", layered]] as const) {
  test(`${name}: every step is below those that run before it, and none covers another`, () => {
    const plan = tangled(24);
    const { boxes, ways, width, height } = arranged(plan, by);
    assert.equal(boxes.size, 24);
    assert.deepEqual(overlapping(boxes.values()), []);
    for (const [index, { from, to }] of plan.control.entries()) {
      const [above, below] = [boxes.get(from), boxes.get(to)];
      assert.ok(above && below && above.y + above.height <= below.y, `${from} is not above ${to}`);
      assert.ok((ways[index] ?? []).length >= 2);
    }
    for (const box of boxes.values()) {
      assert.ok(box.x - box.width / 2 >= 0 && box.x + box.width / 2 <= width);
      assert.ok(box.y - box.height / 2 >= 0 && box.y + box.height / 2 <= height);
    }
  });
}

test("a plan that is all length is broken into columns", () => {
  const { boxes, width, height } = arranged(chain(1000));
  assert.ok(width / height > 0.4 && width / height < 2.5, `${width} × ${height}`);
  assert.deepEqual(overlapping(boxes.values()), []);
});

test("a circle of dependencies is drawn all the same", () => {
  const plan = graph([step(0), step(1), step(2)], [[0, 1], [1, 2], [2, 0]]);
  assert.equal(layered(new Map([[0, CARD], [1, CARD], [2, CARD]]), arrangedEdges(plan)).boxes.size, 3);
  assert.equal(arranged(plan).boxes.size, 3);
});

test("a plan without steps has a drawing of no size", () => {
  assert.equal(arranged(graph([], [])).boxes.size, 0);
});

test("10,000 steps are laid out within the time of a glance", () => {
  for (const plan of [chain(10_000), tangled(10_000)]) {
    const start = performance.now();
    const { boxes } = arranged(plan);
    const took = performance.now() - start;
    assert.equal(boxes.size, 10_000);
    assert.deepEqual(overlapping(boxes.values()), []);
    assert.ok(took < 1500, `took ${took.toFixed(0)} ms`);
  }
});

function arrangedEdges(plan: Graph): LayoutEdge[] {
  return plan.control.map(({ from, to }): LayoutEdge => ({ from, to, kind: "control" }));
}
