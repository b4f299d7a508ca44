/**
 * A user at work, by a seed. The functions here run in the extension host (see `inside.mjs`): each is sent there as text,
 * and sees nothing of this file.
 */

/** Do random things to the plans of the workspace and around them; what was done, in words. */
export async function work(vscode, { seed, count, texts, policies, configurations }) {
  const root = vscode.workspace.workspaceFolders[0].uri;
  const log = [];
  let state = seed >>> 0;

  /** A number below a limit, by the generator that is known as mulberry32. */
  function below(limit) {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit;
  }
  const choose = (all) => all[Math.floor(below(all.length))];
  const uriOf = (name) => vscode.Uri.joinPath(root, name);
  const write = (name, text) => vscode.workspace.fs.writeFile(uriOf(name), new TextEncoder().encode(text));
  const exists = (name) => vscode.workspace.fs.stat(uriOf(name)).then(() => true, () => false);
  const show = (name) => vscode.commands.executeCommand("vscode.open", uriOf(name));
  const names = Object.keys(texts);

  /** The editor to work in; where none is open, one is opened. */
  async function editor() {
    const active = vscode.window.activeTextEditor;
    if (active !== undefined && names.includes(active.document.uri.path.split("/").pop())) return active;
    const name = choose(names);
    if (!(await exists(name))) await write(name, texts[name]);
    await show(name);
    return vscode.window.activeTextEditor;
  }

  const PIECES = ['"', "{", "}", "[", "]", ",", ":", " ", "\n", "x", "7", "0", "😀", "\u2028", "é", "\\", "null", "true"];
  const SNIPPETS = ['"idx": 3, ', '"reads": ["a"], ', '"id": "a", ', '"depends_on": ["b"], ', '"volatile": true, ', '"tool": "x", '];

  const actions = {
    async type() {
      const { document, edit } = await editor();
      const start = Math.floor(below(document.getText().length));
      const isRude = below(1) < 0.3;
      const end = start + (below(1) < 0.3 ? 1 + Math.floor(below(4)) : 0);
      const text = choose(isRude ? PIECES : SNIPPETS);
      await edit((builder) => builder.replace(new vscode.Range(document.positionAt(start), document.positionAt(end)), text));
      return `${start}-${end} becomes ${JSON.stringify(text)}`;
    },
    async undo() {
      await editor();
      const times = 1 + Math.floor(below(4));
      for (let done = 0; done < times; done++) await vscode.commands.executeCommand("undo");
      return `${times} times`;
    },
    async redo() {
      await editor();
      await vscode.commands.executeCommand("redo");
    },
    async rename() {
      const { document } = await editor();
      const words = [...document.getText().matchAll(/"(?:[\w./-]+)"|\b\d+\b/g)];
      if (words.length === 0) return "nothing there";
      const { index, 0: word } = choose(words);
      const newName = choose(["renamed", "order/1", "42", "step-a", ""]);
      try {
        const edit = await vscode.commands.executeCommand("vscode.executeDocumentRenameProvider", document.uri, document.positionAt(index + 1), newName);
        if (edit !== undefined) await vscode.workspace.applyEdit(edit);
        return `${word} to ${JSON.stringify(newName)}: ${edit?.size ?? 0} files`;
      } catch (error) {
        return `${word} to ${JSON.stringify(newName)}: ${error.message}`;
      }
    },
    async fix() {
      const { document } = await editor();
      const all = new vscode.Range(0, 0, document.lineCount, 0);
      const offered = await vscode.commands.executeCommand("vscode.executeCodeActionProvider", document.uri, all, "quickfix");
      const edits = offered.filter(({ edit }) => edit !== undefined);
      if (edits.length === 0) return "no fix";
      const { title, edit } = choose(edits);
      return `${title}: ${(await vscode.workspace.applyEdit(edit)) ? "done" : "refused"}`;
    },
    async save() {
      const { document } = await editor();
      await document.save();
    },
    async switchFile() {
      const name = choose(names);
      if (!(await exists(name))) await write(name, texts[name]);
      await show(name);
      return name;
    },
    async closeFile() {
      await editor();
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    },
    async startAnew() {
      const { document, edit } = await editor();
      const text = choose(Object.values(texts));
      await edit((builder) => builder.replace(document.validateRange(new vscode.Range(0, 0, 99_999, 0)), text));
    },
    async deleteFile() {
      const name = choose(names);
      if (!(await exists(name))) return `${name} is not there`;
      const edit = new vscode.WorkspaceEdit();
      edit.deleteFile(uriOf(name), { ignoreIfNotExists: true });
      await vscode.workspace.applyEdit(edit);
      return name;
    },
    async createFile() {
      const name = choose(names);
      if (await exists(name)) return `${name} is there`;
      await write(name, choose(Object.values(texts)));
      return name;
    },
    async changePolicy() {
      const text = choose(policies);
      if (below(1) < 0.5 || !(await exists("plan-policy.yaml"))) {
        await write("plan-policy.yaml", text);
        return JSON.stringify(text);
      }
      await show("plan-policy.yaml");
      await vscode.commands.executeCommand("workbench.action.files.revert"); // what is on the disk may be newer
      const { document, edit } = vscode.window.activeTextEditor;
      await edit((builder) => builder.replace(document.validateRange(new vscode.Range(0, 0, 99_999, 0)), text));
      await document.save();
      return `${JSON.stringify(text)}, typed`;
    },
    async editConfiguration() {
      const text = choose(configurations);
      await write("plancheck.toml", text);
      return JSON.stringify(text);
    },
  };
  const weights = { type: 40, undo: 20, redo: 4, rename: 12, fix: 16, save: 10, switchFile: 10, closeFile: 4, startAnew: 6, deleteFile: 3, createFile: 4, changePolicy: 3, editConfiguration: 3 };
  const hat = Object.entries(weights).flatMap(([name, weight]) => Array(weight).fill(name));
  for (let number = 1; number <= count; number++) {
    const name = choose(hat);
    let details;
    try {
      details = await actions[name]();
    } catch (error) {
      throw new Error(`${number}. ${name} failed: ${error.stack}\n${log.join("\n")}`);
    }
    const where = vscode.window.activeTextEditor?.document.uri.path.split("/").pop() ?? "no editor";
    log.push(`${number}. ${name} in ${where}${details === undefined ? "" : `: ${details}`}`);
    if (below(1) < 0.1) await new Promise((resolve) => setTimeout(resolve, below(400)));
  }
  await vscode.workspace.saveAll(false);
  // VS Code's JSON server looks only at what is in a tab, and at one in the background not before it is shown.
  for (const { uri } of vscode.workspace.textDocuments) {
    const name = uri.path.split("/").pop();
    if (names.includes(name) && (await exists(name))) {
      await vscode.window.showTextDocument(uri, { preview: false });
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }
  return log;
}

/** All problems of plancheck, and which files are open, have an error of JSON's own, or are not saved. */
export async function problems(vscode) {
  const name = (uri) => uri.path.split("/").pop();
  const found = [];
  const broken = [];
  for (const [uri, items] of vscode.languages.getDiagnostics()) {
    for (const { source, code, severity, message, range } of items) {
      const { start, end } = range;
      if (source === "plancheck") found.push([name(uri), code?.value ?? "", severity, message, start.line, start.character, end.line, end.character]);
      else broken.push(name(uri));
    }
  }
  const documents = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === "file");
  return {
    found,
    broken: [...new Set(broken)].sort(),
    open: documents.map(({ uri }) => name(uri)),
    unsaved: documents.filter(({ isDirty }) => isDirty).map(({ uri }) => name(uri)),
  };
}
