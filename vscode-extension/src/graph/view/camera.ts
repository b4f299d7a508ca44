/** Which part of the drawing is on the screen, and how large. */
import type { Point, Size } from "./layout";

export interface View extends Point {
  readonly scale: number;
}

export interface Rectangle extends Point, Size {}

const SMALLEST = 0.02;
const LARGEST = 2.5;
const MARGIN = 24;

/** The smallest words of the drawing are 12 pixels high; on the screen they are readable from 10 on. */
export const READABLE = 0.84;

/** How much of the drawing stays on the screen, wherever it is moved. */
const LEFT_OVER = 80;

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
export function fit(drawing: Size, screen: Size): View {
  const room = { width: screen.width - 2 * MARGIN, height: screen.height - 2 * MARGIN };
  const scale = clampScale(Math.min(1, room.width / drawing.width, room.height / drawing.height));
  return settled({ scale, x: 0, y: 0 }, drawing, screen);
}

/** The whole drawing where its words can be read then, else as much of it as can be read around a point. */
export function opening(drawing: Size, screen: Size, around: Point): View {
  const whole = fit(drawing, screen);
  return whole.scale >= READABLE ? whole : settled(centreOn({ ...whole, scale: READABLE }, around, screen), drawing, screen);
}

/** Leave no room empty that the drawing could fill. */
export function settled({ x, y, scale }: View, drawing: Size, screen: Size): View {
  const along = (at: number, size: number, room: number): number =>
    size <= room - 2 * MARGIN ? (room - size) / 2 : Math.min(MARGIN, Math.max(room - size - MARGIN, at));
  return { scale, x: along(x, drawing.width * scale, screen.width), y: along(y, drawing.height * scale, screen.height) };
}

/** Keep some of the drawing on the screen. */
export function held({ x, y, scale }: View, drawing: Size, screen: Size): View {
  const along = (at: number, size: number, room: number): number => Math.min(room - LEFT_OVER, Math.max(LEFT_OVER - size, at));
  return { scale, x: along(x, drawing.width * scale, screen.width), y: along(y, drawing.height * scale, screen.height) };
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
