/** The HTML of the graph view. Nothing is loaded but the two files of the extension, and no script but its own runs. */
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

/** What is the same for every plan. */
const LEGEND = `<ul class="legend" aria-label="Legend">
  <li><svg aria-hidden="true"><rect class="key" x="1" y="1" width="20" height="10" rx="3"/></svg>tool call</li>
  <li><svg aria-hidden="true"><path class="key" d="M5 1h12l4 5-4 5H5L1 6z"/></svg>decision</li>
  <li><svg aria-hidden="true"><path class="key" d="M0 6h22"/></svg>control</li>
  <li><svg aria-hidden="true"><path class="key data" d="M0 6h22"/></svg>data</li>
  <li><svg aria-hidden="true"><path class="key volatile" d="M0 6c1.5-4 3-4 4.5 0s3 4 4.5 0"/><path class="key volatile dotted" d="M12 6h10"/></svg>volatile</li>
  <li><svg aria-hidden="true"><path class="key barrier" d="M15 3.2A5.2 5.2 0 1 0 15.6 8M15.6 .6v3.4h-3.4"/></svg>re-read</li>
</ul>`;

export function graphPage(webview: vscode.Webview, extension: vscode.Uri): string {
  const nonce = randomBytes(16).toString("hex");
  const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(extension, "dist", name)).toString();
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
    "img-src blob: data:",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="stylesheet" href="${file("drawing.css")}">
  <link rel="stylesheet" href="${file("style.css")}">
  <title>Plan graph</title>
</head>
<body>
  <div id="toolbar" role="toolbar" aria-label="Plan graph">
    <div class="group">
      <input id="search" type="search" placeholder="Find a step" aria-label="Find a step by name, agent, resource or rule" title="Find by name, agent, resource or rule; Enter goes to the next ( / )">
      <span id="matches" role="status"></span>
    </div>
    <div class="group">
      <button id="zoom-out" title="Zoom out ( - )" aria-label="Zoom out">−</button>
      <button id="zoom-in" title="Zoom in ( + )" aria-label="Zoom in">+</button>
      <button id="fit" title="Show the whole plan ( 0 )">Fit</button>
    </div>
    <label title="Draw which step uses what another one left"><input id="show-data" type="checkbox" checked>Data</label>
    <label title="Draw long runs of uneventful steps as one"><input id="fold" type="checkbox">Fold</label>
    <div class="group">
      <button id="save-svg" title="Save the drawing as SVG">SVG</button>
      <button id="save-png" title="Save the drawing as PNG">PNG</button>
    </div>
  </div>
  <div id="server" role="status" hidden>
    <span id="server-words"></span>
    <button id="restart">Restart</button>
    <button id="log">Show Log</button>
  </div>
  <div id="notice" role="status" hidden></div>
  <div id="stage" tabindex="0" role="application" aria-label="The graph: arrow keys walk along the steps, Page Up and Page Down along the list, Enter shows a step in the text"></div>
  <div id="foot">
    <span id="summary" role="status"></span>
    ${LEGEND}
    <ul class="legend" id="severities" aria-label="Severities" hidden></ul>
    <ul class="legend" id="agents" hidden></ul>
  </div>
  <div id="spoken" aria-live="polite"></div>
  <script nonce="${nonce}" src="${file("graph.js")}"></script>
</body>
</html>`;
}
