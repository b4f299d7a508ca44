/**
 * A layered layout for plans of thousands of steps, in time linear in the edges (but for the sorting inside a layer):
 * longest paths give the layers, barycentres the order inside a layer, and boxes move towards their neighbours.
 */
import { GAP_ACROSS, GAP_DOWN, type Box, type Layout, type LayoutEdge, type Point, type Size } from "./layout";

const SWEEPS = 4;
const MARGIN = 32;
const GAP_COLUMNS = 72;

/** The breadth of a drawing in columns against its height, about that of the screen beside a text. */
const BREADTH = 0.9;
const SHORTEST_COLUMN = 900;

interface Neighbours {
  readonly before: Map<number, number[]>;
  readonly after: Map<number, number[]>;
}

export function layered(sizes: ReadonlyMap<number, Size>, edges: readonly LayoutEdge[]): Layout {
  const control = neighbours(sizes, edges.filter((edge) => edge.kind === "control"));
  const layers = orderLayers(assignLayers(sizes, control), control);
  const across = placeAcross(layers, sizes, control);
  const width = Math.max(0, ...[...across].map(([id, x]) => x + sizeOf(sizes, id).width / 2)) + MARGIN;
  const heights = layers.map((layer) => layer.reduce((most, id) => Math.max(most, sizeOf(sizes, id).height), 0));
  const tallest = columnHeight(heights, width);
  const boxes = new Map<number, Box>();
  const columnOf = new Map<number, number>();
  let [column, y, height] = [0, MARGIN, 0];
  for (const [index, layer] of layers.entries()) {
    const tall = heights[index] ?? 0;
    if (y + tall > tallest && y > MARGIN) {
      column += 1;
      y = MARGIN;
    }
    for (const id of layer) {
      boxes.set(id, { ...sizeOf(sizes, id), x: (across.get(id) ?? 0) + column * (width + GAP_COLUMNS), y: y + tall / 2 });
      columnOf.set(id, column);
    }
    y += tall + GAP_DOWN;
    height = Math.max(height, y - GAP_DOWN + MARGIN);
  }
  const ways = edges.map((edge) => {
    const sameColumn = columnOf.get(edge.from) === columnOf.get(edge.to);
    return wayBetween(boxes.get(edge.from), boxes.get(edge.to), sameColumn ? undefined : (columnOf.get(edge.to) ?? 0) * (width + GAP_COLUMNS) - GAP_COLUMNS / 2);
  });
  return { boxes, ways, labels: [], width: (column + 1) * (width + GAP_COLUMNS) - GAP_COLUMNS, height };
}

/** How tall a column of layers may get, so that a plan that is all length is drawn in columns of a pleasant shape. */
function columnHeight(heights: readonly number[], width: number): number {
  const all = heights.reduce((sum, height) => sum + height + GAP_DOWN, 0);
  const columns = Math.floor(Math.sqrt((all * BREADTH) / (width + GAP_COLUMNS)));
  return columns < 2 ? Infinity : Math.max(SHORTEST_COLUMN, all / columns + GAP_DOWN);
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

/** Straight down; to another column, down, through the gap on its left and in from above. */
function wayBetween(from: Box | undefined, to: Box | undefined, gap: number | undefined): Point[] {
  if (from === undefined || to === undefined) {
    return [];
  }
  const start = { x: from.x, y: from.y + from.height / 2 };
  const end = { x: to.x, y: to.y - to.height / 2 };
  if (gap === undefined) {
    return [start, { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 }, end];
  }
  const [low, high] = [start.y + GAP_DOWN / 2, end.y - GAP_DOWN / 3];
  return [start, { x: start.x, y: low }, { x: gap, y: low }, { x: gap, y: high }, { x: end.x, y: high }, end];
}
