/** What stands on the card of a step, and how large the card is. */
import { SEVERITIES, total, type Counts, type Kind, type Read, type StepNode } from "../model";
import { agentNameOf, type Agent } from "./agents";
import type { Item } from "./collapse";
import type { Size } from "./layout";

export interface Chip {
  readonly kind: "volatile" | "barrier" | "more";
  readonly text: string;
}

export interface Card extends Size {
  readonly shape: Kind | "group";
  readonly title: string;
  readonly agent: Agent | null;
  /** The height of what stands above the chips: a long name has a line of its own, above its agent's. */
  readonly head: number;
  readonly detail: string;
  readonly chips: readonly Chip[];
  readonly keystone: boolean;
  readonly findings: number;
  /** The whole of it in words, for screen readers and as a tooltip. */
  readonly label: string;
}

export const CARD_WIDTH = 212;
export const LINE_HEIGHT = 19;
/** With the name and the agent on one line. */
export const HEAD_HEIGHT = 54;
export const CHIP_HEIGHT = 20;
const MOST_CHIPS = 3;
const FOOT = 6;

/** A longer name leaves no room for the agent's beside it. */
const LONGEST_BESIDE_AGENT = 4;

/** A decision's card has pointed sides, which its words must keep clear of. */
export const POINT_WIDTH = 14;

export function cardOf(item: Item, agents: ReadonlyMap<string, Agent>): Card {
  return item.steps.length > 1 ? groupCard(item) : stepCard(item, agents);
}

function stepCard(item: Item, agents: ReadonlyMap<string, Agent>): Card {
  const [step] = item.steps;
  if (step === undefined) {
    throw new Error("An item has at least one step.");
  }
  const shape = step.kind ?? "tool_call";
  const chips = chipsOf(step.reads);
  const writes = step.writes.length === 0 ? "no writes" : `writes ${step.writes.length}`;
  const agent = agents.get(agentNameOf(step) ?? "") ?? null;
  const head = HEAD_HEIGHT + (agent !== null && step.name.length > LONGEST_BESIDE_AGENT ? LINE_HEIGHT : 0);
  return {
    width: CARD_WIDTH + (shape === "decision" ? 2 * POINT_WIDTH : 0),
    height: head + chips.length * CHIP_HEIGHT + (chips.length > 0 ? FOOT : 0),
    shape,
    title: step.name,
    agent,
    head,
    detail: `${plural(step.followers, "follower")} · ${writes}`,
    chips,
    keystone: step.keystone,
    findings: total(step.counts),
    label: inWords(step),
  };
}

function inWords(step: StepNode): string {
  const agent = agentNameOf(step);
  const hidden = total(step.counts) - step.findings.length;
  return [
    `Step ${step.name}`,
    ...(agent === null ? [] : [agent]),
    step.kind === "decision" ? "decision" : "tool call",
    ...(step.keystone ? ["keystone"] : []),
    plural(step.followers, "follower"),
    ...(step.writes.length === 0 ? [] : [`writes ${step.writes.join(", ")}`]),
    ...step.reads.filter((read) => read.volatile && !read.revalidates).map((read) => `volatile read of ${read.resource}`),
    ...step.reads.filter((read) => read.revalidates).map((read) => `reads ${read.resource} again`),
    ...step.findings.map((finding) => `${finding.severity}: ${finding.message}`),
    ...(hidden > 0 ? [`${plural(hidden, step.findings.length > 0 ? "more finding" : "finding")}, past plancheck.maxFindings`] : []),
  ].join("\n");
}

/** How many findings there are of each severity, in words: "2 errors, 1 hint". */
export function countsInWords(counts: Counts): string {
  const words = SEVERITIES.filter((severity) => counts[severity] > 0).map((severity) =>
    severity === "info" ? `${counts.info.toLocaleString("en")} info` : plural(counts[severity], severity),
  );
  return words.join(", ");
}

function groupCard(item: Item): Card {
  const names = item.steps.map((step) => step.name);
  const range = `${names.at(0) ?? ""} … ${names.at(-1) ?? ""}`;
  const count = plural(item.steps.length, "step");
  return {
    width: CARD_WIDTH,
    height: HEAD_HEIGHT,
    shape: "group",
    title: count,
    agent: null,
    head: HEAD_HEIGHT,
    detail: range,
    chips: [],
    keystone: false,
    findings: 0,
    label: `${count} in a row, ${range}\nOpen to see each of them`,
  };
}

function chipsOf(reads: readonly Read[]): Chip[] {
  const all = reads.flatMap((read): Chip[] => {
    if (read.revalidates) {
      return [{ kind: "barrier", text: read.resource }];
    }
    return read.volatile ? [{ kind: "volatile", text: read.resource }] : [];
  });
  if (all.length <= MOST_CHIPS) {
    return all;
  }
  return [...all.slice(0, MOST_CHIPS - 1), { kind: "more", text: `${all.length - MOST_CHIPS + 1} more volatile reads` }];
}

export function plural(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Shorten a text to about a width in pixels, given the mean width of a letter. */
export function shorten(text: string, width: number, letter: number): string {
  const most = Math.floor(width / letter);
  return text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1))}…`;
}
