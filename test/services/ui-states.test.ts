import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningCollector, startCollector, until } from "../e2e/running-collector.ts";
import { missingChromium } from "./chromium.ts";
import { openUiBrowser, type UiBrowser, type UiPage } from "./ui-browser.ts";
import { foreignRun, nestedRun } from "./ui-runs.ts";

const missing = missingChromium();
const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const isFull = process.env["TEST_SCALE"] === "full";
const STEPS = isFull ? 10_000 : 3_000;
const LINE = "The quick brown fox jumps over the lazy dog. ";
const CHARACTERS = isFull ? 50_000_000 : 10_000_000;

if (missing !== null && !required) test.skip(missing, () => {});
else
  describe("states of the pages, and large runs, in Chromium", () => {
    let browser: UiBrowser;
    let collector: RunningCollector;
    let root: string;
    let nested: string;
    let large: string;
    let long: string;
    let lost: string;

    beforeAll(async () => {
      if (missing !== null) throw new Error(missing);
      [browser, collector] = await Promise.all([openUiBrowser(), startCollector()]);
      root = collector.address.http;
      const send = async ({ id, body }: { id: string; body: Uint8Array }) => {
        await collector.send(body);
        return id;
      };
      lost = await send(foreignRun("lost", [{ input: "a?", output: "a!" }]));
      await until("a pack", async () => {
        const { runs } = await collector.get<{ runs: { bytes: number }[] }>("/api/v1/runs");
        return runs.some(({ bytes }) => bytes > 0);
      });
      rmSync(join(collector.folder, "store/v1/runs"), { recursive: true, force: true });
      nested = await send(nestedRun());
      const value = LINE.repeat(Math.ceil(CHARACTERS / LINE.length));
      large = await send(foreignRun("large-value", [{ input: "everything, please", output: value }]));
      const calls = Array.from({ length: STEPS }, (_, n) => ({
        input: `question ${n + 1}`,
        output: `answer ${n + 1}`,
      }));
      long = await send(foreignRun("many-steps", calls));
      await until(
        "all runs are sealed",
        async () => {
          const { runs } = await collector.get<{ runs: { state: string }[] }>("/api/v1/runs");
          return runs.length === 4 && runs.every(({ state }) => state === "sealed");
        },
        60_000,
      );
    }, 120_000);
    afterAll(async () => {
      await browser?.close();
      await collector?.stop();
    });

    const heading = (page: UiPage, name: string | RegExp) => page.getByRole("heading", { name }).first().waitFor();
    /** Answers of the API that come from another server. */
    const elsewhere = (page: UiPage, status: number) =>
      page.route(/\/api\/v1\//, (route) =>
        route.fulfill({ status, contentType: "text/html", body: "<!doctype html><title>Router</title>" }),
      );
    const STATES: Record<string, (page: UiPage) => Promise<unknown>> = {
      async help(page) {
        await page.goto(`${root}/r/${nested}`);
        await heading(page, "travel-desk");
        await page.keyboard.press("?");
        await heading(page, "Keys");
      },
      async find(page) {
        await page.goto(`${root}/r/${nested}?find=Bergen`);
        await page.getByText("5 steps", { exact: true }).waitFor();
      },
      async "no-runs"(page) {
        await page.goto(`${root}/?filter=agent:nobody`);
        await page.getByText("No run fits this filter.").waitFor();
      },
      async nested(page) {
        await page.goto(`${root}/r/${nested}`);
        await page.getByText("SK 281, 18:20").first().waitFor();
      },
      async "nested-timeline"(page) {
        await page.goto(`${root}/r/${nested}?tab=timeline&step=7`);
        await page.getByRole("button", { name: /search_hotels/ }).waitFor();
      },
      async "large-value"(page) {
        await page.goto(`${root}/r/${large}`);
        await page.getByText("more characters").first().waitFor();
      },
      async lost(page) {
        await page.goto(`${root}/r/${lost}`);
        await heading(page, "The store has lost this run");
      },
      async "no-collector"(page) {
        await elsewhere(page, 200);
        await page.goto(`${root}/`);
        await heading(page, "This server is no collector");
        await page.getByText("the API answered with status 200 and text/html, not with JSON").waitFor();
      },
      async unreachable(page) {
        await elsewhere(page, 502);
        await page.goto(`${root}/r/${nested}`);
        await heading(page, "The collector does not answer");
        await page.getByRole("button", { name: "Try again" }).waitFor();
      },
    };

    test.each(Object.keys(STATES))("%s: nothing cut, nothing against it from axe, both themes", async (name) => {
      const page = await browser.open({ height: 900 });
      await STATES[name]!(page);
      for (const theme of ["light", "dark"] as const)
        for (const width of [1440, 360]) {
          await page.look(theme, width);
          expect([width, await page.cut(), await page.overflow()]).toEqual([width, [], 0]);
          expect(await page.violations()).toEqual([]);
          await page.picture(name);
        }
      // 200 % zoom: half the pixels, each twice as large
      await page.look("light", 640);
      expect([await page.cut(), await page.overflow()]).toEqual([[], 0]);
    });

    test("every control of a run, of the list and of the errors is reached by Tab, and shows that it is", async () => {
      const page = await browser.open();
      for (const path of [`/r/${nested}`, "/", "/errors", "/setup", `/r/${nested}/replay`]) {
        await page.goto(`${root}${path}`);
        await page.locator("main :is(a, button)").first().waitFor();
        await sleep(300);
        const wanted = `[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
          .filter((of) => !of.disabled && of.tabIndex >= 0 && of.checkVisibility() && !(of.closest("details:not([open])") && of.tagName !== "SUMMARY"))`;
        const count = await page.evaluate<number>(`(globalThis.wanted = new Set(${wanted})).size`);
        expect(count).toBeGreaterThan(10);
        for (let n = 0; n < count + 5; n++) {
          await page.keyboard.press("Tab");
          await page.evaluate(`{
            const at = document.activeElement;
            const { outlineStyle, boxShadow, borderBottomColor } = getComputedStyle(at);
            if (outlineStyle !== "none" || boxShadow !== "none") wanted.delete(at);
          }`);
        }
        const left = await page.evaluate<string[]>(
          `[...wanted].filter((of) => of.isConnected).map((of) => of.outerHTML.slice(0, 120))`,
        );
        expect([path, left]).toEqual([path, []]);
      }
    });

    test(`${STEPS.toLocaleString("en")} steps are scrolled through without a blank row`, async () => {
      const page = await browser.open();
      await page.goto(`${root}/r/${long}`);
      await page.locator(".transcript > li").first().waitFor();
      const read = `performance.getEntriesByType("resource").filter(({ name, responseEnd }) => name.includes("/view?") && responseEnd > 0)
        .reduce((sum, { name }) => sum + Number(new URL(name).searchParams.get("limit")), 0)`;
      await until("all steps are read", async () => (await page.evaluate<number>(read)) >= STEPS, 60_000);
      const blank = await page.evaluate<string[]>(`new Promise((done) => {
        const found = [];
        const isRow = (y) => document.elementFromPoint(innerWidth / 2, y)?.closest(".transcript > li") != null;
        // half of it pixel by pixel as with a wheel, half in leaps as with the bar
        let at = 0;
        const look = () => {
          const { top, bottom } = document.querySelector(".transcript").getBoundingClientRect();
          for (const part of [0.2, 0.5, 0.8]) {
            const y = part * innerHeight;
            // between two cards there is a gap of a few pixels
            if (y > top + 20 && y < bottom - 20 && !isRow(y) && !isRow(y + 24)) found.push(at + " at " + Math.round(scrollY));
          }
          if (++at === 80) return done(found);
          if (at < 40) scrollBy(0, 500);
          else scrollTo(0, (document.documentElement.scrollHeight * (at - 40)) / 40);
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(look)));
        };
        look();
      })`);
      expect(blank).toEqual([]);
      expect(await page.locator(".transcript > li").count()).toBeLessThan(60);
      expect(page.troubles).toEqual([]);
    });

    test(`a value of ${CHARACTERS / 1e6} MB: no tab reads or draws more than a part of it, so that none can hold the page up`, async () => {
      const page = await browser.open();
      await STATES["large-value"]!(page);
      await page.getByRole("button", { name: "Show more" }).first().click();
      await page.keyboard.press("5");
      await page.getByText("output", { exact: true }).first().click();
      await page.locator(".part-body pre").first().waitFor();
      await page.keyboard.press("3");
      await page.locator(".context-texts, .empty").first().waitFor();
      await page.keyboard.press("1");
      await page.locator(".card").first().waitFor();
      // the cost of a task is that of the text it reads and lays out
      const largest = `Math.max(...performance.getEntriesByType("resource").filter(({ name }) => name.includes("/api/")).map(({ decodedBodySize }) => decodedBodySize))`;
      expect(await page.evaluate<number>(largest)).toBeLessThan(1_000_000);
      expect(await page.evaluate<number>("document.body.textContent.length")).toBeLessThan(1_000_000);
      expect(page.troubles).toEqual([]);
    });
  });
