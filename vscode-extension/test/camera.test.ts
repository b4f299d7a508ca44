import assert from "node:assert/strict";
import { test } from "node:test";
import { READABLE, contains, fit, held, opening, visible } from "../src/graph/view/camera";

const PANE = { width: 700, height: 800 };

test("a plan that can be read as a whole opens as a whole", () => {
  const view = opening({ width: 720, height: 600 }, PANE, { x: 0, y: 0 });
  assert.ok(view.scale >= READABLE);
  assert.ok(contains(visible(view, PANE), { x: 0, y: 0, width: 720, height: 600 }));
});

test("a larger one opens at a readable size around a step, with no room left empty beside it", () => {
  const drawing = { width: 5000, height: 9000 };
  for (const focus of [{ x: 100, y: 40 }, { x: 2500, y: 4500 }, { x: 4950, y: 8990 }]) {
    const view = opening(drawing, PANE, focus);
    const seen = visible(view, PANE);
    assert.equal(view.scale, READABLE);
    assert.ok(contains(seen, { ...focus, width: 1, height: 1 }), `${focus.x} ${focus.y} is not on the screen`);
    assert.ok(seen.x > -40 && seen.x + seen.width < 5040 && seen.y > -40 && seen.y + seen.height < 9040);
  }
});

test("a drawing that is slender stays in the middle", () => {
  const view = opening({ width: 300, height: 9000 }, PANE, { x: 150, y: 40 });
  assert.equal(view.x, (PANE.width - 300 * READABLE) / 2);
});

test("everything can be asked for, however small it gets", () => {
  const view = fit({ width: 5000, height: 9000 }, PANE);
  assert.ok(contains(visible(view, PANE), { x: 0, y: 0, width: 5000, height: 9000 }));
});

test("a drawing cannot be moved off the screen", () => {
  const drawing = { width: 500, height: 500 };
  for (const [x, y] of [[-9000, 0], [9000, 0], [0, -9000], [0, 9000]] as const) {
    const view = held({ scale: 1, x, y }, drawing, PANE);
    assert.ok(view.x + 500 > 0 && view.x < PANE.width && view.y + 500 > 0 && view.y < PANE.height);
  }
});
