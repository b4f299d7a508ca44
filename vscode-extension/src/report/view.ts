/** The page of the report view: shows what the extension has rendered, and leads from a step into the text. */

declare function acquireVsCodeApi(): { postMessage(message: { step?: string }): void };

const api = acquireVsCodeApi();
const main = document.querySelector("main");

window.addEventListener("message", ({ data }: MessageEvent<{ html: string }>) => {
  if (main !== null) {
    main.innerHTML = data.html;
  }
});
main?.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-step]") : null;
  if (link?.dataset.step !== undefined) {
    event.preventDefault();
    api.postMessage({ step: link.dataset.step });
  }
});
api.postMessage({});
