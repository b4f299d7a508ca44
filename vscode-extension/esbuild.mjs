/** Bundles the extension and the page of the graph view; with --tests, the unit tests instead. */
import { readdirSync } from "node:fs";
import { cp } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";

const shared = { bundle: true, minify: true, sourcemap: false, target: "es2022", logLevel: "warning", legalComments: "none" };
const forNode = { ...shared, platform: "node", format: "cjs", external: ["vscode"] };

if (process.argv.includes("--tests")) {
  const entryPoints = readdirSync("test").filter((name) => name.endsWith(".test.ts")).map((name) => `test/${name}`);
  await build({ ...forNode, minify: false, entryPoints, outdir: "dist/test" });
} else {
  await Promise.all([
    build({ ...forNode, entryPoints: ["src/extension.ts"], outdir: "dist" }),
    build({
      ...shared,
      platform: "browser",
      format: "iife",
      entryPoints: { graph: "src/graph/view/main.ts", report: "src/report/view.ts" },
      loader: { ".css": "text" },
      outdir: "dist",
    }),
    ...["graph/view/style.css", "graph/view/drawing.css", "report/report.css"].map((sheet) =>
      cp(`src/${sheet}`, `dist/${path.basename(sheet)}`),
    ),
    // The README's pictures are shown in the editor without a network, and kept in one place.
    ...["squiggles.png", "graph.png", "hover.png"].map((picture) => cp(`../docs/images/${picture}`, `images/${picture}`)),
  ]);
}
