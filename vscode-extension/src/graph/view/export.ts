/** The whole drawing as a file of its own, in the colours of the theme it is seen in. */
import { arrowheads, drawEdge, drawItem, element } from "./draw";
import drawingCss from "./drawing.css";
import type { Scene } from "./scene";

/** Browsers draw nothing on a canvas with a longer side. */
const LONGEST_SIDE = 16_000;

export function toSvg(scene: Scene): string {
  const { width, height } = scene.size;
  const svg = element(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", width: Math.ceil(width), height: Math.ceil(height), viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}` },
    element("style", {}, resolved(drawingCss)),
    arrowheads(),
    element("rect", { width: "100%", height: "100%", fill: resolved("var(--vscode-editor-background)") }),
    ...(["control", "data"] as const).flatMap((kind) => scene.edges.filter(({ edge }) => edge.kind === kind).map(drawEdge)),
    ...[...scene.items.values()].map(({ item, card, box }) => drawItem(item, card, box)),
  );
  return new XMLSerializer().serializeToString(svg);
}

export async function toPng(scene: Scene): Promise<Blob> {
  const { width, height } = scene.size;
  const scale = Math.min(2, LONGEST_SIDE / Math.max(width, height));
  const picture = new Image();
  const url = URL.createObjectURL(new Blob([toSvg(scene)], { type: "image/svg+xml" }));
  try {
    picture.src = url;
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(width * scale);
    canvas.height = Math.ceil(height * scale);
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => {
        if (blob === null) {
          reject(new Error("The picture is too large."));
        } else {
          resolve(blob);
        }
      });
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

export async function toBase64(content: Blob): Promise<string> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  let text = "";
  for (let start = 0; start < bytes.length; start += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(text);
}

/** The sheet with the theme's values put in for its variables. */
function resolved(css: string): string {
  const style = getComputedStyle(document.body);
  const innermost = /var\((--[\w-]+)(?:,\s*([^()]*))?\)/g;
  let before = "";
  let text = css;
  while (text !== before) {
    before = text;
    text = text.replace(innermost, (_, name: string, fallback?: string) => style.getPropertyValue(name).trim() || (fallback ?? "#888888"));
  }
  return text;
}
