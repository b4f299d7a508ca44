/** Versions of Python, as far as it matters here: is one new enough to run the server? */

export interface PythonVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** The oldest Python that the server runs on. */
export const OLDEST: PythonVersion = { major: 3, minor: 10, patch: 0 };

/**
 * What the probe prints: the version on the first line, the interpreter's own path in JSON on the second, which is ASCII
 * whatever the encoding of the console.
 */
export const PROBE = 'import json, sys; print("%d.%d.%d" % tuple(sys.version_info[:3])); print(json.dumps(sys.executable))';

export interface Probed {
  readonly version: PythonVersion;
  readonly executable: string;
}

export function parseProbe(output: string): Probed | undefined {
  const [first = "", second = ""] = output.trim().split(/\r?\n/);
  const match = /^(\d+)\.(\d+)\.(\d+)$/.exec(first.trim());
  if (match === null) {
    return undefined;
  }
  const version = { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]) };
  return { version, executable: pathIn(second) };
}

function pathIn(line: string): string {
  try {
    const path: unknown = JSON.parse(line);
    return typeof path === "string" ? path : "";
  } catch {
    return "";
  }
}

export function isNewEnough(version: PythonVersion): boolean {
  return version.major > OLDEST.major || (version.major === OLDEST.major && version.minor >= OLDEST.minor);
}

export function versionText(version: PythonVersion): string {
  return `${version.major}.${version.minor}.${version.patch}`;
}
