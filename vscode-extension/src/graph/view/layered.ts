/**
 * A layered layout for plans of thousands of steps, in time linear in the edges (but for the sorting inside a layer):
 * longest paths give the layers, barycentres the order inside a layer, and boxes move towards their neighbours.
 */
import { GAP_ACROSS, GAP_DOWN, type Box, type Layout, type LayoutEdge, type Point, type Size } from "./layout";

const SWEEPS = 4;
const MARGIN = 32;

interface Neighbours {
  readonly before: Map<number, number[]>;
  readonly after: Map<number, number[]>;
}

export function layered(sizes: ReadonlyMap<number, Size>, edges: readonly LayoutEdge[]): Layout {
  const control = neighbours(sizes, edges.filter((edge) => edge.kind === "control"));
  const layers = orderLayers(assignLayers(sizes, control), control);
  const across = placeAcross(layers, sizes, control);
  const boxes = new Map<number, Box>();
  let y = MARGIN;
  let width = 0;
  for (const layer of layers) {
    const height = Math.max(...layer.map((id) => sizeOf(sizes, id).height));
    for (const id of layer) {
      const size = sizeOf(sizes, id);
      const x = across.get(id) ?? 0;
      boxes.set(id, { ...size, x, y: y + height / 2 });
      width = Math.max(width, x + size.width / 2 + MARGIN);
    }
    y += height + GAP_DOWN;
  }
  const ways = edges.map((edge) => wayBetween(boxes.get(edge.from), boxes.get(edge.to)));
  return { boxes, ways, labels: [], width, height: y - GAP_DOWN + MARGIN };
}

function sizeOf(sizes: ReadonlyMap<number, Size>, id: number): Size {
  return sizes.get(id) ?? { width: 0, height: 0 };
}

function neighbours(sizes: ReadonlyMap<number, Size>, edges: readonly LayoutEdge[]): Neighbours {
  const before = new Map<number, number[]>();
  const after = new Map<number, number[]>();
  for (const id of sizes.keys()) {
    before.set(id, []);
    after.set(id, []);
  }
  for (const { from, to } of edges) {
    before.get(to)?.push(from);
    after.get(from)?.push(to);
  }
  return { before, after };
}

/** The longest path from a root. Steps on a circle, which no order suits, come below what is already placed. */
function assignLayers(sizes: ReadonlyMap<number, Size>, { before, after }: Neighbours): number[][] {
  const waiting = new Map([...sizes.keys()].map((id) => [id, before.get(id)?.length ?? 0]));
  const layerOf = new Map<number, number>();
  const todo = [...waiting].filter(([, count]) => count === 0).map(([id]) => id);
  const unplaced = new Set(sizes.keys());
  while (unplaced.size > 0) {
    let id = todo.pop();
    while (id !== undefined && !unplaced.has(id)) {
      id = todo.pop();
    }
    id ??= unplaced.values().next().value ?? 0;
    unplaced.delete(id);
    const placed = (before.get(id) ?? []).map((pred) => layerOf.get(pred) ?? -1);
    layerOf.set(id, placed.reduce((most, layer) => Math.max(most, layer), -1) + 1);
    for (const next of after.get(id) ?? []) {
      const left = (waiting.get(next) ?? 0) - 1;
      waiting.set(next, left);
      if (left === 0) {
        todo.push(next);
      }
    }
  }
  const layers: number[][] = [];
  for (const id of sizes.keys()) {
    (layers[layerOf.get(id) ?? 0] ??= []).push(id);
  }
  return layers;
}

/** Fewer crossings: sort each layer by the mean place of its neighbours, downwards and upwards in turn. */
function orderLayers(layers: number[][], { before, after }: Neighbours): number[][] {
  const place = new Map<number, number>();
  const note = (layer: readonly number[]): void => {
    for (const [index, id] of layer.entries()) {
      place.set(id, layer.length === 1 ? 0.5 : index / (layer.length - 1));
    }
  };
  layers.forEach(note);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const downwards = sweep % 2 === 0;
    const relevant = downwards ? before : after;
    for (const layer of downwards ? layers : [...layers].reverse()) {
      if (layer.length > 1) {
        const keys = new Map(layer.map((id) => [id, mean(relevant.get(id) ?? [], place) ?? place.get(id) ?? 0]));
        layer.sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0) || a - b);
        note(layer);
      }
    }
  }
  return layers;
}

function mean(ids: readonly number[], of: ReadonlyMap<number, number>): number | undefined {
  const known = ids.map((id) => of.get(id)).filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Put every box under the mean of its predecessors as far as its neighbours in the layer leave room. */
function placeAcross(layers: readonly number[][], sizes: ReadonlyMap<number, Size>, { before }: Neighbours): Map<number, number> {
  const across = new Map<number, number>();
  for (const layer of layers) {
    const wanted = layer.map((id, index) => mean(before.get(id) ?? [], across) ?? index * GAP_ACROSS);
    let edge = -Infinity;
    const placed = layer.map((id, index) => {
      const half = sizeOf(sizes, id).width / 2;
      const x = Math.max(wanted[index] ?? 0, edge + half);
      edge = x + half + GAP_ACROSS;
      return x;
    });
    // Pushing to the right only would make the drawing lean: shift the layer back by what it was pushed on average.
    const pushed = placed.reduce((sum, x, index) => sum + x - (wanted[index] ?? 0), 0) / placed.length;
    for (const [index, id] of layer.entries()) {
      across.set(id, (placed[index] ?? 0) - pushed);
    }
  }
  let left = Infinity;
  for (const [id, x] of across) {
    left = Math.min(left, x - sizeOf(sizes, id).width / 2);
  }
  for (const [id, x] of across) {
    across.set(id, x - left + MARGIN);
  }
  return across;
}

function wayBetween(from: Box | undefined, to: Box | undefined): Point[] {
  if (from === undefined || to === undefined) {
    return [];
  }
  const start = { x: from.x, y: from.y + from.height / 2 };
  const end = { x: to.x, y: to.y - to.height / 2 };
  return [start, { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 }, end];
}
