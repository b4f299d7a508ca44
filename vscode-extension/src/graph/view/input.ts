/** Mouse, wheel, keyboard and toolbar, turned into what the user wants. */

export interface Actions {
  rebuild(): void;
  foldAll(): void;
  chooseAt(x: number, y: number): void;
  chooseCurrent(): void;
  walk(direction: "up" | "down" | "left" | "right"): void;
  go(to: "first" | "previous" | "next" | "last"): void;
  search(query: string): void;
  nextMatch(by: 1 | -1): void;
  pan(across: number, down: number): void;
  zoom(factor: number, at?: { x: number; y: number }): void;
  fit(): void;
  save(format: "svg" | "png"): Promise<void>;
}

const ZOOM_STEP = 1.25;

/** A press that moves less than this is a click. */
const CLICK_SLACK = 4;

export function listen(stage: HTMLElement, toolbar: HTMLElement, actions: Actions): void {
  listenToMouse(stage, actions);
  listenToKeys(stage, toolbar, actions);
  listenToToolbar(toolbar, actions);
}

function listenToMouse(stage: HTMLElement, actions: Actions): void {
  let last: { x: number; y: number } | undefined;
  let travelled = 0;
  stage.addEventListener("pointerdown", (event) => {
    if (event.button === 0 || event.button === 1) {
      last = { x: event.clientX, y: event.clientY };
      travelled = 0;
      stage.setPointerCapture(event.pointerId);
    }
  });
  stage.addEventListener("pointermove", (event) => {
    if (last !== undefined) {
      const [across, down] = [event.clientX - last.x, event.clientY - last.y];
      travelled += Math.abs(across) + Math.abs(down);
      last = { x: event.clientX, y: event.clientY };
      actions.pan(across, down);
    }
  });
  const release = (event: PointerEvent): void => {
    if (last !== undefined && event.type === "pointerup" && travelled < CLICK_SLACK) {
      const { left, top } = stage.getBoundingClientRect();
      actions.chooseAt(event.clientX - left, event.clientY - top);
    }
    last = undefined;
  };
  stage.addEventListener("pointerup", release);
  stage.addEventListener("pointercancel", release);
  stage.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const { left, top } = stage.getBoundingClientRect();
      if (event.ctrlKey || event.metaKey) {
        actions.zoom(Math.exp(-event.deltaY / 200), { x: event.clientX - left, y: event.clientY - top });
      } else if (event.shiftKey && event.deltaX === 0) {
        actions.pan(-event.deltaY, 0);
      } else {
        actions.pan(-event.deltaX, -event.deltaY);
      }
    },
    { passive: false },
  );
}

function listenToKeys(stage: HTMLElement, toolbar: HTMLElement, actions: Actions): void {
  const keys = new Map<string, () => void>([
    ["ArrowUp", () => { actions.walk("up"); }],
    ["ArrowDown", () => { actions.walk("down"); }],
    ["ArrowLeft", () => { actions.walk("left"); }],
    ["ArrowRight", () => { actions.walk("right"); }],
    ["Home", () => { actions.go("first"); }],
    ["PageUp", () => { actions.go("previous"); }],
    ["PageDown", () => { actions.go("next"); }],
    ["End", () => { actions.go("last"); }],
    ["Enter", () => { actions.chooseCurrent(); }],
    ["+", () => { actions.zoom(ZOOM_STEP); }],
    ["=", () => { actions.zoom(ZOOM_STEP); }],
    ["-", () => { actions.zoom(1 / ZOOM_STEP); }],
    ["0", () => { actions.fit(); }],
    ["/", () => { toolbar.querySelector<HTMLInputElement>("#search")?.focus(); }],
  ]);
  stage.addEventListener("keydown", (event) => {
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys.get(event.key);
    if (action !== undefined) {
      event.preventDefault();
      action();
    }
  });
}

function listenToToolbar(toolbar: HTMLElement, actions: Actions): void {
  const clicks = new Map<string, () => void>([
    ["zoom-in", () => { actions.zoom(ZOOM_STEP); }],
    ["zoom-out", () => { actions.zoom(1 / ZOOM_STEP); }],
    ["fit", () => { actions.fit(); }],
    ["save-svg", () => { void actions.save("svg"); }],
    ["save-png", () => { void actions.save("png"); }],
  ]);
  for (const [id, action] of clicks) {
    toolbar.querySelector(`#${id}`)?.addEventListener("click", action);
  }
  toolbar.querySelector("#show-data")?.addEventListener("change", () => { actions.rebuild(); });
  toolbar.querySelector("#fold")?.addEventListener("change", () => { actions.foldAll(); });
  const search = toolbar.querySelector<HTMLInputElement>("#search");
  search?.addEventListener("input", () => { actions.search(search.value); });
  search?.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      actions.nextMatch(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      search.value = "";
      actions.search("");
    }
  });
}
