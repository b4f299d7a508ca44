/** The drawing on the screen: what is visible is drawn as SVG, and as a plain overview where that is too much. */
import { READABLE, centreOn, contains, fit, grown, held, opening, overlaps, settled, visible, zoomAt, type Rectangle, type View } from "./camera";
import { arrowheads, drawEdge, drawItem, element } from "./draw";
import type { Point, Size } from "./layout";
import { drawOverview } from "./overview";
import type { PlacedItem, Scene } from "./scene";

/** More items than this at once are neither readable nor fluent as SVG. */
const MOST_AS_SVG = 500;

/** Below this size nothing on a card can be read. */
const SMALLEST_AS_SVG = 0.12;

/** Below this size words are only specks: who is led to a step wants it larger. */
const SMALLEST_WITH_WORDS = 0.35;

/** How much more than the screen is drawn, so that small movements need no new elements. */
const RESERVE = 0.5;

/** Who chose what is on the screen: the view itself as it opened, the user who wanted all, or the user's own hand. */
type Framing = "opening" | "whole" | "by hand";

export class Stage {
  private view: View = { x: 0, y: 0, scale: 1 };
  private framing: Framing = "opening";
  private screen: Size = { width: 0, height: 0 };
  private scene: Scene | undefined;
  private drawnFor: Rectangle | undefined;
  private frame = 0;
  private readonly steps = new Map<number, SVGElement>();
  private readonly lines = new Map<string, SVGElement>();
  private readonly world = element("g", { id: "world" });
  private readonly controlLayer = element("g", {});
  /** Above the control flow, whose lines would run through its words. */
  private readonly dataLayer = element("g", {});
  private readonly stepLayer = element("g", {});
  private readonly svg: SVGElement;
  private readonly canvas = document.createElement("canvas");
  private cursor: number | null = null;
  private found: ReadonlySet<number> = new Set();

  constructor(private readonly host: HTMLElement) {
    this.world.append(this.controlLayer, this.dataLayer, this.stepLayer);
    this.svg = element("svg", { "aria-hidden": "false" }, arrowheads(), this.world);
    this.host.append(this.canvas, this.svg);
    new ResizeObserver(() => {
      this.resize();
    }).observe(host);
  }

  /** Take a new scene. What is in the middle stays there, unless all of the plan is on the screen. */
  show(scene: Scene): void {
    const before = this.scene;
    this.scene = scene;
    this.clear();
    const showsAll = this.framing === "whole" || (this.framing === "opening" && fit(scene.size, this.screen).scale >= READABLE);
    if (before === undefined || showsAll) {
      this.arrange();
    } else {
      this.keepInPlace(before, scene);
    }
    this.redraw();
  }

  /** The pane has another size: fit what is shown into it, or keep in the middle what the user has put there. */
  private resize(): void {
    const before = this.screen;
    this.screen = { width: this.host.clientWidth, height: this.host.clientHeight };
    if (this.framing === "by hand") {
      const [across, down] = [this.screen.width - before.width, this.screen.height - before.height];
      this.view = { ...this.view, x: this.view.x + across / 2, y: this.view.y + down / 2 };
    } else {
      this.arrange();
    }
    this.redraw();
  }

  private arrange(): void {
    if (this.scene !== undefined && this.screen.width > 0 && this.screen.height > 0) {
      this.view = this.framing === "whole" ? fit(this.scene.size, this.screen) : this.opened(this.scene);
    }
  }

  private opened(scene: Scene): View {
    const current = this.cursor === null ? undefined : scene.items.get(this.cursor);
    return opening(scene.size, this.screen, (current ?? scene.entrance)?.box ?? { x: 0, y: 0 });
  }

  private keepInPlace(before: Scene, scene: Scene): void {
    const { x, y, width, height } = visible(this.view, this.screen);
    const anchor = before.nearest({ x: x + width / 2, y: y + height / 2 });
    const moved = anchor === undefined ? undefined : scene.find(anchor.item.id);
    if (anchor !== undefined && moved !== undefined) {
      const across = (anchor.box.x - moved.box.x) * this.view.scale;
      const down = (anchor.box.y - moved.box.y) * this.view.scale;
      this.view = { ...this.view, x: this.view.x + across, y: this.view.y + down };
    }
    this.view = held(this.view, scene.size, this.screen);
  }

  /** Mark the item that the cursor is in and those that a search found. */
  mark(cursor: number | null, found: ReadonlySet<number>): void {
    this.cursor = cursor;
    this.found = found;
    if (cursor === null) {
      this.host.removeAttribute("aria-activedescendant");
    } else {
      this.host.setAttribute("aria-activedescendant", `step-${cursor}`);
    }
    this.redraw();
  }

  fit(): void {
    this.framing = "whole";
    this.arrange();
    this.redraw();
  }

  pan(across: number, down: number): void {
    this.moveByHand({ ...this.view, x: this.view.x + across, y: this.view.y + down });
  }

  zoom(factor: number, at: Point = { x: this.screen.width / 2, y: this.screen.height / 2 }): void {
    this.moveByHand(zoomAt(this.view, at, factor));
  }

  private moveByHand(view: View): void {
    if (this.scene !== undefined) {
      this.framing = "by hand";
      this.view = held(view, this.scene.size, this.screen);
      this.redraw();
    }
  }

  /** Bring an item on the screen, large enough to read, moving only if need be. */
  reveal({ box, bounds }: PlacedItem): void {
    const isTooSmall = this.view.scale < SMALLEST_WITH_WORDS;
    if (!isTooSmall && contains(visible(this.view, this.screen), bounds)) {
      return;
    }
    if (this.framing === "whole") {
      this.framing = "opening";
    }
    const centred = centreOn(isTooSmall ? { ...this.view, scale: READABLE } : this.view, box, this.screen);
    this.view = this.scene === undefined ? centred : settled(centred, this.scene.size, this.screen);
    this.redraw();
  }

  /** The item at a point of the screen. */
  hit(at: Point): PlacedItem | undefined {
    return this.scene?.at({ x: (at.x - this.view.x) / this.view.scale, y: (at.y - this.view.y) / this.view.scale });
  }

  private clear(): void {
    this.steps.clear();
    this.lines.clear();
    for (const layer of [this.controlLayer, this.dataLayer, this.stepLayer]) {
      layer.replaceChildren();
    }
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
      const layer = placed.edge.kind === "control" ? this.controlLayer : this.dataLayer;
      replace(this.lines, placed.key, layer, overlaps(placed.bounds, window), () => drawEdge(placed));
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
