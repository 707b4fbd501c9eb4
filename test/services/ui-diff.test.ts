import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bin, launch } from "../e2e/reenact.ts";
import { type RunningCollector, startCollector, until } from "../e2e/running-collector.ts";
import { missingChromium } from "./chromium.ts";
import { openUiBrowser, type UiBrowser, type UiPage } from "./ui-browser.ts";
import { startConversation } from "./ui-live-runs.ts";
import { foreignRun, HOSTILE, hostileRun } from "./ui-runs.ts";

const missing = missingChromium();
const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const THEMES = ["light", "dark"] as const;
const STEPS = 1200;
const lookUp = (order: number) => ({ calls: [{ name: "look_up", args: { order } }] });
const FIRST = [lookUp(701), { text: "it was sent on Monday" }, { text: "goodbye" }];
const SECOND = [lookUp(701), { text: "it was sent on Friday" }, lookUp(0), { text: "goodbye" }];

if (missing !== null && !required) test.skip(missing, () => {});
else
  describe("two runs compared, in Chromium", () => {
    let browser: UiBrowser;
    let collector: RunningCollector;
    let root: string;
    /** recorded runs of one program, to which the model gave other answers */
    let a: string;
    let b: string;
    let hostile: [string, string];
    let long: [string, string];

    async function recorded(answers: Parameters<typeof startConversation>[1]): Promise<string> {
      // the others may still be on their way
      const own = "service:long-conversation.mjs";
      const before = new Set(await sealed(own));
      const conversation = await startConversation(root, answers);
      conversation.next(answers.length);
      await conversation.ended;
      const id = await until("the run is sealed", async () => (await sealed(own)).find((run) => !before.has(run)));
      await conversation.remove();
      return id;
    }
    async function sealed(filter = ""): Promise<string[]> {
      const { runs } = await collector.get<{ runs: { run: string; state: string }[] }>(
        `/api/v1/runs?filter=${encodeURIComponent(filter)}`,
      );
      return runs.flatMap(({ run, state }) => (state === "sealed" ? [run] : []));
    }
    async function sent({ id, body }: { id: string; body: Uint8Array }): Promise<string> {
      await collector.send(body);
      return id;
    }

    beforeAll(async () => {
      if (missing !== null) throw new Error(missing);
      [browser, collector] = await Promise.all([openUiBrowser(), startCollector()]);
      root = collector.address.http;
      const calls = (changed: number) =>
        Array.from({ length: STEPS }, (_, n) => ({
          input: "next?",
          output: `answer ${n + 1 === changed ? "x" : n + 1}`,
        }));
      long = [await sent(foreignRun("many", calls(0))), await sent(foreignRun("many", calls(STEPS)))];
      const other = foreignRun(HOSTILE.name, [{ input: HOSTILE.answer, output: HOSTILE.question }]);
      hostile = [await sent(hostileRun()), await sent(other)];
      a = await recorded(FIRST);
      b = await recorded(SECOND);
      await until("all are sealed", async () => (await sealed()).length === 6);
    }, 120_000);
    afterAll(async () => {
      await browser?.close();
      await collector?.stop();
    });

    async function open(path: string, options?: Parameters<UiBrowser["open"]>[0]): Promise<UiPage> {
      const page = await browser.open(options);
      await page.goto(`${root}${path}`);
      return page;
    }
    const summary = (page: UiPage) => page.getByRole("region", { name: "First difference" });
    const PAGES: Record<string, (options: Parameters<UiBrowser["open"]>[0]) => Promise<UiPage>> = {
      async diff(options) {
        const page = await open(`/diff/${a}/${b}?row=3`, options);
        await summary(page).waitFor();
        return page;
      },
      async "diff-all"(options) {
        const page = await open(`/diff/${a}/${b}?all=true`, options);
        await page.locator(".diff-row.same").first().waitFor();
        return page;
      },
      async "diff-same"(options) {
        const page = await open(`/diff/${a}/${a}`, options);
        await page.getByText("No step differs.").waitFor();
        return page;
      },
      async "diff-hostile"(options) {
        const page = await open(`/diff/${hostile[0]}/${hostile[1]}`, options);
        await summary(page).waitFor();
        return page;
      },
      async marked(options) {
        const page = await open(`/?marked=${a},${b}`, options);
        await page.getByRole("button", { name: "Compare" }).waitFor();
        return page;
      },
      async "no-run"(options) {
        const page = await open(`/diff/${a}/ffffffffffff`, options);
        await page.getByRole("heading", { name: "There is no such run" }).waitFor();
        return page;
      },
    };

    describe.each(THEMES)("%s", (theme) => {
      test.each(Object.keys(PAGES))("%s: nothing against it from axe, wide and narrow", async (name) => {
        const page = await PAGES[name]!({ theme });
        expect(await page.violations()).toEqual([]);
        await page.picture(name);
        expect(page.troubles).toEqual([]);
        const narrow = await PAGES[name]!({ theme, width: 360, height: 740 });
        expect(await narrow.overflow()).toBeLessThanOrEqual(0);
        expect(await narrow.violations()).toEqual([]);
        await narrow.picture(name);
      });
    });

    test("the page, the API and the command line name one first difference, with one number of the step", async () => {
      const { stdout, stderr } = await launch([process.execPath, bin, "diff", `${root}/r/${a}`, `${root}/r/${b}`]);
      const line = /^first difference: (.*)$/m.exec(stdout)?.[1];
      expect(line, stderr).toBe("step 3 chat has another output at /0");
      const diff = await collector.get<{ summary: string }>(`/api/v1/diff?a=${a}&b=${b}`);
      expect(diff.summary).toBe(line);
      const page = await PAGES["diff"]!({});
      expect(await summary(page).innerText()).toBe(`First difference: ${line}`);
      expect(await page.locator("[aria-current=true] del").innerText()).toBe("Monday");
      expect(await page.locator("[aria-current=true] ins").innerText()).toBe("Friday");
      await page.getByRole("link", { name: "Step 3 of B" }).click();
      await page.waitForURL(new RegExp(`/r/${b}\\?step=3$`));
      expect(await page.locator("[aria-current=true]").innerText()).toContain("it was sent on Friday");
    });

    test("by keyboard alone: two runs marked in the list, their differences, a step, and the runs swapped", async () => {
      const page = await open("/?filter=service%3Along-conversation.mjs");
      await page.getByText("2 runs", { exact: true }).waitFor();
      for (const key of ["j", "x"]) await page.keyboard.press(key);
      await page.getByText("is marked: mark another run").waitFor();
      for (const key of ["j", "x"]) await page.keyboard.press(key);
      await page.getByRole("button", { name: "Compare" }).waitFor();
      await page.keyboard.press("c");
      // the older one first
      await page.waitForURL(new RegExp(`/diff/${a}/${b}$`));
      await summary(page).waitFor();
      await page.keyboard.press("n");
      await page.waitForURL(/row=3$/);
      await page.keyboard.press("n");
      await page.waitForURL(/row=4$/);
      await page.keyboard.press("p");
      await page.waitForURL(/row=3$/);
      expect(await page.locator(".diff-row.same").count()).toBe(0);
      await page.keyboard.press("a");
      await page.waitForURL(/all=true/);
      await page.keyboard.press("k");
      await page.waitForURL(/row=2/);
      expect(await page.locator("[aria-current=true]").innerText()).toContain("look_up");
      await page.keyboard.press("Enter");
      await page.waitForURL(new RegExp(`/r/${b}\\?step=2$`));
      await page.goto(`${root}/diff/${a}/${b}`);
      await summary(page).waitFor();
      await page.keyboard.press("s");
      await page.waitForURL(new RegExp(`/diff/${b}/${a}`));
      await page.getByRole("link", { name: "Step 3 of B" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("search").waitFor();
      expect(page.troubles).toEqual([]);
    });

    test("from a run's page to a comparison, with the mouse", async () => {
      const page = await open(`/r/${a}`);
      await page.getByRole("link", { name: "Compare with …" }).click();
      await page.waitForURL(new RegExp(`marked=${a}$`));
      await page.getByRole("checkbox", { name: new RegExp(`${b.slice(0, 6)} to compare`) }).click();
      await page.getByRole("button", { name: "Compare" }).click();
      await page.waitForURL(new RegExp(`/diff/${a}/${b}$`));
    });

    test("hostile texts are texts in a comparison, too", async () => {
      const page = await PAGES["diff-hostile"]!({ height: 3000 });
      await page.getByText("<img src=x onerror").first().waitFor();
      expect(await page.evaluate("document.title")).not.toBe("owned");
      expect(await page.locator("#app :is(iframe, script, img, b)").count()).toBe(0);
      expect(await page.locator("a[href^='javascript']").count()).toBe(0);
      expect(await page.evaluate(String.raw`/[\u001b\u202e\u0007]/.test(document.body.innerText)`)).toBe(false);
      expect(page.troubles).toEqual([]);
    });

    test("of two long runs equal steps are folded, and one that is far behind is one key away", async () => {
      const page = await open(`/diff/${long[0]}/${long[1]}`);
      await page.getByRole("button", { name: `${(STEPS - 1).toLocaleString("en")} steps the same` }).waitFor();
      await page.keyboard.press("n");
      await page.locator(`[aria-current=true] del :text-is("${STEPS}")`).waitFor();
      await page.getByRole("button", { name: "Only differences" }).click();
      await page.locator(".diff-row.same").first().waitFor();
      expect(await page.locator("[aria-current=true]").count()).toBe(1);
    });
  });
