import assert from "node:assert/strict";
import { test } from "node:test";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PROBE, isNewEnough, parseProbe, versionText } from "../src/version";

test("the probe's two lines give the version and the interpreter's own path", () => {
  const probed = parseProbe('3.12.1\n"/usr/bin/python3.12"\n');
  assert.deepEqual(probed, { version: { major: 3, minor: 12, patch: 1 }, executable: "/usr/bin/python3.12" });
});

test("lines of Windows and an interpreter that does not know its path", () => {
  assert.deepEqual(parseProbe('3.10.0\r\n""\r\n'), { version: { major: 3, minor: 10, patch: 0 }, executable: "" });
});

test("a path that the console's encoding lacks comes through", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "plancheck-é→-"));
  try {
    const link = path.join(folder, "python");
    symlinkSync(execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim(), link);
    const env = { ...process.env, PYTHONIOENCODING: "cp1252:replace", PYTHONUTF8: "0" };
    assert.equal(parseProbe(execFileSync(link, ["-c", PROBE], { encoding: "utf8", env }))?.executable, link);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("what is no version is no Python", () => {
  for (const output of ["", "Python was not found; run without arguments to install", "3.12", "v3.12.1", "3.12.1rc1"]) {
    assert.equal(parseProbe(output), undefined, output);
  }
});

test("3.10 is the oldest that will do", () => {
  const verdicts = ["2.7.18", "3.6.9", "3.9.22", "3.10.0", "3.13.1", "4.0.0"].map((text) => {
    const probed = parseProbe(text);
    assert.ok(probed);
    assert.equal(versionText(probed.version), text);
    return isNewEnough(probed.version);
  });
  assert.deepEqual(verdicts, [false, false, false, true, true, true]);
});
