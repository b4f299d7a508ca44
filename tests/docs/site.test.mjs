/** The documentation's site in a real browser: light and dark, wide and narrow. Pictures land in tests/editor/screenshots. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const SCREENSHOTS = path.join(ROOT, "tests/editor/screenshots");
const { chromium } = createRequire(path.join(ROOT, ".cache/editor/package.json"))("playwright-core");
const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".json": "application/json", ".png": "image/png" };

const PAGES = {
  start: "",
  tutorial: "tutorial/",
  rule: "rules/sql_interpolation/",
  rules: "rules/",
  tags: "tags/",
  owasp: "owasp/",
  gate: "gate/",
  command: "command/",
  editors: "editors/",
  reference: "reference/plancheck.gate/",
};
const VIEWS = [
  { colorScheme: "light", width: 1400, height: 1000 },
  { colorScheme: "dark", width: 1400, height: 1000 },
  { colorScheme: "light", width: 390, height: 844 },
  { colorScheme: "dark", width: 390, height: 844 },
];

let site, server, browser, home;

before(async () => {
  site = mkdtempSync(path.join(tmpdir(), "plancheck-site-"));
  const mkdocs = path.join(ROOT, ".venv/bin/mkdocs");
  const env = { ...process.env, NO_MKDOCS_2_WARNING: "1" };
  const built = spawnSync(mkdocs, ["build", "--strict", "--site-dir", site], { cwd: ROOT, env, encoding: "utf8" });
  assert.equal(built.status, 0, built.stderr);
  server = createServer((request, response) => {
    let file = path.join(site, decodeURIComponent(new URL(request.url, "http://site").pathname));
    try {
      if (statSync(file).isDirectory()) file = path.join(file, "index.html");
      response.setHeader("Content-Type", TYPES[path.extname(file)] ?? "application/octet-stream");
      response.end(readFileSync(file));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  home = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
  mkdirSync(SCREENSHOTS, { recursive: true });
});

after(async () => {
  await browser?.close();
  server?.close();
  rmSync(site, { recursive: true, force: true });
});

/** A window in which every request to another host, and every one that fails, is noted. */
async function opened({ colorScheme, width, height }) {
  const context = await browser.newContext({ colorScheme, viewport: { width, height } });
  const page = await context.newPage();
  const amiss = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(home) && !request.url().startsWith("data:")) amiss.push(`asks ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) amiss.push(`${response.status()} ${response.url()}`);
  });
  page.on("pageerror", (error) => amiss.push(String(error)));
  return { page, amiss };
}

/** Runs in the page: texts of the article whose contrast with what is behind them is below what WCAG AA asks. */
function faint() {
  const parse = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const over = (above, below) => {
    const alpha = above[3] ?? 1;
    return [0, 1, 2].map((i) => above[i] * alpha + below[i] * (1 - alpha));
  };
  const background = (element) => {
    if (!element) return [255, 255, 255];
    const own = parse(getComputedStyle(element).backgroundColor);
    return own[3] === 0 ? background(element.parentElement) : over(own, own[3] < 1 ? background(element.parentElement) : own);
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = new Map();
  const texts = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !element.checkVisibility() || element.closest(".headerlink, button")) continue;
    const style = getComputedStyle(element);
    const behind = background(element);
    const [a, b] = [light(over(parse(style.color), behind)), light(behind)].sort((x, y) => y - x);
    const isLarge = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < (isLarge ? 3 : 4.5)) found.set(`${element.tagName}.${element.className}: ${ratio.toFixed(1)}`, texts.currentNode.data.slice(0, 40));
  }
  return [...found].map(([where, text]) => `${where} ${JSON.stringify(text)}`);
}

for (const view of VIEWS) {
  test(`pages can be read: ${view.colorScheme}, ${view.width} wide`, async () => {
    const { page, amiss } = await opened(view);
    for (const [name, url] of Object.entries(PAGES)) {
      await page.goto(home + url);
      await page.waitForLoadState("networkidle");
      await page.screenshot({ path: path.join(SCREENSHOTS, `site-${name}-${view.colorScheme}-${view.width}.png`) });
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(beyond <= 0, `${name} is ${beyond} pixels too wide`);
      assert.deepEqual(await page.evaluate(faint), [], name);
    }
    assert.deepEqual(amiss, []);
    await page.context().close();
  });
}

test("rules are found by a tag, by their names and by a part of these", async () => {
  const { page, amiss } = await opened(VIEWS[0]);
  for (const query of ["CWE-89", "sql_interpolation", "interpolation"]) {
    await page.goto(home);
    await page.click(".md-search__input");
    await page.locator(".md-search__input").pressSequentially(query);
    const first = page.locator(".md-search-result__item h1").first();
    await page.waitForFunction(
      () => document.querySelector(".md-search-result__item h1")?.textContent.startsWith("sql_interpolation"),
      null,
      { timeout: 20000 },
    );
    if (query === "CWE-89") await page.screenshot({ path: path.join(SCREENSHOTS, "site-search.png") });
    await first.click();
    await page.waitForURL("**/rules/sql_interpolation/**");
  }
  assert.deepEqual(amiss, []);
});

test("a tag of a rule leads to all rules that have it", async () => {
  const { page } = await opened(VIEWS[0]);
  await page.goto(`${home}rules/sql_interpolation/`);
  await page.click(".md-tag:has-text('CWE-89')");
  await page.waitForURL("**/tags/#tag:cwe-89");
  assert.ok(await page.locator("h2[id='tag:cwe-89'] + ul a", { hasText: "sql_interpolation" }).isVisible());
});
