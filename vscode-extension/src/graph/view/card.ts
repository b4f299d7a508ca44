/** What stands on the card of a step, and how large the card is. */
import type { Kind, Read } from "../model";
import type { Item } from "./collapse";
import type { Size } from "./layout";

export interface Chip {
  readonly kind: "volatile" | "barrier" | "more";
  readonly text: string;
}

export interface Card extends Size {
  readonly shape: Kind | "group";
  readonly title: string;
  readonly agent: string | null;
  readonly detail: string;
  readonly chips: readonly Chip[];
  readonly keystone: boolean;
  readonly findings: number;
  /** The whole of it in words, for screen readers and as a tooltip. */
  readonly label: string;
}

export const CARD_WIDTH = 212;
export const HEAD_HEIGHT = 54;
export const CHIP_HEIGHT = 20;
const MOST_CHIPS = 3;
const FOOT = 6;

/** A decision's card has pointed sides, which its words must keep clear of. */
export const POINT_WIDTH = 14;

export function cardOf(item: Item): Card {
  return item.steps.length > 1 ? groupCard(item) : stepCard(item);
}

function stepCard(item: Item): Card {
  const [step] = item.steps;
  if (step === undefined) {
    throw new Error("An item has at least one step.");
  }
  const shape = step.kind ?? "tool_call";
  const chips = chipsOf(step.reads);
  const followers = plural(step.followers, "follower");
  const writes = step.writes.length === 0 ? "no writes" : `writes ${step.writes.length}`;
  const agent = step.agent ?? step.tool;
  const words = [
    `Step ${step.name}`,
    ...(agent === null ? [] : [agent]),
    shape === "decision" ? "decision" : "tool call",
    ...(step.keystone ? ["keystone"] : []),
    followers,
    ...(step.writes.length === 0 ? [] : [`writes ${step.writes.join(", ")}`]),
    ...step.reads.filter((read) => read.volatile && !read.revalidates).map((read) => `volatile read of ${read.resource}`),
    ...step.reads.filter((read) => read.revalidates).map((read) => `reads ${read.resource} again`),
    ...step.findings.map((finding) => `${finding.severity}: ${finding.message}`),
  ];
  return {
    width: CARD_WIDTH + (shape === "decision" ? 2 * POINT_WIDTH : 0),
    height: HEAD_HEIGHT + chips.length * CHIP_HEIGHT + (chips.length > 0 ? FOOT : 0),
    shape,
    title: step.name,
    agent,
    detail: `${followers} · ${writes}`,
    chips,
    keystone: step.keystone,
    findings: step.findings.length,
    label: words.join("\n"),
  };
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
