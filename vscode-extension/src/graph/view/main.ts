/** The page of the graph view: puts stage, toolbar and keyboard together and talks to the extension. */
import type { ServerState } from "../../serverstate";
import { total, type FromPage, type Graph, type ToPage } from "../model";
import type { Agent } from "./agents";
import { countsInWords, plural } from "./card";
import { findRuns } from "./collapse";
import { toBase64, toPng, toSvg } from "./export";
import { listen, type Actions } from "./input";
import { fillAgents, fillSeverities } from "./legend";
import { Scene, search, type PlacedItem } from "./scene";
import { Stage } from "./stage";

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void };

/** From this many steps on, uneventful runs are folded unless the user opens them. */
const MANY = 300;

const SERVER_WORDS = {
  starting: "The plancheck server is starting.",
  stopped: "The plancheck server is not running.",
  failed: "The plancheck server is not running.",
};

function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) {
    throw new Error(`The page has no #${id}.`);
  }
  return found;
}

class Page implements Actions {
  private readonly api = acquireVsCodeApi();
  private readonly stage = new Stage(byId("stage"));
  private readonly notice = byId("notice");
  private readonly summary = byId("summary");
  private readonly spoken = byId("spoken");
  private readonly matches = byId("matches");
  private readonly dataSwitch = byId("show-data") as HTMLInputElement;
  private readonly foldSwitch = byId("fold") as HTMLInputElement;
  private graph: Graph | undefined;
  private scene: Scene | undefined;
  private expanded = new Set<number>();
  private cursor: number | null = null;
  private found: readonly number[] = [];
  private foundAt = 0;

