import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CollectorChild, startCollectorChild } from "../e2e/collector-child.ts";
import { bin } from "../e2e/reenact.ts";
import { missingChromium } from "./chromium.ts";
import { openUiBrowser, type UiBrowser, type UiPage } from "./ui-browser.ts";
import { EXAMPLE, foreignRun, openRefund } from "./ui-runs.ts";

const missing = missingChromium();
const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const VERSION = { OTEL_RESOURCE_ATTRIBUTES: "service.version=1.4.0" };

if (missing !== null && !required) test.skip(missing, () => {});
else
  describe("the pages of reenact up over a project, in Chromium", () => {
    let browser: UiBrowser;
    let up: CollectorChild;
    let refund: Awaited<ReturnType<typeof openRefund>>;
    /** a recorded run that failed, and two replays of it */
    let run: string;
    let same: string;
    let diverged: string;
    /** a run of which the provider has counted the tokens */
    const counted = foreignRun("counted", [
      {
        input: "a",
        output: "b",
        tokens: { prompt: 1200, completion: 80, total: 1280, "prompt_details.cache_read": 900 },
      },
      {
        input: "c",
        output: "d",
        tokens: { prompt: 2400, completion: 15, total: 2415, "completion_details.reasoning": 9 },
      },
    ]);

    beforeAll(async () => {
      if (missing !== null) throw new Error(missing);
      refund = await openRefund();
      run = await refund.command(["run"], VERSION);
      same = await refund.command(["replay", run], VERSION);
      diverged = await refund.command(["replay", run, "--env", "REFUND_MODEL"], { ...VERSION, REFUND_MODEL: "other" });
      await writeTests(refund, run);
      const command = [
        bin,
        "up",
        "--json",
        "--port",
        "0",
        "--store",
        refund.store,
        "--",
        process.execPath,
        "agent.mjs",
      ];
      [browser, up] = await Promise.all([openUiBrowser(), startCollectorChild(command, { cwd: EXAMPLE })]);
      await up.send(counted.body);
    }, 120_000);
    afterAll(async () => {
      await browser?.close();
      await up?.stop();
      await refund?.remove();
    });

    /** Two fixtures of a run: one passes, the other one starts another program. Then one whose files have changed since. */
    async function writeTests({ test: reenact, fixtures }: typeof refund, of: string): Promise<void> {
      for (const name of ["same", "other", "stale"])
        await reenact(["add", of, "--expect", "same", "--name", name], ["--", process.execPath, "agent.mjs"]);
      const definition = (name: string) => join(fixtures, `${name}.fixture.json`);
      const other = JSON.parse(readFileSync(definition("other"), "utf8")) as { command: string[] };
      const change = "data:text/javascript,process.env.REFUND_MODEL='other'";
      other.command = [process.execPath, "--import", change, "agent.mjs"];
      writeFileSync(definition("other"), JSON.stringify(other));
      const ended = await reenact([]);
      if (!ended.stderr.includes("2 passed, 1 failed")) throw new Error(ended.stderr);
      writeFileSync(definition("stale"), `${readFileSync(definition("stale"), "utf8")}\n`);
    }

    async function open(path: string, options?: Parameters<UiBrowser["open"]>[0]): Promise<UiPage> {
      const page = await browser.open(options);
      await page.goto(`${up.http}${path}`);
      return page;
    }

    const PAGES: Record<string, { readonly path: () => string; readonly shows: string }> = {
      "replayed-run": { path: () => `/r/${run}`, shows: "Replays" },
      "diverged-replay": { path: () => `/r/${diverged}`, shows: "Replay of" },
      cost: { path: () => `/r/${counted.id}?tab=cost`, shows: "From cache" },
      errors: { path: () => "/errors?since=1.4.0", shows: "only new ones" },
      tests: { path: () => "/tests", shows: "Replay that failed" },
      "replay-elsewhere": { path: () => `/r/${run}/replay`, shows: "Open that link once in this browser" },
      setup: { path: () => "/setup", shows: "Waiting for a run …" },
      "local-runs": { path: () => "/", shows: "replay of" },
    };
    describe.each(["light", "dark"] as const)("%s", (theme) => {
      test.each(Object.keys(PAGES))("%s: nothing against it from axe, wide and narrow", async (name) => {
        const { path, shows } = PAGES[name]!;
        for (const size of [{}, { width: 360, height: 740 }]) {
          const page = await open(path(), { theme, ...size });
          await page.getByText(shows, { exact: false }).first().waitFor();
          expect(await page.violations()).toEqual([]);
          expect(await page.overflow()).toBeLessThanOrEqual(0);
          expect(page.troubles).toEqual([]);
          await page.picture(name);
        }
      });
    });

    test("where pages may send nothing, what would send is a line for a terminal", async () => {
      const page = await open(`/r/${run}/replay`);
      await page.getByRole("button", { name: /^Ask it anew.*step 1$/ }).click();
      const line = page.getByLabel("Line with another prompt", { exact: true });
      await line.waitFor();
      expect(await line.innerText()).toMatch(/ --fork 1 --set prompt\.1=@prompt\.txt -- \S+ agent\.mjs$/);
      await page.getByText(/npx reenact up --allow-live --max-cost 0\.50/).waitFor();
      expect(await page.violations()).toEqual([]);
      await page.picture("ask-anew-elsewhere");
    });

    test("a run lists its replays with their verdicts, and stands beside each", async () => {
      const page = await open(`/r/${run}`);
      const replays = page.getByRole("region", { name: "Replays of this run" });
      await replays.waitFor();
      const text = await replays.innerText();
      expect(text).toMatch(/diverged[\s\S]*step 1:[\s\S]*identical/);
      await page.getByRole("link", { name: `Side by side with replay ${same.slice(0, 6)}` }).click();
      await page.getByText("No step differs.").waitFor();
      await page.goto(`${up.http}/r/${diverged}`);
      await page.getByRole("region", { name: "Replay" }).waitFor();
      await page.keyboard.press("d");
      await page.waitForURL(new RegExp(`/diff/${run}/${diverged}`));
      await page.getByRole("region", { name: "First difference" }).waitFor();
      expect(page.troubles).toEqual([]);
    });

    test("the tests of the project, by keyboard to the failing one's replay; a run says how to make a test of it", async () => {
      const page = await open("/tests");
      await page.getByText("1 failed", { exact: true }).waitFor();
      const rows = await page.locator(".test-rows").innerText();
      expect(rows).toMatch(/failed\s+other[\s\S]*step 1:[\s\S]*passed\s+same[\s\S]*passed\s+stale\s+changed since/);
      await page.getByRole("link", { name: "Show failed only" }).click();
      await page.waitForURL(/only=failed/);
      await page.keyboard.press("n");
      await page.waitForURL(/test=.*other/);
      expect(await page.locator(".test-row").count()).toBe(1);
      await page.keyboard.press("Enter");
      await page.getByRole("region", { name: "Replay" }).waitFor();
      await page.goto(`${up.http}/r/${run}`);
      await page.getByRole("region", { name: "Replays of this run" }).waitFor();
      await page.keyboard.press("t");
      await page.getByText(`npx reenact test add ${run.slice(0, 12)}`).waitFor();
      expect(await page.violations()).toEqual([]);
      expect(page.troubles).toEqual([]);
    });

    test.each(["light", "dark"] as const)(
      "%s: by keyboard from a run to a replay of it, a real child process",
      async (theme) => {
        for (const size of [{}, { width: 360, height: 740 }]) {
          const page = await browser.open({ theme, ...size });
          await page.goto(up.replays ?? "");
          await page.getByRole("heading", { name: "Runs" }).waitFor();
          expect(page.url()).not.toContain("token");
          await page.goto(`${up.http}/r/${run}`);
          await page.getByRole("link", { name: "Replay …" }).waitFor();
          await page.keyboard.press("r");
          await page.getByRole("button", { name: "Replay", exact: true }).waitFor();
          await page.keyboard.press("r");
          // a second press while it runs
          await page.keyboard.press("r");
          await page.waitForURL(/replay=[0-9a-f]{16}/);
          const result = page.getByRole("region", { name: "Result" });
          await result.waitFor();
          expect(await result.innerText()).toMatch(/^✓ identical\s+9 recorded · 0 live · 0 refused/);
          expect(await page.locator(".bench-table .status.ok").count()).toBe(10);
          expect(await page.violations()).toEqual([]);
          expect(await page.overflow()).toBeLessThanOrEqual(0);
          expect(page.troubles).toEqual([]);
          await page.picture("workbench");
          // its verdict stands on no other run's page
          const [shown] = /replay=[0-9a-f]{16}/.exec(page.url()) ?? [];
          await page.goto(`${up.http}/r/${counted.id}/replay?${shown}`);
          await page.waitForURL(new RegExp(`/r/${run}/replay\\?${shown}`));
          await result.waitFor();
        }
      },
    );

    test("by keyboard alone: from the errors to the newest run of one", async () => {
      const page = await open("/errors");
      await page.getByText("1 error", { exact: true }).waitFor();
      expect(await page.locator(".error-group").innerText()).toMatch(/1\s*run/);
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await page.waitForURL(/filter=fingerprint/);
      await page.getByText("1 run", { exact: true }).waitFor();
      expect(page.troubles).toEqual([]);
    });

    test("tokens of each call by kind, and their sums", async () => {
      const page = await open(`/r/${counted.id}`);
      await page.getByText("counted", { exact: true }).first().waitFor();
      await page.keyboard.press("4");
      const table = page.locator(".cost-table");
      await table.waitFor();
      expect((await table.innerText()).split("\n").at(-1)).toMatch(/^2 calls\s+3,600\s+900\s+95\s+9/);
    });

    test("the first run is shown the moment it comes", async () => {
      const page = await open("/setup");
      await page.getByText("Waiting for a run …").waitFor();
      const next = await refund.command(["run"], VERSION);
      await page.getByRole("link", { name: /^Open/ }).click();
      await page.waitForURL(new RegExp(`/r/${next}$`));
      expect(page.troubles).toEqual([]);
    });

    // records failing runs, which the tests before it would count
    test.each([1440, 360])(
      "the set-up page shows what doctor finds, and records the demo run, which appears by itself, %s px wide",
      async (width) => {
        const page = await open("/setup", { width });
        await page.getByText("policy", { exact: true }).waitFor();
        await page.getByText(`${up.http}: collector`).waitFor();
        const line = await page.getByLabel("Line for the demo run", { exact: true }).innerText();
        expect(line).toMatch(/^npx reenact demo/);
        expect(await page.violations()).toEqual([]);
        expect(await page.cut()).toEqual([]);
        // the token stands behind #, which changes no document that is open already
        await page.goto("about:blank");
        await page.goto(`${up.http}/setup#token=${/#token=(.+)$/.exec(up.replays ?? "")?.[1]}`);
        await page.getByRole("button", { name: "Record the demo run" }).click();
        await page.getByText("A run has come.").waitFor();
        await page.getByText("The demo run is recorded.").waitFor();
        expect(await page.violations()).toEqual([]);
        expect(await page.cut()).toEqual([]);
        await page.picture("setup-demo");
        await page.getByRole("link", { name: "Open it" }).click();
        await page.getByText("the order that the customer keeps is gone").first().waitFor();
        expect(page.troubles).toEqual([]);
      },
    );
  });
