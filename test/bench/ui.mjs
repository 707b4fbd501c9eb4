// ui.mjs [--quick]: what the web pages take, beside the bars of packages/ui/README.md: a run of 10,000 steps, a value of 50 MB, a list of
// 100,000 runs, and the first load. Needs the Chromium that `npm run services` installs. Takes some minutes; --quick, with a tenth of
// everything, half a one. Times move with the load of the machine; what the page's main thread and the collector computed stands beside them,
// and moves less. Exit code 1: a bar was missed.
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { openUiBrowser } from "../services/ui-browser.ts";
import { foreignRun } from "../services/ui-runs.ts";
import { cpuSeconds } from "./cpu-seconds.mjs";
import { fillGrowthStore } from "./growth-runs.mjs";
import { startCollector } from "./start-collector.mjs";
import { quantile } from "./statistics.mjs";

const quick = process.argv.includes("--quick");
const part = quick ? 10 : 1;
const [STEPS, BYTES, RUNS] = [10_000 / part, 50_000_000 / part, 100_000 / part];
const ASKED = quick ? 20 : 100;
const FRAMES = 120;
const PAGES = new URL("../../collector/dist/ui/", import.meta.url).pathname;

const figures = [];
const figure = (what, value, unit, bar) => {
  figures.push({ what, value, unit, bar });
  const shown = value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
  const judged =
    bar === null ? "" : value <= bar ? `✓ bar ${bar.toLocaleString("en")}` : `✗ bar ${bar.toLocaleString("en")}`;
  process.stdout.write(`${what.padEnd(62)} ${`${shown} ${unit}`.padStart(14)}  ${judged}\n`);
};

process.stdout.write(
  `Node ${process.versions.node}, load average ${loadavg()[0].toFixed(1)} on ${cpus().length} processors\n`,
);
firstLoad();
const browser = await openUiBrowser();
try {
  await steps();
  await payload();
} finally {
  await browser.close();
}
await list();
if (figures.some(({ value, bar }) => bar !== null && value > bar)) process.exitCode = 1;

function firstLoad() {
  const page = readFileSync(join(PAGES, "index.html"), "utf8");
  const first = globSync("**/*.*", { cwd: PAGES }).filter((path) => path === "index.html" || page.includes(path));
  const bytes = first.reduce((sum, path) => sum + gzipSync(readFileSync(join(PAGES, path)), { level: 9 }).length, 0);
  figure("first load, gzip", bytes / 1000, "kB", 250);
}

/** A collector with one run, and a page of it on which every long task is noted. */
async function opened({ id, body }, search, work) {
  const { http, stop } = await startCollector({ log: "error" });
  try {
    const headers = { "content-type": "application/x-protobuf" };
    const sent = await fetch(`${http}/v1/traces`, { method: "POST", headers, body: Buffer.from(body) });
    if (sent.status !== 200) throw new Error(`status ${sent.status}: ${await sent.text()}`);
    await sealed(http, id);
    const page = await browser.open();
    page.setDefaultTimeout(120_000);
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const computed = async () => {
      const { metrics } = await session.send("Performance.getMetrics");
      return metrics.find(({ name }) => name === "TaskDuration").value * 1000;
    };
    await page.goto(`${http}/r/${id}${search}`);
    await page.evaluate(`globalThis.tasks = [];
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
        .observe({ type: "longtask", buffered: true })`);
    await work(page, computed);
    if (page.troubles.length > 0) throw new Error(page.troubles.join("\n"));
  } finally {
    stop();
  }
}

async function sealed(http, id) {
  for (;;) {
    const answer = await fetch(`${http}/api/v1/runs/${id}`);
    if (answer.ok && (await answer.json()).run.state === "sealed") return;
    await sleep(100);
  }
}

/** The longest task of a page so far, milliseconds. */
function longest(page) {
  return page.evaluate("Math.max(0, ...tasks)");
}

