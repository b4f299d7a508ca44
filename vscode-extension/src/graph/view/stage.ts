/** The drawing on the screen: what is visible is drawn as SVG, and as a plain overview where that is too much. */
import { READABLE, centreOn, contains, fit, grown, overlaps, visible, zoomAt, type Rectangle, type View } from "./camera";
import { arrowheads, drawEdge, drawItem, element } from "./draw";
import type { Point, Size } from "./layout";
import { drawOverview } from "./overview";
import type { PlacedItem, Scene } from "./scene";

/** More items than this at once are neither readable nor fluent as SVG. */
const MOST_AS_SVG = 500;

/** Below this size nothing on a card can be read. */
const SMALLEST_AS_SVG = 0.12;

/** How much more than the screen is drawn, so that small movements need no new elements. */
const RESERVE = 0.5;

export class Stage {
  private view: View = { x: 0, y: 0, scale: 1 };
  private scene: Scene | undefined;
  private drawnFor: Rectangle | undefined;
  private frame = 0;
  private readonly steps = new Map<number, SVGElement>();
  private readonly lines = new Map<string, SVGElement>();
  private readonly world = element("g", { id: "world" });
  private readonly edgeLayer = element("g", {});
  private readonly stepLayer = element("g", {});
  private readonly svg: SVGElement;
  private readonly canvas = document.createElement("canvas");
  private cursor: number | null = null;
  private found: ReadonlySet<number> = new Set();

  constructor(private readonly host: HTMLElement) {
    this.world.append(this.edgeLayer, this.stepLayer);
    this.svg = element("svg", { "aria-hidden": "false" }, arrowheads(), this.world);
    this.host.append(this.canvas, this.svg);
    new ResizeObserver(() => {
      this.redraw();
    }).observe(host);
  }

  get screen(): Size {
    return { width: this.host.clientWidth, height: this.host.clientHeight };
  }

  /** Take a new scene. The view stays where it is, unless this is the first one. */
  show(scene: Scene): void {
    const isFirst = this.scene === undefined;
    this.scene = scene;
    this.clear();
    if (isFirst) {
      this.view = fit(scene.size, this.screen, READABLE);
    }
    this.redraw();
  }

  /** Mark the item that the cursor is in and those that a search found. */
  mark(cursor: number | null, found: ReadonlySet<number>): void {
    this.cursor = cursor;
    this.found = found;
    this.redraw();
  }

  fit(): void {
    if (this.scene !== undefined) {
      this.view = fit(this.scene.size, this.screen);
      this.redraw();
    }
  }

  pan(across: number, down: number): void {
    this.view = { ...this.view, x: this.view.x + across, y: this.view.y + down };
    this.redraw();
  }

  zoom(factor: number, at: Point = { x: this.screen.width / 2, y: this.screen.height / 2 }): void {
    this.view = zoomAt(this.view, at, factor);
    this.redraw();
  }

  /** Bring an item on the screen, large enough to read, moving only if need be. */
  reveal({ box, bounds }: PlacedItem): void {
    const shown = visible(this.view, this.screen);
    if (this.view.scale < READABLE) {
      this.view = { ...this.view, scale: 0.8 };
    } else if (contains(shown, bounds)) {
      return;
    }
    this.view = centreOn(this.view, box, this.screen);
    this.redraw();
  }

  /** The item at a point of the screen. */
  hit(at: Point): PlacedItem | undefined {
    return this.scene?.at({ x: (at.x - this.view.x) / this.view.scale, y: (at.y - this.view.y) / this.view.scale });
  }

  private clear(): void {
    this.steps.clear();
    this.lines.clear();
    this.edgeLayer.replaceChildren();
    this.stepLayer.replaceChildren();
    this.drawnFor = undefined;
  }

  private redraw(): void {
    if (this.frame === 0) {
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        this.draw();
      });
    }
  }

  private draw(): void {
    const { scene, view, screen } = this;
    if (scene === undefined) {
      return;
    }
    const window = visible(view, screen);
    const asSvg = view.scale >= SMALLEST_AS_SVG && count(scene, window, MOST_AS_SVG) <= MOST_AS_SVG;
    this.host.classList.toggle("overview", !asSvg);
    this.host.dataset.scale = view.scale.toFixed(3);
    if (!asSvg) {
      drawOverview(this.canvas, scene, view, screen, this.cursor);
      return;
    }
    this.world.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
    if (this.drawnFor === undefined || !contains(this.drawnFor, window) || this.drawnFor.width > 4 * window.width) {
      this.drawnFor = grown(window, RESERVE);
      this.fill(scene, this.drawnFor);
    }
    for (const [id, drawn] of this.steps) {
      drawn.classList.toggle("cursor", id === this.cursor);
      drawn.classList.toggle("found", this.found.has(id));
    }
    for (const drawn of this.lines.values()) {
      const isNear = this.cursor !== null && [drawn.dataset.from, drawn.dataset.to].includes(String(this.cursor));
      drawn.classList.toggle("near", isNear);
    }
  }

  /** Have exactly those elements in the page that lie in the window. */
  private fill(scene: Scene, window: Rectangle): void {
    for (const [id, placed] of scene.items) {
      replace(this.steps, id, this.stepLayer, overlaps(placed.bounds, window), () => drawItem(placed.item, placed.card, placed.box));
    }
    for (const placed of scene.edges) {
      replace(this.lines, placed.key, this.edgeLayer, overlaps(placed.bounds, window), () => drawEdge(placed));
    }
  }
}

function replace<Key>(drawn: Map<Key, SVGElement>, key: Key, layer: Element, wanted: boolean, make: () => SVGElement): void {
  const known = drawn.get(key);
  if (wanted && known === undefined) {
    const made = make();
    drawn.set(key, made);
    layer.append(made);
  } else if (!wanted && known !== undefined) {
    known.remove();
    drawn.delete(key);
  }
}

function count(scene: Scene, window: Rectangle, enough: number): number {
  let found = 0;
  for (const { bounds } of scene.items.values()) {
    if (overlaps(bounds, window) && ++found > enough) {
      break;
    }
  }
  return found;
}
