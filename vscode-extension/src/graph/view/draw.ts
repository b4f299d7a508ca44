/** Draws items and edges as SVG elements; colours and fonts come from drawing.css. */
import type { Severity } from "../model";
import type { Agent } from "./agents";
import { CHIP_HEIGHT, HEAD_HEIGHT, LINE_HEIGHT, POINT_WIDTH, type Card } from "./card";
import type { Item } from "./collapse";
import type { Box, Point } from "./layout";
import type { PlacedEdge } from "./scene";
import { fitted, widthOf } from "./words";

const NAMESPACE = "http://www.w3.org/2000/svg";
const PAD = 12;
const FIRST_LINE = 24;

/** The fonts of drawing.css, to measure with. */
const NAME = "600 13px";
const SMALL = "12px";
const BADGE = "700 12px";

export function element(name: string, attributes: Record<string, string | number>, ...children: (Element | string)[]): SVGElement {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
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
  const x = inset + PAD;
  const badge = item.severity === null ? undefined : drawBadge(item.severity, card.findings, card.width - inset - PAD + 4);
  drawHead(group, card, x, card.width - inset - PAD - (badge?.width ?? 0));
  const inner = card.width - 2 * inset - 2 * PAD;
  group.append(element("text", { class: "detail", x, y: card.head - 11 }, fitted(card.detail, inner, SMALL)));
  group.append(...card.chips.map((chip, index) => drawChip(chip, x, card.head + index * CHIP_HEIGHT, inner)));
  if (badge !== undefined) {
    group.append(badge.drawn);
  }
  if (card.keystone) {
    group.append(drawKeystone(inset + PAD));
  }
  return group;
}

/** The step's name and who acts: beside each other, or one above the other where the head has two lines for them. */
function drawHead(group: SVGElement, card: Card, x: number, end: number): void {
  const title = fitted(card.title, end - x, NAME);
  group.append(element("text", { class: "name", x, y: FIRST_LINE }, title));
  if (card.agent === null) {
    return;
  }
  const isBeside = card.head === HEAD_HEIGHT;
  const from = isBeside ? x + widthOf(title, NAME) + 10 : x;
  const y = isBeside ? FIRST_LINE : FIRST_LINE + LINE_HEIGHT;
  const to = isBeside ? end : card.width - x;
  const mark = markWidth(card.agent);
  group.append(
    drawAgentMark(card.agent, from, y - 12),
    element("text", { class: "agent-name", x: from + mark + 5, y }, fitted(card.agent.name, to - from - mark - 5, SMALL)),
  );
}

function markWidth({ letter }: Agent): number {
  return 9 + 9 * letter.length;
}

export function drawAgentMark(agent: Agent, x: number, y: number): SVGElement {
  const width = markWidth(agent);
  return element(
    "g",
    { class: `agent agent-${agent.colour}`, transform: `translate(${round(x)} ${y})` },
    element("rect", { width, height: 16, rx: 4 }),
    element("text", { x: width / 2, y: 12.4 }, agent.letter),
  );
}

/** How many findings, with the sign of the worst: for those who cannot tell the colours apart. */
function drawBadge(severity: Severity, findings: number, right: number): { readonly drawn: SVGElement; readonly width: number } {
  const count = findings.toLocaleString("en");
  const width = 27 + Math.ceil(widthOf(count, BADGE));
  const drawn = element(
    "g",
    { class: "findings", transform: `translate(${round(right - width)} 9)` },
    element("rect", { class: "badge", width, height: 18, rx: 9 }),
    drawSeverity(severity, 8, 5),
    element("text", { class: "badge-count", x: 19, y: 13.4 }, count),
  );
  return { drawn, width };
}

/** A cross, a triangle, an "i" or a ring, 8 pixels high and wide. */
export function drawSeverity(severity: Severity, x: number, y: number): SVGElement {
  const shapes: Record<Severity, string> = {
    error: "M1 1l6 6M7 1l-6 6",
    warning: "M4 .6L7.8 7.4H.2z",
    info: "M4 .9v.2M4 3.6v3.6",
    hint: "M6.6 4A2.6 2.6 0 1 1 1.4 4A2.6 2.6 0 1 1 6.6 4",
  };
  return element("path", { class: `sign ${severity}-sign`, transform: `translate(${x} ${y})`, d: shapes[severity] });
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
    { class: "keystone-mark", transform: `translate(${x} -13)` },
    element("rect", { width: 92, height: 20, rx: 10 }),
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
    element("text", { x: 20, y: 12 }, fitted(chip.text, width - 20, SMALL)),
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
