/** The page of the report view: shows what the extension has rendered, and leads from findings and steps into the text. */
import type { Place } from "./render";

/** What the page tells the extension: that it is ready, or what of the text is to be shown. */
export interface FromPage {
  readonly step?: string | undefined;
  readonly place?: Place;
}

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void };

const api = acquireVsCodeApi();
const main = document.querySelector("main");

window.addEventListener("message", ({ data }: MessageEvent<{ html: string }>) => {
  if (main !== null) {
    replace(main, data.html);
  }
});
main?.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-step], [data-place]") : null;
  if (link !== null) {
    event.preventDefault();
    const { step, place } = link.dataset;
    api.postMessage(place === undefined ? { step } : { place: JSON.parse(place) as Place });
  }
});
api.postMessage({});

/** Put the new report in place of the old one; whoever is walking through it with the keyboard stays where they are. */
function replace(page: HTMLElement, html: string): void {
  const links = (): HTMLElement[] => [...page.querySelectorAll<HTMLElement>("a, button")];
  const focused = links().findIndex((link) => link === document.activeElement);
  page.innerHTML = html;
  links()[focused]?.focus({ preventScroll: true });
}
