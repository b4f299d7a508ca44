/** A graph made ready for drawing: folded, measured and laid out. */
import type { Graph, StepNode } from "../model";
import { agentsOf, type Agent } from "./agents";
import { overlaps, type Rectangle } from "./camera";
import { cardOf, shorten, type Card } from "./card";
import { fold, type Item, type ItemEdge } from "./collapse";
import { layout, type Box, type LayoutEdge, type Point, type Size } from "./layout";

export interface PlacedItem {
  readonly item: Item;
  readonly card: Card;
  readonly box: Box;
  readonly bounds: Rectangle;
}

export interface PlacedEdge {
  readonly key: string;
  readonly edge: ItemEdge;
  readonly way: readonly Point[];
  readonly label: PlacedLabel | undefined;
  readonly bounds: Rectangle;
}

export interface PlacedLabel extends Point {
  readonly text: string;
}

/** The keystone's mark sticks out at the top, the pile of a folded run at the bottom. */
const OVERHANG = 14;

/** Above this many items, the names of resources along the edges would only be in each other's way. */
const MOST_FOR_LABELS = 40;
const LABEL_WIDTH = 150;
const LABEL_LETTER = 6.8;

/** How far data runs beside control, in pixels. */
const SIDE_BY_SIDE = 7;

export class Scene {
  readonly items: ReadonlyMap<number, PlacedItem>;
  readonly edges: readonly PlacedEdge[];
  readonly size: Size;
  readonly agents: ReadonlyMap<string, Agent>;
  private readonly itemOf: ReadonlyMap<number, number>;

  constructor(readonly graph: Graph, collapse: boolean, expanded: ReadonlySet<number>, withData: boolean) {
    const folded = fold(graph, collapse, expanded);
    this.itemOf = folded.itemOf;
    this.agents = agentsOf(graph);
    const cards = new Map(folded.items.map((item) => [item.id, cardOf(item, this.agents)]));
    const drawn = folded.edges.filter((edge) => withData || edge.kind === "control");
    const withLabels = folded.items.length <= MOST_FOR_LABELS;
    const pairs = pairUp(drawn, withLabels);
    const { boxes, ways, labels, width, height } = layout(cards, pairs.map((pair) => pair.route));
    this.size = { width: Math.max(width, 1), height: Math.max(height, 1) };
    const items = new Map<number, PlacedItem>();
    for (const item of folded.items) {
      const card = cards.get(item.id);
      const box = boxes.get(item.id);
      if (card !== undefined && box !== undefined) {
        items.set(item.id, { item, card, box, bounds: boundsOf(box) });
      }
    }
    this.items = items;
    this.edges = pairs.flatMap((pair, index) => placePair(pair, ways[index] ?? [], labels[index]));
  }

  /** The item that shows a step. */
  find(position: number): PlacedItem | undefined {
    const id = this.itemOf.get(position);
    return id === undefined ? undefined : this.items.get(id);
  }

  /** What is seen first: the keystone, else where the plan begins. */
  get entrance(): PlacedItem | undefined {
    const all = [...this.items.values()];
    return all.find(({ card }) => card.keystone) ?? all[0];
  }

  nearest(point: Point): PlacedItem | undefined {
    const distance = ({ box }: PlacedItem): number => Math.hypot(box.x - point.x, box.y - point.y);
    let best: PlacedItem | undefined;
    for (const item of this.items.values()) {
      if (best === undefined || distance(item) < distance(best)) {
        best = item;
      }
    }
    return best;
  }

  /** The item before or after one in the list of the plan, or at its end. */
  inList(from: PlacedItem | undefined, to: "first" | "previous" | "next" | "last"): PlacedItem | undefined {
    const all = [...this.items.values()];
    const here = from === undefined ? -1 : all.indexOf(from);
    return { first: all[0], previous: all[Math.max(0, here - 1)], next: all[here + 1] ?? all.at(-1), last: all.at(-1) }[to];
  }

  at(point: Point): PlacedItem | undefined {
    const spot = { ...point, width: 0.01, height: 0.01 };
    return [...this.items.values()].find(({ bounds }) => overlaps(bounds, spot));
  }