async function steps() {
  const calls = Array.from({ length: STEPS }, (_, n) => ({ input: `question ${n + 1}`, output: `answer ${n + 1}` }));
  const run = foreignRun("many-steps", calls);
  await opened(run, "", async (page, computed) => {
    await page.locator(".transcript > li").first().waitFor();
    figure(
      `${STEPS.toLocaleString("en")} steps: first ones shown after`,
      await page.evaluate("performance.now()"),
      "ms",
      1000,
    );
    figure("  the main thread computed until then", await computed(), "ms", null);
    const whole = await page.evaluate(`new Promise((done) => {
      const look = () => {
        const pages = performance.getEntriesByType("resource").filter(({ name }) => name.includes("/view?"));
        const read = pages.reduce((sum, { name }) => sum + Number(new URL(name).searchParams.get("limit")), 0);
        if (read >= ${STEPS}) done(Math.max(...pages.map(({ responseEnd }) => responseEnd)));
        else setTimeout(look, 50);
      };
      look();
    })`);
    figure("  all of them read after", whole, "ms", null);
    await sleep(500);
    const blank = await page.evaluate(`new Promise((done) => {
      let [frame, blank] = [0, 0];
      const isRow = (y) => document.elementFromPoint(innerWidth / 2, y)?.closest(".transcript > li") != null;
      const painted = () => {
        const box = document.querySelector(".transcript").getBoundingClientRect();
        const seen = [0.2, 0.5, 0.8].map((at) => at * innerHeight).filter((y) => y > box.top + 20 && y < box.bottom - 20);
        // between two cards there is a gap of a few pixels
        if (seen.some((y) => !isRow(y) && !isRow(y + 24))) blank++;
        if (++frame === ${FRAMES}) return done(blank);
        scrollBy(0, 500);
        requestAnimationFrame(() => setTimeout(painted));
      };
      painted();
    })`);
    figure(`  frames with a blank row, of ${FRAMES} at 500 pixels each`, blank, "", 0);
    figure("  longest task", await longest(page), "ms", null);
  });
}

async function payload() {
  const line = "The quick brown fox jumps over the lazy dog. ";
  const text = line.repeat(Math.ceil(BYTES / line.length));
  const run = foreignRun("large-value", [{ input: "everything, please", output: text }]);
  await opened(run, "", async (page, computed) => {
    await page.getByText("The quick brown fox").first().waitFor();
    await page.getByRole("button", { name: "Show more" }).first().click();
    await page.getByText("more characters").first().waitFor();
    await page.keyboard.press("5");
    await page.locator(".raw").first().waitFor();
    await page.getByText("output", { exact: true }).first().click();
    await page.locator(".part-body pre").first().waitFor();
    await page.keyboard.press("3");
    await sleep(1000);
    figure(`a value of ${BYTES / 1e6} MB: longest task in transcript, raw, context`, await longest(page), "ms", 200);
    figure("  the main thread computed, all tasks", await computed(), "ms", null);
  });
}

/** Waits until the catalog has a row of each run. */
async function allThere(http) {
  for (;;) {
    // a list counts no further than 10,000
    const answer = await fetch(`${http}/api/v1/facets?fields=state`);
    const { facets } = answer.ok ? await answer.json() : { facets: { state: [] } };
    const there = facets.state.reduce((sum, { runs }) => sum + runs, 0);
    if (there >= RUNS && (await fetch(`${http}/readyz`)).ok) return;
    await sleep(200);
  }
}

/** Pages and filters of a long list, as the pages ask for them. */
async function list() {
  const folder = mkdtempSync(join(process.env.REENACT_BENCH_FOLDER ?? tmpdir(), "bench-ui-"));
  try {
    fillGrowthStore(join(folder, "store"), RUNS);
    const { child, http, stop } = await startCollector({
      data: join(folder, "data"),
      store: join(folder, "store"),
      log: "error",
    });
    try {
      await allThere(http);
      const asked = async (path) => {
        const from = performance.now();
        const answer = await fetch(`${http}/api/v1/${path}`);
        if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
        return { body: await answer.json(), ms: performance.now() - from };
      };
      const times = async (what, path) => {
        const taken = [];
        let after = null;
        let before = 0;
        for (let n = 0; n <= ASKED; n++) {
          if (n === 1) before = cpuSeconds(child.pid);
          const { body, ms } = await asked(after === null ? path : `${path}&after=${encodeURIComponent(after)}`);
          after = body.next ?? null;
          if (n > 0) taken.push(ms);
        }
        figure(`${RUNS.toLocaleString("en")} runs, ${what}: p50`, quantile(taken, 0.5), "ms", null);
        figure("  p99", quantile(taken, 0.99), "ms", 300);
        figure("  the collector computed, each", ((cpuSeconds(child.pid) - before) * 1000) / ASKED, "ms", null);
      };
      await times("page after page", "runs?limit=50");
      await times("pages of status:failed", "runs?limit=50&filter=status:failed");
      await times("pages by duration", "runs?limit=50&order=duration");
      await times("facets", "facets?fields=status,name,model,tool");
      await times("facets of status:failed", "facets?fields=status,name,model,tool&filter=status:failed");
    } finally {
      stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
