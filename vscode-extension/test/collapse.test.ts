import assert from "node:assert/strict";
import { test } from "node:test";
import { cardOf } from "../src/graph/view/card";
import { findRuns, fold } from "../src/graph/view/collapse";
import { search } from "../src/graph/view/scene";
import { NO_FINDINGS, chain, graph, step } from "./plans";

test("a chain is folded but for its ends", () => {
  const { items, edges, itemOf } = fold(chain(1000), true, new Set());
  assert.deepEqual(items.map((item) => item.steps.length), [1, 998, 1]);
  assert.deepEqual(edges.map(({ from, to }) => [from, to]), [[0, 1], [1, 999]]);
  assert.equal(itemOf.get(500), 1);
});

test("a run that the user opened stays open, and nothing is folded unless asked for", () => {
  assert.equal(fold(chain(50), true, new Set([1])).items.length, 50);
  assert.equal(fold(chain(50), false, new Set()).items.length, 50);
});

test("what stands out is never folded", () => {
  const plain = chain(9);
  for (const more of [{ counts: { ...NO_FINDINGS, hint: 1 } }, { kind: "decision" }, { keystone: true }] as const) {
    const standing = plain.steps.map((plainStep) => (plainStep.position === 4 ? step(4, more) : plainStep));
    assert.deepEqual(findRuns({ ...plain, steps: standing }), []);
  }
});

test("several data edges between two steps are drawn as one that names them all", () => {
  const edge = { from: 0, to: 1, volatile: false, revalidates: false };
  const plan = graph([step(0), step(1)], [[0, 1]], [{ ...edge, resource: "a" }, { ...edge, resource: "b", volatile: true }]);
  const data = fold(plan, true, new Set()).edges.filter(({ kind }) => kind === "data");
  assert.deepEqual(data, [{ from: 0, to: 1, kind: "data", resources: ["a", "b"], volatile: true }]);
});

test("a card names followers, volatile reads and re-reads", () => {
  const reads = [
    { resource: "quote", volatile: true, revalidates: false },
    { resource: "cash", volatile: true, revalidates: true },
    { resource: "limits", volatile: false, revalidates: false },
  ];
  const card = cardOf({ id: 3, steps: [step(3, { reads, followers: 1, keystone: true })], severity: null }, new Map());
  assert.deepEqual(card.chips, [{ kind: "volatile", text: "quote" }, { kind: "barrier", text: "cash" }]);
  assert.match(card.label, /^Step 3\nagent\ntool call\nkeystone\n1 follower\n/);
});

test("a search looks at names, agents, resources and rules, the exact name first", () => {
  const finding = { rule: "unused_write", severity: "hint", message: "…" } as const;
  const plan = graph([step(0, { name: "10" }), step(1, { name: "1", writes: ["Ledger"] }), step(2, { agent: "payer", findings: [finding] })], []);
  assert.deepEqual(search(plan, "1"), [1, 0]);
  assert.deepEqual(search(plan, "ledger"), [1]);
  assert.deepEqual(search(plan, "PAYER"), [2]);
  assert.deepEqual(search(plan, "unused_w"), [2]);
  assert.deepEqual(search(plan, "  "), []);
});
