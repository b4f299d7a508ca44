/** A test-only extension: runs functions that a test sends over a socket beside the workspace's folder. */
const { createServer } = require("node:http");
const { text } = require("node:stream/consumers");
const path = require("node:path");
const vscode = require("vscode");

exports.activate = (context) => {
  const [folder] = vscode.workspace.workspaceFolders;
  const server = createServer(async (request, response) => {
    const { source, argument } = JSON.parse(await text(request));
    try {
      const result = await (0, eval)(`(${source})`)(vscode, argument);
      response.end(JSON.stringify({ result }));
    } catch (error) {
      response.end(JSON.stringify({ error: error.stack ?? String(error) }));
    }
  });
  server.listen(path.join(path.dirname(folder.uri.fsPath), "inside.sock"));
  context.subscriptions.push({ dispose: () => server.close() });
};
