import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CollectorChild, collectorBin, startCollectorChild } from "../e2e/collector-child.ts";
import { packsIn } from "../e2e/laptop.ts";
import { until } from "../e2e/running-collector.ts";
import { missingChromium } from "./chromium.ts";
import { openUiBrowser, type UiBrowser } from "./ui-browser.ts";
import { foreignRun } from "./ui-runs.ts";

const missing = missingChromium();
const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const THEMES = ["light", "dark"] as const;
const CLOCK = pathToFileURL(fileURLToPath(new URL("../shift-clock.mjs", import.meta.url))).href;
const LATER = { NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_SHIFT_MS: String(40 * 86_400_000) };

if (missing !== null && !required) test.skip(missing, () => {});
else
  describe("runs that are gone, in Chromium", () => {
    let browser: UiBrowser;
    let collector: CollectorChild;
    const folder = mkdtempSync(join(tmpdir(), "reenact-expired-"));
    const run = foreignRun("old", [{ input: "what?", output: "that" }]);

    const start = (env: Readonly<Record<string, string>> = {}) =>
      startCollectorChild([collectorBin], {
        cwd: folder,
        env: {
          REENACT_COLLECTOR_DATA: join(folder, "data"),
          REENACT_COLLECTOR_STORE: join(folder, "store"),
          REENACT_COLLECTOR_RETENTION_SAMPLE_SHARE: "0",
          ...env,
        },
      });
    const packs = () => packsIn(join(folder, "store"));

    beforeAll(async () => {
      if (missing !== null) throw new Error(missing);
      [browser, collector] = await Promise.all([openUiBrowser(), start()]);
      await collector.send(run.body);
      await until("the run is in a pack", async () => {
        const { runs } = await collector.get<{ runs: { bytes: number }[] }>("/api/v1/runs");
        return runs[0] !== undefined && runs[0].bytes > 0 && packs().length > 0;
      });
      await collector.stop();
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      await collector?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    test("a run whose pack the store's own rule has removed says when it expired, and what keeps others", async () => {
      // what a lifecycle rule of a bucket does, while no collector runs
      for (const name of packs()) rmSync(name);
      collector = await start(LATER);
      for (const theme of THEMES) {
        const page = await browser.open({ theme });
        await page.goto(`${collector.http}/r/${run.id}`);
        await page.getByRole("heading", { name: "This run is gone" }).waitFor();
        await page.getByText(/expired on \d{4}-\d\d-\d\d, class short; kept copies: none/).waitFor();
        await page.getByText("To keep runs longer, flag them").waitFor();
        expect(await page.violations()).toEqual([]);
        await page.picture("expired");
      }
      await collector.stop();
    });

    test("a run that was swept is known by nobody: its page says how long runs are kept", async () => {
      collector = await start({ ...LATER, REENACT_COLLECTOR_RETENTION_SWEEP_EVERY: "50ms" });
      await until("the sweep", async () => (await collector.get<{ runs: [] }>("/api/v1/runs")).runs.length === 0);
      const page = await browser.open();
      await page.goto(`${collector.http}/r/${run.id}`);
      await page.getByRole("heading", { name: "There is no such run" }).waitFor();
      await page.getByText(/never received, or it has expired \(short is kept 30 days, sample 180 days\)/).waitFor();
      await page.getByText("flag or keep it before it expires").waitFor();
      expect(await page.violations()).toEqual([]);
      await collector.stop();
    });
  });
