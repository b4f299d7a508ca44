/** Draws items and edges as SVG elements; colours and fonts come from drawing.css. */
import type { Item } from "./collapse";
import { CHIP_HEIGHT, HEAD_HEIGHT, POINT_WIDTH, shorten, type Card } from "./card";
import type { Box, Point } from "./layout";
import type { PlacedEdge } from "./scene";

const NAMESPACE = "http://www.w3.org/2000/svg";
const AGENT_COLOURS = 6;
const PAD = 12;

export function element(name: string, attributes: Record<string, string | number>, ...children: (Element | string)[]): SVGElement {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}

/** The same agent has the same colour in every plan. */
export function agentColour(agent: string): number {
  let hash = 7;
  for (const letter of agent) {
    hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  }
  return hash % AGENT_COLOURS;
}

export function drawItem(item: Item, card: Card, box: Box): SVGElement {
  const left = box.x - card.width / 2;
  const top = box.y - card.height / 2;
  const inset = card.shape === "decision" ? POINT_WIDTH : 0;
  const group = element("g", {
    class: ["step", card.shape, item.severity ?? "clean", ...(card.keystone ? ["keystone"] : [])].join(" "),
    transform: `translate(${round(left)} ${round(top)})`,
    id: `step-${item.id}`,
    role: "button",
    "aria-label": card.label,
    "data-step": card.title,
    "data-position": item.id,
    "data-severity": item.severity ?? "",
  });
  group.append(element("title", {}, card.label), outline(card));
  if (card.shape === "group") {
    group.append(element("path", { class: "pile", d: `M6 ${card.height + 4}h${card.width - 12}M12 ${card.height + 8}h${card.width - 24}` }));
  }
  const badge = card.findings > 0 ? 30 : 0;
  const inner = card.width - 2 * inset - 2 * PAD;
  const x = inset + PAD;
  const number = shorten(card.title, inner - badge - (card.agent === null ? 0 : 60), 7.6);
  group.append(element("text", { class: "name", x, y: 23 }, number));
  if (card.agent !== null) {
    const from = x + number.length * 7.8 + 10;
    const room = card.width - inset - PAD - badge - from - 10;
    group.append(
      element("circle", { class: `agent agent-${agentColour(card.agent)}`, cx: from + 4, cy: 19, r: 4 }),
      element("text", { class: "agent-name", x: from + 13, y: 23 }, shorten(card.agent, room, 6.4)),
    );
  }
  group.append(element("text", { class: "detail", x, y: 43 }, shorten(card.detail, inner, 5.9)));
  group.append(...card.chips.map((chip, index) => drawChip(chip, x, HEAD_HEIGHT + index * CHIP_HEIGHT, inner)));
  if (card.findings > 0) {
    const cx = card.width - inset - PAD - 7;
    group.append(
      element("circle", { class: "badge", cx, cy: 19, r: 10 }),
      element("text", { class: "badge-count", x: cx, y: 23 }, card.findings > 99 ? "99+" : String(card.findings)),
    );
  }
  if (card.keystone) {
    group.append(drawKeystone(inset + PAD));
  }
  return group;
}

function outline(card: Card): SVGElement {
  const { width, height } = card;
  if (card.shape !== "decision") {
    return element("rect", { class: "outline", width, height, rx: 8 });
  }
  const middle = height / 2;
  const points = [`${POINT_WIDTH},0`, `${width - POINT_WIDTH},0`, `${width},${middle}`, `${width - POINT_WIDTH},${height}`, `${POINT_WIDTH},${height}`, `0,${middle}`];
  return element("polygon", { class: "outline", points: points.join(" ") });
}

function drawKeystone(x: number): SVGElement {
  return element(
    "g",
    { class: "keystone-mark", transform: `translate(${x} -10)` },
    element("rect", { width: 86, height: 20, rx: 10 }),
    element("path", { d: "M13 4.4l1.9 3.7 4.1.6-3 2.9.7 4.1-3.7-2-3.7 2 .7-4.1-3-2.9 4.1-.6z" }),
    element("text", { x: 24, y: 14 }, "keystone"),
  );
}

function drawChip(chip: Card["chips"][number], x: number, y: number, width: number): SVGElement {
  const icons = {
    volatile: "M0 6c2-5 4-5 6 0s4 5 6 0",
    barrier: "M11 3.2A5.2 5.2 0 1 0 11.6 8M11.6 .6v3.4h-3.4",
    more: "M1 6h.1M6 6h.1M11 6h.1",
  };
  return element(
    "g",
    { class: `chip ${chip.kind}`, transform: `translate(${x} ${y})` },
    element("path", { class: "chip-icon", transform: "translate(1 2)", d: icons[chip.kind] }),
    element("text", { x: 20, y: 12 }, shorten(chip.text, width - 20, 6.3)),
  );
}

export function drawEdge({ edge, way, label }: PlacedEdge): SVGElement {
  const words = edge.kind === "control" ? "runs before" : `${edge.volatile ? "volatile " : ""}data: ${edge.resources.join(", ")}`;
  const group = element(
    "g",
    { class: `edge ${edge.kind}${edge.volatile ? " volatile" : ""}`, "data-from": edge.from, "data-to": edge.to },
    element("title", {}, words),
    element("path", { class: "line", d: curve(way), "marker-end": `url(#arrow-${edge.kind}${edge.volatile ? "-volatile" : ""})` }),
  );
  if (label !== undefined) {
    group.append(element("text", { class: "edge-label", x: round(label.x), y: round(label.y + 3) }, label.text));
  }
  return group;
}

export function arrowheads(): SVGElement {
  const head = (name: string): SVGElement =>
    element(
      "marker",
      { id: `arrow-${name}`, class: `arrow ${name}`, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 8, markerHeight: 8, orient: "auto", markerUnits: "userSpaceOnUse" },
      element("path", { d: "M0 1L9 5L0 9z" }),
    );
  return element("defs", {}, head("control"), head("data"), head("data-volatile"));
}

/** A smooth line through the points, leaving and arriving straight. */
export function curve(points: readonly Point[]): string {
  const [start, ...rest] = points;
  const end = rest.at(-1);
  if (start === undefined || end === undefined) {
    return "";
  }
  let from = start;
  const parts = [`M${round(start.x)} ${round(start.y)}`];
  for (const [index, to] of rest.entries()) {
    const next = rest[index + 1];
    if (next === undefined) {
      const bend = (to.y - from.y) / 2;
      parts.push(`C${round(from.x)} ${round(from.y + bend)} ${round(to.x)} ${round(to.y - bend)} ${round(to.x)} ${round(to.y)}`);
    } else {
      const middle = { x: (to.x + next.x) / 2, y: (to.y + next.y) / 2 };
      parts.push(`Q${round(to.x)} ${round(to.y)} ${round(middle.x)} ${round(middle.y)}`);
      from = middle;
      continue;
    }
    from = to;
  }
  return parts.join("");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