  /** The items next to one along the control flow. */
  neighbours(id: number, direction: "before" | "after"): PlacedItem[] {
    return this.edges
      .filter(({ edge }) => edge.kind === "control" && (direction === "before" ? edge.to : edge.from) === id)
      .map(({ edge }) => this.items.get(direction === "before" ? edge.from : edge.to))
      .filter((item) => item !== undefined);
  }

  /** The nearest item to the left or right in about the same layer. */
  beside(from: PlacedItem, direction: "left" | "right"): PlacedItem | undefined {
    const sign = direction === "left" ? -1 : 1;
    let best: PlacedItem | undefined;
    for (const other of this.items.values()) {
      const ahead = (other.box.x - from.box.x) * sign;
      const sameLayer = Math.abs(other.box.y - from.box.y) < (other.box.height + from.box.height) / 2;
      if (ahead > 1 && sameLayer && (best === undefined || ahead < (best.box.x - from.box.x) * sign)) {
        best = other;
      }
    }
    return best;
  }
}

/** The positions of the steps that a search finds: by name, agent, tool, resource or rule. */
export function search(graph: Graph, query: string): number[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") {
    return [];
  }
  const exact = graph.steps.filter((step) => step.name.toLowerCase() === wanted);
  const found = graph.steps.filter((step) => !exact.includes(step) && searchable(step).includes(wanted));
  return [...exact, ...found].map((step) => step.position);
}

function searchable(step: StepNode): string {
  const words = [
    step.name,
    step.agent ?? "",
    step.tool ?? "",
    ...step.reads.map((read) => read.resource),
    ...step.writes,
    ...step.findings.map((finding) => finding.rule),
  ];
  return words.join("\n").toLowerCase();
}

function labelOf(edge: ItemEdge): string {
  const [first, ...more] = edge.resources;
  return first === undefined ? "" : shorten(first, LABEL_WIDTH, LABEL_LETTER) + (more.length > 0 ? ` +${more.length}` : "");
}

/** Two items are joined by one way, which control and data flow between them share. */
interface Pair {
  readonly edges: readonly ItemEdge[];
  readonly text: string;
  readonly route: LayoutEdge;
}

function pairUp(edges: readonly ItemEdge[], withLabels: boolean): Pair[] {
  const between = new Map<string, ItemEdge[]>();
  for (const edge of edges) {
    const key = `${edge.from} ${edge.to}`;
    between.set(key, [...(between.get(key) ?? []), edge]);
  }
  return [...between.values()].map((joined) => {
    const [{ from, to } = { from: 0, to: 0 }] = joined;
    const text = withLabels ? joined.map(labelOf).join("") : "";
    const kind = joined.some((edge) => edge.kind === "control") ? "control" : "data";
    const label = { width: text.length * LABEL_LETTER + 12, height: 18 };
    return { edges: joined, text, route: text === "" ? { from, to, kind } : { from, to, kind, label } };
  });
}

/** Data runs beside the control flow where both go the same way. */
function placePair({ edges, text }: Pair, way: readonly Point[], at: Point | undefined): PlacedEdge[] {
  const apart = edges.length > 1 ? SIDE_BY_SIDE : 0;
  return edges.map((edge) => {
    const isData = edge.kind === "data";
    const shifted = isData && apart > 0 ? way.map(({ x, y }) => ({ x: x + apart, y })) : way;
    const label = isData && at !== undefined ? { ...at, text } : undefined;
    const corners = label === undefined ? [] : [-1, 1].map((side) => ({ x: label.x + (side * LABEL_WIDTH) / 2, y: label.y }));
    return { key: `${edge.kind} ${edge.from} ${edge.to}`, edge, way: shifted, label, bounds: around([...shifted, ...corners]) };
  });
}

function boundsOf(box: Box): Rectangle {
  return {
    x: box.x - box.width / 2,
    y: box.y - box.height / 2 - OVERHANG,
    width: box.width,
    height: box.height + 2 * OVERHANG,
  };
}

function around(points: readonly Point[]): Rectangle {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return { x: left - 1, y: top - 1, width: right - left + 2, height: bottom - top + 2 };
}
