/** Which part of the drawing is on the screen, and how large. */
import type { Point, Size } from "./layout";

export interface View extends Point {
  readonly scale: number;
}

export interface Rectangle extends Point, Size {}

const SMALLEST = 0.02;
const LARGEST = 2.5;
const MARGIN = 24;

/** Fitting must leave the words readable where it can: no smaller than this unless everything is asked for. */
export const READABLE = 0.35;

export function clampScale(scale: number): number {
  return Math.min(LARGEST, Math.max(SMALLEST, scale));
}

/** Zoom so that the given point of the screen keeps showing the same point of the drawing. */
export function zoomAt(view: View, at: Point, factor: number): View {
  const scale = clampScale(view.scale * factor);
  const ratio = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio };
}

/** Show the whole drawing, never larger than life, in the middle of the screen. */
export function fit(drawing: Size, screen: Size, smallest = SMALLEST): View {
  const room = { width: screen.width - 2 * MARGIN, height: screen.height - 2 * MARGIN };
  const whole = Math.min(1, room.width / drawing.width, room.height / drawing.height);
  const scale = clampScale(Math.max(whole, smallest));
  return {
    scale,
    x: (screen.width - drawing.width * scale) / 2,
    y: Math.max(MARGIN, (screen.height - drawing.height * scale) / 2),
  };
}

export function centreOn(view: View, point: Point, screen: Size): View {
  return { scale: view.scale, x: screen.width / 2 - point.x * view.scale, y: screen.height / 2 - point.y * view.scale };
}

/** The part of the drawing that is on the screen. */
export function visible(view: View, screen: Size): Rectangle {
  return {
    x: -view.x / view.scale,
    y: -view.y / view.scale,
    width: screen.width / view.scale,
    height: screen.height / view.scale,
  };
}

export function grown(rectangle: Rectangle, by: number): Rectangle {
  const across = rectangle.width * by;
  const down = rectangle.height * by;
  return {
    x: rectangle.x - across,
    y: rectangle.y - down,
    width: rectangle.width + 2 * across,
    height: rectangle.height + 2 * down,
  };
}

export function contains(outer: Rectangle, inner: Rectangle): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

export function overlaps(a: Rectangle, b: Rectangle): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
