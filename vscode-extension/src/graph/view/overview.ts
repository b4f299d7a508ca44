/** Draws the whole of a large plan on a canvas, where single steps are too small to read anyway. */
import type { View } from "./camera";
import type { Size } from "./layout";
import type { PlacedItem, Scene } from "./scene";

const COLOURS = {
  error: "--error",
  warning: "--warning",
  info: "--info",
  hint: "--hint",
  clean: "--vscode-descriptionForeground",
  edge: "--line",
  keystone: "--keystone",
  decision: "--data",
  cursor: "--vscode-focusBorder",
} as const;

/** A step is never drawn smaller than this many pixels, or it could not be seen or hit. */
const SMALLEST = 2;

export function drawOverview(canvas: HTMLCanvasElement, scene: Scene, view: View, screen: Size, cursor: number | null): void {
  const ratio = window.devicePixelRatio;
  canvas.width = Math.ceil(screen.width * ratio);
  canvas.height = Math.ceil(screen.height * ratio);
  const context = canvas.getContext("2d");
  if (context === null) {
    return;
  }
  const style = getComputedStyle(document.body);
  const colour = (name: keyof typeof COLOURS): string => style.getPropertyValue(COLOURS[name]).trim() || "#888888";
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.strokeStyle = colour("edge");
  context.lineWidth = 0.6;
  context.beginPath();
  for (const { edge, way } of scene.edges) {
    const [start] = way;
    const end = way.at(-1);
    if (edge.kind === "control" && start !== undefined && end !== undefined) {
      context.moveTo(start.x * view.scale + view.x, start.y * view.scale + view.y);
      context.lineTo(end.x * view.scale + view.x, end.y * view.scale + view.y);
    }
  }
  context.stroke();
  context.lineWidth = 1;
  for (const placed of scene.items.values()) {
    // Not by the colour alone: what stands out is filled, the keystone larger, and all else paler.
    const colourOfBox = colour(boxColour(placed));
    if (placed.card.keystone || placed.item.severity !== null) {
      drawBox(context, placed, view, colourOfBox, placed.card.keystone ? 2 : 0);
    } else {
      outlineBox(context, placed, view, colourOfBox);
    }
  }
  const current = cursor === null ? undefined : scene.items.get(cursor);
  if (current !== undefined) {
    drawBox(context, current, view, colour("cursor"), 3);
  }
}

function boxColour({ item, card }: PlacedItem): keyof typeof COLOURS {
  if (card.keystone) {
    return "keystone";
  }
  if (item.severity !== null) {
    return item.severity;
  }
  return card.shape === "decision" ? "decision" : "clean";
}

function drawBox(context: CanvasRenderingContext2D, placed: PlacedItem, view: View, colour: string, grow = 0): void {
  context.fillStyle = colour;
  context.fillRect(...onScreen(placed, view, grow));
}

function outlineBox(context: CanvasRenderingContext2D, placed: PlacedItem, view: View, colour: string): void {
  context.globalAlpha = 0.45;
  context.strokeStyle = colour;
  context.strokeRect(...onScreen(placed, view, -0.5));
  context.globalAlpha = 1;
}

/** Left, top, width and height. */
function onScreen({ box }: PlacedItem, view: View, grow: number): [number, number, number, number] {
  const width = Math.max(SMALLEST, box.width * view.scale) + 2 * grow;
  const height = Math.max(SMALLEST, box.height * view.scale) + 2 * grow;
  return [box.x * view.scale + view.x - width / 2, box.y * view.scale + view.y - height / 2, width, height];
}
