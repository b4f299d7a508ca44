/** The part of the legend that depends on the plan: who acts in it, and which severities its findings have. */
import { SEVERITIES, total, type Counts } from "../model";
import type { Agent } from "./agents";
import { plural } from "./card";
import { drawAgentMark, drawSeverity, element } from "./draw";

export function fillAgents(list: HTMLElement, agents: Iterable<Agent>, pointOut: (agent: Agent) => void): void {
  const focused = list.querySelector<HTMLElement>(":focus")?.dataset.agent;
  const buttons = [...agents].map((agent) => agentButton(agent, pointOut));
  list.replaceChildren(...buttons.map((button) => entry(button)));
  buttons.find(({ dataset }) => dataset.agent === focused && focused !== undefined)?.focus();
}

export function fillSeverities(list: HTMLElement, counts: Counts): void {
  list.hidden = total(counts) === 0;
  const present = SEVERITIES.filter((severity) => counts[severity] > 0);
  list.replaceChildren(
    ...present.map((severity) => {
      const icon = element("svg", { class: severity, "aria-hidden": "true" }, element("rect", { class: "badge", x: 4, width: 14, height: 12, rx: 6 }), drawSeverity(severity, 7, 2));
      return entry(icon, severity);
    }),
  );
}

function agentButton(agent: Agent, pointOut: (agent: Agent) => void): HTMLElement {
  const button = document.createElement("button");
  button.title = `${agent.letter}: ${agent.name}, ${plural(agent.steps.length, "step")}. Point them out`;
  button.dataset.agent = agent.name;
  const name = document.createElement("span");
  name.textContent = agent.name;
  button.append(element("svg", { "aria-hidden": "true" }, drawAgentMark(agent, 0, -2)), name);
  button.addEventListener("click", () => {
    pointOut(agent);
  });
  return button;
}

function entry(...content: (Node | string)[]): HTMLLIElement {
  const made = document.createElement("li");
  made.append(...content);
  return made;
}