  constructor() {
    window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
      this.receive(data);
    });
    listen(byId("stage"), byId("toolbar"), this);
    byId("restart").addEventListener("click", () => { this.api.postMessage({ type: "restart" }); });
    byId("log").addEventListener("click", () => { this.api.postMessage({ type: "log" }); });
    this.api.postMessage({ type: "ready" });
  }

  private receive(message: ToPage): void {
    if (message.type === "graph") {
      this.showGraph(message.graph);
    } else if (message.type === "server") {
      this.showServer(message.server);
    } else if (message.type === "stale" || message.type === "empty") {
      this.notice.textContent = message.reason;
      this.notice.hidden = false;
      document.body.classList.toggle("stale", message.type === "stale");
    } else {
      this.moveTo(message.position, message.type === "select");
    }
  }

  /** Without a server the graph follows no edit: say so, with a way out. */
  private showServer({ state, reason }: ServerState): void {
    const bar = byId("server");
    bar.hidden = state === "running";
    document.body.classList.toggle("offline", state !== "running");
    if (state !== "running") {
      bar.classList.toggle("down", state !== "starting");
      byId("server-words").textContent = [SERVER_WORDS[state], reason].filter((words) => words !== "").join(" ");
    }
  }

  private showGraph(graph: Graph): void {
    const isFirst = this.graph === undefined;
    this.graph = graph;
    this.notice.hidden = true;
    document.body.classList.remove("stale");
    if (isFirst) {
      this.foldSwitch.checked = graph.steps.length >= MANY;
    }
    const foldable = findRuns(graph).length > 0;
    this.foldSwitch.disabled = !foldable;
    const keystone = graph.steps.find((step) => step.keystone);
    const findings = total(graph.counts);
    const facts = [
      plural(graph.steps.length, "step"),
      keystone === undefined ? "no keystone" : `keystone ${keystone.name} with ${plural(keystone.followers, "follower")}`,
      findings === 0 ? "no findings" : `${plural(findings, "finding")}: ${countsInWords(graph.counts)}`,
    ];
    this.summary.textContent = facts.join(" · ");
    this.rebuild();
    this.fillLegend(graph);
  }

  private fillLegend(graph: Graph): void {
    const agents = [...(this.scene?.agents.values() ?? [])];
    const list = byId("agents");
    list.hidden = agents.length === 0;
    list.setAttribute("aria-label", graph.steps.some((step) => step.agent !== null) ? "Agents" : "Tools");
    fillAgents(list, agents, (agent) => { this.pointOut(agent); });
    fillSeverities(byId("severities"), graph.counts);
  }

  /** Lay out and draw anew what is to be seen. */
  rebuild(): void {
    if (this.graph !== undefined) {
      this.scene = new Scene(this.graph, this.foldSwitch.checked, this.expanded, this.dataSwitch.checked);
      this.stage.show(this.scene);
      this.mark();
    }
  }

  foldAll(): void {
    this.expanded = new Set();
    this.rebuild();
  }

  private mark(): void {
    const shown = (position: number): number | undefined => this.scene?.find(position)?.item.id;
    const cursor = this.cursor === null ? null : (shown(this.cursor) ?? null);
    const found = this.found.map(shown).filter((id) => id !== undefined);
    this.stage.mark(cursor, new Set(found));
  }

  private moveTo(position: number | null, always: boolean): void {
    this.cursor = position;
    this.mark();
    const item = position === null ? undefined : this.scene?.find(position);
    if (item !== undefined) {
      this.stage.reveal(item);
    } else if (always) {
      this.stage.fit();
    }
  }

  /** A click, or Enter: show a step in the text, or open a folded run. */
  choose(item: PlacedItem, focus: boolean): void {
    if (item.item.steps.length > 1) {
      this.expanded.add(item.item.id);
      this.rebuild();
    }
    this.moveTo(item.item.id, false);
    this.spoken.textContent = item.card.label;
    this.api.postMessage({ type: "reveal", position: item.item.id, focus });
  }

  chooseAt(x: number, y: number): void {
    const item = this.stage.hit({ x, y });
    if (item !== undefined) {
      this.choose(item, false);
    }
  }

  chooseCurrent(): void {
    const item = this.current();
    if (item !== undefined) {
      this.choose(item, true);
    }
  }

  /** Walk along the control flow, or to a neighbour in the layer. */
  walk(direction: "up" | "down" | "left" | "right"): void {
    const from = this.current();
    let to: PlacedItem | undefined;
    if (from === undefined) {
      to = this.scene?.entrance;
    } else if (direction === "up" || direction === "down") {
      to = this.scene?.neighbours(from.item.id, direction === "up" ? "before" : "after")[0];
    } else {
      to = this.scene?.beside(from, direction);
    }
    this.standOn(to);
  }

  /** Go along the list of the plan, which leads to every step. */
  go(to: "first" | "previous" | "next" | "last"): void {
    this.standOn(this.scene?.inList(this.current(), to));
  }

  private standOn(item: PlacedItem | undefined): void {
    if (item !== undefined) {
      this.moveTo(item.item.id, false);
      this.spoken.textContent = item.card.label;
    }
  }

  private current(): PlacedItem | undefined {
    return this.cursor === null ? undefined : this.scene?.find(this.cursor);
  }

  search(query: string): void {
    this.found = this.graph === undefined ? [] : search(this.graph, query);
    this.foundAt = 0;
    this.showMatch();
    if (query.trim() === "") {
      this.matches.textContent = "";
    }
  }

  /** Find the steps of one agent, as a search does. */
  private pointOut(agent: Agent): void {
    (byId("search") as HTMLInputElement).value = agent.name;
    this.found = agent.steps;
    this.foundAt = 0;
    this.showMatch();
  }

  nextMatch(by: 1 | -1): void {
    if (this.found.length > 0) {
      this.foundAt = (this.foundAt + by + this.found.length) % this.found.length;
      this.showMatch();
    }
  }

  private showMatch(): void {
    const position = this.found[this.foundAt];
    this.matches.textContent = position === undefined ? "none" : `${this.foundAt + 1} of ${this.found.length}`;
    this.mark();
    if (position !== undefined) {
      this.moveTo(position, false);
    }
  }

  pan(across: number, down: number): void {
    this.stage.pan(across, down);
  }

  zoom(factor: number, at?: { x: number; y: number }): void {
    this.stage.zoom(factor, at);
  }

  fit(): void {
    this.stage.fit();
  }

  async save(format: "svg" | "png"): Promise<void> {
    if (this.scene !== undefined) {
      const content = format === "svg" ? new Blob([toSvg(this.scene)]) : await toPng(this.scene);
      this.api.postMessage({ type: "save", format, base64: await toBase64(content) });
    }
  }
}

new Page();
