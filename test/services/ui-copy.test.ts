import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningCollector, startCollector, until } from "../e2e/running-collector.ts";
import { missingChromium } from "./chromium.ts";
import { openUiBrowser, type UiBrowser, type UiPage } from "./ui-browser.ts";
import { hostileRun, recordRefund } from "./ui-runs.ts";

const missing = missingChromium();
const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";

if (missing !== null && !required) test.skip(missing, () => {});
else
  describe("what a run's page copies, and keys that are switched off, in Chromium", () => {
    let browser: UiBrowser;
    let collector: RunningCollector;
    let root: string;
    let refund: string;
    const hostile = hostileRun();

    beforeAll(async () => {
      if (missing !== null) throw new Error(missing);
      [browser, collector] = await Promise.all([openUiBrowser(), startCollector()]);
      root = collector.address.http;
      await collector.send(hostile.body);
      refund = await recordRefund(root);
      await until("both runs are sealed", async () => {
        const { runs } = await collector.get<{ runs: { state: string }[] }>("/api/v1/runs");
        return runs.length === 2 && runs.every(({ state }) => state === "sealed");
      });
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      await collector?.stop();
    });

    /** The text that a form of the menu copies. */
    async function copied(page: UiPage, form: string): Promise<string> {
      await page.evaluate(
        "window.copied = ''; navigator.clipboard.writeText = async (text) => { window.copied = text }",
      );
      await page.getByText("Copy as …").click();
      await page.getByRole("button", { name: form, exact: true }).click();
      await page.getByText(`${form} copied`).waitFor();
      return page.evaluate<string>("window.copied");
    }

    test("a step, or the run, as link, Markdown, JSON, curl and replay command", async () => {
      const page = await browser.open();
      await page.goto(`${root}/r/${refund}?step=1`);
      await page.getByRole("heading", { name: "agent.mjs" }).waitFor();
      await page.getByText("Copy as …").click();
      expect(await page.violations()).toEqual([]);
      await page.picture("copy-menu");
      await page.getByText("Copy as …").click();
      expect(await copied(page, "Link")).toBe(page.url());
      const markdown = await copied(page, "Markdown");
      expect(markdown).toMatch(/^# agent\.mjs\n\nfailed: /);
      expect(markdown.match(/^## /gm)).toHaveLength(1);
      expect(JSON.parse(await copied(page, "JSON"))).toMatchObject({ exchange: { method: "POST" } });
      const curl = await copied(page, "curl");
      expect(curl).toMatch(/^curl -g -X POST --url http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions \\\n {2}-H /);
      expect(curl).toMatch(/--data-raw '\{"model":"gpt-4\.1-mini"/);
      expect(curl).not.toContain("content-length");
      expect(await copied(page, "Replay command")).toBe(
        `npx reenact replay ${refund.slice(0, 12)} --server ${root} -- node agent.js`,
      );
      await page.goto(`${root}/r/${refund}`);
      await page.getByRole("heading", { name: "agent.mjs" }).waitFor();
      expect((await copied(page, "Markdown")).match(/^## /gm)?.length).toBeGreaterThan(5);
      expect(page.troubles).toEqual([]);
    });

    test("hostile texts end no fence of what is copied, and have no escapes there", async () => {
      const page = await browser.open({ theme: "dark", width: 360, height: 740 });
      await page.goto(`${root}/r/${hostile.id}?step=1`);
      await page.getByText("Copy as …").waitFor();
      const markdown = await copied(page, "Markdown");
      expect(markdown).toContain("<script>");
      expect(markdown).not.toMatch(/[\u001b\u202e\u0007]/);
      await page.getByText("Copy as …").click();
      expect(await page.overflow()).toBeLessThanOrEqual(0);
      expect(await page.violations()).toEqual([]);
      await page.picture("copy-menu");
    });

    test("keys of one character can be switched off, and stay so", async () => {
      const page = await browser.open();
      await page.goto(`${root}/r/${refund}`);
      await page.getByRole("heading", { name: "agent.mjs" }).waitFor();
      await page.keyboard.press("?");
      await page.getByLabel("Keys of one character", { exact: false }).click();
      expect(await page.violations()).toEqual([]);
      await page.picture("help");
      await page.keyboard.press("Escape");
      await page.keyboard.press("3");
      await page.keyboard.press("n");
      await page.goto(`${root}/r/${refund}`);
      await page.getByRole("heading", { name: "agent.mjs" }).waitFor();
      await page.keyboard.press("n");
      await page.keyboard.press("2");
      expect(page.url()).toBe(`${root}/r/${refund}`);
      await page.getByRole("button", { name: "Keys" }).click();
      await page.getByLabel("Keys of one character", { exact: false }).click();
      await page.keyboard.press("Escape");
      await page.keyboard.press("2");
      await page.waitForURL(/tab=timeline/);
      expect(page.troubles).toEqual([]);
    });
  });
