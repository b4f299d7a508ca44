/** Where each item and edge of the graph is drawn: layers from top to bottom along the control flow. */
import dagre from "@dagrejs/dagre";
import { layered } from "./layered";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A box by its centre. */
export interface Box extends Size, Point {}

export interface LayoutEdge {
  readonly from: number;
  readonly to: number;
  /** Control flow decides the layers; data flow follows. */
  readonly kind: "control" | "data";
  /** The room that words along the edge need, if there are any. */
  readonly label?: Size;
}

export interface Layout {
  readonly boxes: ReadonlyMap<number, Box>;
  /** The way of each edge, in the order of the edges given. */
  readonly ways: readonly (readonly Point[])[];
  /** The middle of the words along each edge, where room for them was asked for. */
  readonly labels: readonly (Point | undefined)[];
  readonly width: number;
  readonly height: number;
}

export const GAP_ACROSS = 36;
export const GAP_DOWN = 56;

/** Above this, dagre takes longer than a user waits between two keystrokes. */
const MOST_FOR_DAGRE = 160;

/** A drawing that is so tall and so slender is better broken into columns. */
const MOST_HEIGHT = 2400;
const SLENDER = 5;

export function layout(sizes: ReadonlyMap<number, Size>, edges: readonly LayoutEdge[]): Layout {
  if (sizes.size > MOST_FOR_DAGRE || edges.length > 3 * MOST_FOR_DAGRE) {
    return layered(sizes, edges);
  }
  const drawn = byDagre(sizes, edges);
  return drawn.height > MOST_HEIGHT && drawn.height > SLENDER * drawn.width ? layered(sizes, edges) : drawn;
}

function byDagre(sizes: ReadonlyMap<number, Size>, edges: readonly LayoutEdge[]): Layout {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: GAP_ACROSS, ranksep: edges.some((edge) => edge.label) ? GAP_DOWN / 2 : GAP_DOWN, edgesep: 18, marginx: 24, marginy: 32 });
  for (const [id, size] of sizes) {
    graph.setNode(String(id), { ...size });
  }
  for (const [index, edge] of edges.entries()) {
    const weight = edge.kind === "control" ? 4 : 1;
    graph.setEdge(String(edge.from), String(edge.to), { weight, labelpos: "c", ...edge.label }, String(index));
  }
  dagre.layout(graph);
  const boxes = new Map<number, Box>();
  for (const [id, size] of sizes) {
    const { x, y } = graph.node(String(id)) as Point;
    boxes.set(id, { ...size, x, y });
  }
  const drawn = edges.map((edge, index) => graph.edge(String(edge.from), String(edge.to), String(index)) as Point & { points: Point[] });
  const ways = drawn.map(({ points }) => points.map(({ x, y }) => ({ x, y })));
  const labels = drawn.map(({ x, y }, index) => (edges[index]?.label === undefined ? undefined : { x, y }));
  const { width = 0, height = 0 } = graph.graph() as Partial<Size>;
  return { boxes, ways, labels, width, height };
}
