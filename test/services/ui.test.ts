import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningCollector, startCollector, until } from "../e2e/running-collector.ts";
import { missingChromium } from "./chromium.ts";
import { openUiBrowser, type UiBrowser, type UiPage } from "./ui-browser.ts";
import { editedRun, foreignRun, HOSTILE, hostileRun, recordRefund } from "./ui-runs.ts";

const missing = missingChromium();
const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const THEMES = ["light", "dark"] as const;
const STEPS = 1200;

if (missing !== null && !required) test.skip(missing, () => {});
else
  describe("the web pages, in Chromium", () => {
    let browser: UiBrowser;
    let collector: RunningCollector;
    let root: string;
    /** of the example, of a run with hostile texts, of one with many steps */
    let refund: string;
    let hostile: string;
    let long: string;
    /** of one whose second call has another system prompt, and asks for a call */
    let edited: string;

    beforeAll(async () => {
      if (missing !== null) throw new Error(missing);
      [browser, collector] = await Promise.all([openUiBrowser(), startCollector()]);
      root = collector.address.http;
      const bad = hostileRun();
      const many = foreignRun(
        "many-steps",
        Array.from({ length: STEPS }, (_, n) => ({ input: `question ${n + 1}`, output: `answer ${n + 1}` })),
      );
      await collector.send(bad.body);
      const changed = editedRun();
      await collector.send(many.body);
      await collector.send(changed.body);
      [hostile, long, edited] = [bad.id, many.id, changed.id];
      refund = await recordRefund(root);
      await until("all runs are sealed", async () => {
        const { runs } = await collector.get<{ runs: { state: string }[] }>("/api/v1/runs");
        return runs.length === 4 && runs.every(({ state }) => state === "sealed");
      });
    }, 120_000);
    afterAll(async () => {
      await browser?.close();
      await collector?.stop();
    });

    const run = (id: string, search = "") => `${root}/r/${id}${search}`;
    const heading = (page: UiPage, name: string | RegExp) => page.getByRole("heading", { name }).first().waitFor();
    /** every page, with what shows that it is there */
    const PAGES: Record<string, (page: UiPage) => Promise<void>> = {
      async runs(page) {
        await page.goto(root);
        await page.getByRole("link", { name: "agent.mjs" }).first().waitFor();
        await page.locator(".facets li").first().waitFor({ state: "attached" });
      },
      async "bad-filter"(page) {
        await page.goto(`${root}/?filter=${encodeURIComponent("status:failed (")}`);
        await page.getByText("a term is missing").waitFor();
      },
      async transcript(page) {
        await page.goto(run(refund));
        await page.getByText("the carrier did not answer for A-1002").first().waitFor();
      },
      async timeline(page) {
        await page.goto(run(refund, "?tab=timeline&step=6"));
        await page.getByRole("button", { name: /check_carrier/ }).waitFor();
      },
      async table(page) {
        await page.goto(run(refund, "?tab=timeline&as=table&step=6"));
        await page.getByRole("columnheader", { name: "First chunk" }).waitFor();
      },
      async context(page) {
        await page.goto(run(refund, "?tab=context&step=6"));
        await heading(page, /What the model read at step \d, which asked for this call/);
      },
      async "changed-context"(page) {
        await page.goto(run(edited, "?tab=context&step=2"));
        await page.getByText("chairs", { exact: true }).first().waitFor();
      },
      async "hostile-context"(page) {
        await page.goto(run(hostile, "?tab=context&step=1"));
        await page.locator("pre").first().waitFor({ state: "attached" });
      },
      async raw(page) {
        await page.goto(run(refund, "?tab=raw&step=1"));
        await page.getByText("/v1/chat/completions").first().waitFor();
      },
      async hostile(page) {
        await page.goto(run(hostile));
        await page.getByText("<iframe srcdoc=").first().waitFor();
      },
      async "no-project"(page) {
        await page.goto(`${root}/tests`);
        await page.getByText("this collector runs over none").waitFor();
      },
      async "no-run"(page) {
        await page.goto(run("ffffffffffff"));
        await heading(page, "There is no such run");
      },
      async "no-page"(page) {
        await page.goto(`${root}/what/ever`);
        await heading(page, "There is no such page");
      },
    };

    describe.each(THEMES)("%s", (theme) => {
      test.each(Object.entries(PAGES))("%s: nothing against it from axe, wide and narrow", async (name, open) => {
        const page = await browser.open({ theme });
        await open(page);
        expect(await page.violations()).toEqual([]);
        await page.picture(name);
        expect(page.troubles).toEqual([]);
        const narrow = await browser.open({ theme, width: 360, height: 740 });
        await open(narrow);
        expect([await narrow.cut(), await narrow.overflow()]).toEqual([[], 0]);
        expect(await narrow.violations()).toEqual([]);
        await narrow.picture(name);
      });
    });

    test("at 200 % zoom no page is wider than the window", async () => {
      // half the pixels, each twice as large
      const page = await browser.open({ width: 640, height: 450 });
      for (const name of ["runs", "transcript", "timeline", "context", "raw", "no-project"]) {
        await PAGES[name]!(page);
        expect([name, await page.overflow()]).toEqual([name, 0]);
      }
      expect(page.troubles).toEqual([]);
    });

    test("a collector that does not answer any more has a page with the next step", async () => {
      const page = await browser.open();
      await PAGES["runs"]!(page);
      await page.goOffline();
      await page.getByRole("link", { name: "agent.mjs" }).first().click();
      await heading(page, "The collector does not answer");
      await page.getByText("reenact up").first().waitFor();
      expect(await page.violations()).toEqual([]);
      await page.picture("unreachable");
    });

    test("a run in the list: question, error, models, steps, class; a facet and the filter narrow it down", async () => {
      const page = await browser.open();
      await PAGES["runs"]!(page);
      const row = await page.locator("tbody tr:has-text('agent.mjs')").innerText();
      for (const text of ["failed", "I was charged twice", "exit code 1", "gpt-4.1-mini", "9", "keep"])
        expect(row).toContain(text);
      await page.getByRole("button", { name: /^check_carrier/ }).click();
      await page.waitForURL(/filter=tool(:|%3A)check_carrier/);
      await page.getByText("1 run", { exact: true }).waitFor();
      expect(await page.locator("tbody tr").count()).toBe(1);
      await page.getByRole("button", { name: /^check_carrier/ }).click();
      await page.getByText("4 runs", { exact: true }).waitFor();
    });

    test("a strip shows the runs of the last day; a drag over it narrows the list down to a range of time", async () => {
      const page = await browser.open();
      await PAGES["runs"]!(page);
      const strip = page.getByRole("img", { name: /^Last 24 hours: 4 started, 2 failed/ });
      await strip.waitFor();
      const { x, y, width } = (await strip.boundingBox())!;
      await page.mouse.move(x + 4, y + 10);
      await page.mouse.down();
      await page.mouse.move(x + width / 2, y + 10);
      await page.mouse.up();
      await page.getByText("No run fits this filter.").waitFor();
      expect(new URL(page.url()).searchParams.get("filter")).toMatch(/^started>=\S+:00Z started<\S+:00Z$/);
      await page.getByRole("button", { name: "All times" }).click();
      await page.getByText("4 runs", { exact: true }).waitFor();
      expect(page.url()).not.toContain("started");
    });

    test("from the list to the failing step by keyboard alone, and back", async () => {
      const page = await browser.open();
      await PAGES["runs"]!(page);
      await page.keyboard.press("/");
      await page.keyboard.type("agent:agent.mjs");
      await page.keyboard.press("Enter");
      await page.getByText("1 run", { exact: true }).waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/r\/[0-9a-f]{32}$/);
      await page.getByRole("heading", { name: "agent.mjs" }).waitFor();
      expect(await page.getByRole("region", { name: "Error" }).innerText()).toMatch(
        /exit code 1\s+Last step that failed: step 6 · check_carrier TimeoutError/,
      );
      await page.keyboard.press("n");
      await page.waitForURL(/step=4$/);
      await page.keyboard.press("n");
      await page.waitForURL(/step=6$/);
      expect(await page.locator("[aria-current=true]").innerText()).toContain("TimeoutError");
      await page.keyboard.press("2");
      await page.waitForURL(/tab=timeline/);
      await page.keyboard.press("3");
      await page.waitForURL(/tab=context/);
      await heading(page, /Where the values of check_carrier came from/);
      await page.keyboard.press("5");
      await page.waitForURL(/tab=raw/);
      await page.getByText("carrier").first().waitFor();
      await page.keyboard.press("?");
      await page.getByRole("heading", { name: "Keys" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("heading", { name: "Keys" }).waitFor({ state: "hidden" });
      await page.keyboard.press("?");
      await page.getByRole("heading", { name: "Keys" }).waitFor();
      // one step back each: the raw values, the selected step, the run. Right behind the help its button still gets the key
      await page.evaluate(`
        const dialog = document.querySelector("dialog");
        dialog.close();
        const key = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
        dialog.querySelector("button").dispatchEvent(key);
      `);
      await page.waitForURL(/\/r\/[0-9a-f]{32}\?step=6$/);
      await page.keyboard.press("Escape");
      await page.waitForURL(/\/r\/[0-9a-f]{32}$/);
      await page.keyboard.press("Escape");
      await page.getByRole("search").waitFor();
      expect(page.troubles).toEqual([]);
    });

    test.each([
      ["light", {}],
      ["dark", { width: 360, height: 740 }],
    ] as const)("%s: Ctrl+K goes to a run, a page and an action by keyboard alone", async (theme, size) => {
      const page = await browser.open({ theme, ...size });
      await PAGES["runs"]!(page);
      const palette = page.getByRole("dialog", { name: "Go to" });
      const choose = async (text: string) => {
        await page.keyboard.press("ControlOrMeta+k");
        await palette.waitFor();
        await page.keyboard.type(text);
      };
      // where one types, too; what was typed is found later than Enter is pressed
      await page.keyboard.press("/");
      await choose(refund.slice(0, 8));
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.pathname === `/r/${refund}`);
      await page.getByRole("heading", { name: "agent.mjs" }).waitFor();
      await choose("next err");
      await page.getByRole("option", { name: /^Go to the next error n$/ }).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(/step=4$/);
      await palette.waitFor({ state: "hidden" });

      await choose("");
      await page.getByRole("option", { name: /^agent\.mjs/ }).waitFor();
      expect(await page.locator("[aria-selected=true]").innerText()).toContain("next error");
      await page.keyboard.press("ArrowUp");
      expect(await page.locator("[aria-selected=true]").innerText()).toContain("<img src=x onerror");
      expect(await page.violations()).toEqual([]);
      expect(await page.overflow()).toBeLessThanOrEqual(0);
      await page.picture("palette");
      await page.keyboard.type('no" such:(');
      await page.getByText("Nothing fits.").waitFor();
      await page.keyboard.press("Enter");
      await page.keyboard.press("Escape");
      await palette.waitFor({ state: "hidden" });
      expect(page.url()).toMatch(/step=4$/);
      await choose("many-st");
      await page.getByRole("option", { name: /^many-steps/ }).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.pathname === `/r/${long}`);
      // the actions are those of the page that is there now
      await choose("show the");
      await heading(page, "many-steps");
      await page.getByRole("option", { name: /timeline/ }).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL(/tab=timeline$/);
      await choose("err");
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.pathname === "/errors");
      expect(page.troubles).toEqual([]);
    });

    test.each([
      ["light", {}],
      ["dark", { width: 360, height: 740 }],
    ] as const)("%s: the filter field completes fields and values by keyboard", async (theme, size) => {
      const page = await browser.open({ theme, ...size });
      await PAGES["runs"]!(page);
      const offered = page.getByRole("listbox", { name: "Completions" });
      const typed = () => page.evaluate<string>("document.querySelector('#filter').value");
      await page.keyboard.press("/");
      // the collector knows every field that is offered
      await page.keyboard.press("ArrowDown");
      await offered.waitFor();
      const fields = (await offered.innerText()).match(/[a-z-]+(?=[:>]$)/gm) ?? [];
      expect(fields.length).toBeGreaterThan(25);
      for (const field of fields) {
        const value = field === "complete" ? "yes" : "*";
        const { status } = await fetch(`${root}/api/v1/runs?filter=${field}:${value}`);
        expect([field, status]).toEqual([field, 200]);
      }
      await page.keyboard.type("-dur");
      await page.keyboard.press("Tab");
      expect(await typed()).toBe("-duration>");
      await page.keyboard.type("1h too");
      await offered.getByText("tool:").waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      expect(await typed()).toBe("-duration>1h tool:");
      await page.keyboard.type("che");
      await page.getByRole("option", { name: /^check_carrier 1 run$/ }).waitFor();
      expect(await page.violations()).toEqual([]);
      expect(await page.overflow()).toBeLessThanOrEqual(0);
      await page.picture("completion");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await offered.waitFor({ state: "hidden" });
      expect(page.url()).not.toContain("filter=");
      await page.keyboard.press("Enter");
      await page.getByText("1 run", { exact: true }).waitFor();
      expect(new URL(page.url()).searchParams.get("filter")).toBe("-duration>1h tool:check_carrier");
      // Escape leaves the list first, then the field
      await page.keyboard.type(" s");
      await offered.waitFor();
      await page.keyboard.press("Escape");
      await offered.waitFor({ state: "hidden" });
      await page.locator("#filter:focus").waitFor();
      await page.keyboard.press("Escape");
      await page.locator("#filter:not(:focus)").waitFor();
      expect(page.troubles).toEqual([]);
    });

    test("keys that are pressed before the page has drawn the last one each do what they say", async () => {
      const page = await browser.open();
      /** all in one task, so that nothing is drawn in between */
      const burst = (...keys: string[]) =>
        page.evaluate(
          `for (const key of ${JSON.stringify(keys)})
            document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))`,
        );
      await PAGES["transcript"]!(page);
      await burst("n", "n", "2");
      await page.waitForURL(/\?step=6&tab=timeline$|\?tab=timeline&step=6$/);
      await burst("k", "k", "Escape");
      await page.waitForURL(/\?step=4$/);
      await burst("Escape", "Escape");
      await page.waitForURL((url) => url.pathname === "/");

      // the field keeps the focus behind Enter, so that Escape leaves it, and the filter stays
      await page.getByText("4 runs", { exact: true }).waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("agent:agent.mjs");
      await page.keyboard.press("Enter");
      await page.getByText("1 run", { exact: true }).waitFor();
      await page.keyboard.press("Escape");
      expect(page.url()).toContain("filter=");
      // a run stays the selected one while another list is read that has it, too
      await page.keyboard.press("j");
      const read = new Promise<void>((resolve) => {
        void page.route(/\/api\/v1\/runs\?/, async (route) => {
          await sleep(300);
          await route.fulfill({ response: await route.fetch() });
          resolve();
        });
      });
      await page.getByRole("button", { name: /^failed/ }).click();
      await page.waitForURL(/status/);
      await read;
      await page.getByText("1 run", { exact: true }).waitFor();
      await page.locator("tr.selected:has-text('agent.mjs')").waitFor();
      expect(page.troubles).toEqual([]);
    });

    test("a transcript has messages, calls with arguments and results; redacted values are named by their type", async () => {
      const page = await browser.open({ height: 6000 });
      await PAGES["transcript"]!(page);
      const text = await page.locator(".transcript").innerText();
      for (const each of ["I was charged twice", "delete_order", '"row":41', "deleted 1", "attempt 2", "repeated"])
        expect(text).toContain(each);
      expect(text).toMatch(/EMAIL·[a-z]{3}/);
      expect(text).not.toMatch(/EMAIL_[a-z]{4}_/);
    });

    test("hostile texts are texts: no markup, no escape, no turned line, and the page stays whole", async () => {
      const page = await browser.open({ height: 3000 });
      await PAGES["hostile"]!(page);
      for (const tab of ["", "?tab=timeline", "?tab=timeline&as=table", "?tab=raw&step=1"]) {
        await page.goto(run(hostile, tab));
        await page.getByText("<img src=x onerror").first().waitFor();
        // its name has the word, so that it is in the title
        expect(await page.evaluate("document.title")).not.toBe("owned");
        expect(await page.locator("#app :is(iframe, script, img, b)").count()).toBe(0);
        expect(await page.locator("a[href^='javascript']").count()).toBe(0);
        expect(await page.overflow()).toBeLessThanOrEqual(0);
        expect(await page.evaluate(String.raw`/[\u001b\u202e\u0007]/.test(document.body.innerText)`)).toBe(false);
      }
      await page.goto(run(hostile));
      await page.getByRole("button", { name: "Show more" }).click();
      await page.getByText(`${(HOSTILE.line.length - 64 * 1024).toLocaleString("en")} more characters`).waitFor();
      await page.goto(root);
      await page.getByText("<img src=x onerror").first().waitFor();
      expect(page.troubles).toEqual([]);
    });

    test("of a long run only what is on the screen is in the document, and the last step is one key away", async () => {
      const page = await browser.open();
      await page.goto(run(long, `?step=${STEPS}`));
      await page.locator(`.transcript :text-is("answer ${STEPS}")`).waitFor();
      expect(await page.locator(".transcript > li").count()).toBeLessThan(60);
      // its first steps were asked for once, and before the script was there
      const asked = `performance.getEntriesByType("resource").filter(({ name }) => name.includes("/view?after=0&"))`;
      expect(await page.evaluate(`${asked}.map(({ initiatorType }) => initiatorType)`)).toEqual(["link"]);
      await page.keyboard.press("k");
      await page.locator(`[aria-current=true] :text-is("answer ${STEPS - 1}")`).waitFor();
      await page.goto(run(long, `?tab=timeline&step=${STEPS}`));
      await page.getByRole("button", { name: new RegExp(`^${STEPS} chat`) }).waitFor();
    });

    test("words are found in a run by keyboard; messages are folded, and a link names what is selected", async () => {
      const page = await browser.open();
      await page.goto(run(long));
      await page.locator(".transcript > li").first().waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("ANSWER 11");
      await page.getByText("111 steps", { exact: true }).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(/step=11(&|$)/);
      await page.keyboard.press("Enter");
      await page.locator(`[aria-current=true] :text-is("answer 110")`).waitFor();
      await page.keyboard.press("Shift+Enter");
      await page.getByText("1 of 111 steps", { exact: true }).waitFor();
      expect(await page.violations()).toEqual([]);
      expect(await page.overflow()).toBeLessThanOrEqual(0);
      await page.picture("find");
      await page.keyboard.press("Escape");
      await page.getByLabel("Find in this run").waitFor({ state: "hidden" });
      await page.keyboard.press("[");
      await page.getByText("question 12", { exact: true }).waitFor({ state: "hidden" });
      await page.getByText("question 11", { exact: true }).waitFor();
      await page.picture("folded");
      await page.keyboard.press("]");
      await page.getByText("question 12", { exact: true }).first().waitFor();
      await page.keyboard.press("y");
      await page.getByText(/^Link copied|the link is in the address bar$/).waitFor();
      expect(page.url()).toMatch(/step=11$/);
      expect(page.troubles).toEqual([]);
    });

    test("a run is kept, flagged and spoken of from its page", async () => {
      const page = await browser.open({ width: 360, height: 740 });
      await page.goto(run(edited));
      await page.getByRole("button", { name: "Keep for ever" }).click();
      await page.getByRole("button", { name: "Kept", exact: true }).waitFor();
      await page.getByRole("button", { name: "Feedback …" }).click();
      await page.getByLabel("bad", { exact: true }).click();
      await page.getByLabel("Comment").fill("it asked twice");
      expect(await page.violations()).toEqual([]);
      expect(await page.overflow()).toBeLessThanOrEqual(0);
      await page.picture("feedback");
      await page.getByRole("button", { name: "Send feedback" }).click();
      await page.getByLabel("Comment").waitFor({ state: "hidden" });
      await page.getByRole("button", { name: "Flag …" }).click();
      await page.getByLabel("Reason").fill("ticket 4711");
      await page.getByRole("button", { name: "Flag it" }).click();
      await page.locator(".badges").getByText("ticket 4711").waitFor();
      const { marks } = await collector.get<{ marks: { kind: string; value: unknown }[] }>(
        `/api/v1/runs/${edited}/marks`,
      );
      expect(marks.map(({ kind, value }) => [kind, value])).toEqual(
        expect.arrayContaining([
          ["feedback", -1],
          ["feedback", "it asked twice"],
        ]),
      );
      expect(page.troubles).toEqual([]);
    });

    test("a context says what is new since the call before, what changed word by word, and where values came from", async () => {
      const page = await browser.open();
      await PAGES["changed-context"]!(page);
      const rows = await page.evaluate<string[]>(
        `[...document.querySelectorAll(".context-text")].map((row) => row.className.split(" ")[1] + " " + row.querySelector(".context-kind").textContent)`,
      );
      expect(rows).toEqual([
        "changed system prompt",
        "removed user message",
        "kept model output",
        "kept result",
        "added user message",
      ]);
      expect(await page.locator(".context-text.changed del").innerText()).toBe("lamps");
      expect(await page.locator(".context-text.changed ins").innerText()).toBe("chairs");
      const origins = await page.locator(".origins").innerText();
      expect(origins).toMatch(/order\s+7781\s+result of look_up at \/order/);
      expect(origins).toMatch(/reason\s+"smashed glass"\s+in no text that the model had read/);
      await page.getByRole("link", { name: "1", exact: true }).first().click();
      await page.waitForURL(/step=1$/);
      await page.getByText("first call of its conversation").waitFor();
    });

    test("new runs are announced, and come when they are asked for", async () => {
      const page = await browser.open();
      await PAGES["runs"]!(page);
      const before = await page.locator("tbody tr").count();
      // the stream is open before anything is sent
      await until("somebody watches", async () => {
        const { watching } = await collector.get<{ watching: number }>("/api/v1/system");
        return watching > 0;
      });
      await collector.send(foreignRun("latecomer", [{ input: "late?", output: "yes" }]).body);
      await page.getByRole("button", { name: /1 new, press/ }).waitFor();
      expect(await page.locator("tbody tr").count()).toBe(before);
      await page.keyboard.press(".");
      await page.getByRole("link", { name: "latecomer" }).waitFor();
    });

    test("what OpenInference in Python and the AI SDK itself have sent is a transcript", async () => {
      const names = ["openinference-python", "ai-sdk-6", "ai-sdk-7"];
      for (const name of names)
        await collector.send(readFileSync(new URL(`../fixtures/otlp/${name}.pb`, import.meta.url)));
      const found = async () =>
        (await collector.get<{ runs: { run: string; state: string }[] }>("/api/v1/runs?filter=tool:look_up")).runs;
      await until("they are sealed", async () => {
        const runs = await found();
        return runs.length === names.length && runs.every(({ state }) => state === "sealed");
      });
      const page = await browser.open({ height: 3000 });
      for (const { run: id } of await found()) {
        await page.goto(run(id));
        await page.locator(".transcript").getByText("Order A-1002 was delivered on Monday.").first().waitFor();
        const text = await page.locator(".transcript").innerText();
        for (const each of ["gpt-4.1-mini-2025-04-14", "Where is my order A-1002?", "look_up", "delivered"])
          expect(text).toContain(each);
        // nothing of it can be served again
        expect(await page.getByRole("link", { name: "Replay …" }).count()).toBe(0);
      }
      await page.picture("foreign");
      expect(page.troubles).toEqual([]);
    });

    test("under a path of a proxy every address follows", async () => {
      const html = await (
        await fetch(root, { headers: { accept: "text/html", "x-forwarded-prefix": "/tools" } })
      ).text();
      expect(html).toContain('<base href="/tools/"');
      expect(html).not.toMatch(/(?:src|href)="\/(?!tools)/);
    });

    describe("with keys", () => {
      const folder = mkdtempSync(join(tmpdir(), "reenact-ui-keys-"));
      const KEYS = { reader: "reader-key-0001", sender: "sender-key-0001" };
      let guarded: RunningCollector;
      let address: string;
      let sealed: string;

      beforeAll(async () => {
        const keys = join(folder, "keys.json");
        const entry = (name: keyof typeof KEYS, scopes: string[]) => ({
          name,
          scopes,
          sha256: createHash("sha256").update(KEYS[name]).digest("hex"),
          tenant: "default",
        });
        writeFileSync(keys, JSON.stringify({ keys: [entry("reader", ["read"]), entry("sender", ["ingest"])] }));
        guarded = await startCollector({ keys });
        address = guarded.address.http;
        const { id, body } = foreignRun("guarded", [{ input: "secret question", output: "secret answer" }]);
        sealed = id;
        const headers = { "content-type": "application/x-protobuf", authorization: `Bearer ${KEYS.sender}` };
        await fetch(`${address}/v1/traces`, { method: "POST", headers, body: Buffer.from(body) });
      });
      afterAll(async () => {
        await guarded?.stop();
        rmSync(folder, { recursive: true, force: true });
      });

      test.each(THEMES)(
        "in %s, nothing is shown before a key that may read; a run's address survives",
        async (theme) => {
          const page = await browser.open({ theme });
          await page.goto(`${address}/r/${sealed}`);
          await heading(page, "Sign in");
          for (const width of [360, 1440]) {
            await page.look(theme, width);
            expect(await page.violations()).toEqual([]);
            expect([await page.cut(), await page.overflow()]).toEqual([[], 0]);
            await page.picture("sign-in");
          }
          const signIn = async (key: string) => {
            await page.getByLabel("Key", { exact: true }).fill(key);
            await page.getByRole("button", { name: "Sign in" }).click();
          };
          await signIn("no such key");
          await page.getByText("does not know that key").waitFor();
          await signIn(KEYS.sender);
          await page.getByText("That key may not read runs").waitFor();
          expect(await page.locator("body").innerText()).not.toContain("secret");
          await signIn(KEYS.reader);
          await page.getByText("secret answer").first().waitFor();
          // no script can read the session
          expect(await page.evaluate("document.cookie")).toBe("");
          await page.getByRole("button", { name: "Sign out" }).click();
          await heading(page, "Sign in");
        },
      );

      test("a key that may send sees nothing: no operation that reads or changes admits it, nor a request without a key", async () => {
        interface Operation {
          readonly operationId: string;
          readonly security?: readonly { readonly key?: readonly string[] }[];
        }
        const document = (await (await fetch(`${address}/api/v1/openapi.json`)).json()) as {
          paths: Record<string, Record<string, Operation>>;
        };
        const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
          Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
        );
        const closed = operations.filter(({ security = [] }) =>
          security.some(({ key = [] }) => key.includes("read") || key.includes("admin")),
        );
        expect(closed.length).toBeGreaterThan(35);
        for (const { path, method, operationId } of closed) {
          const url = address + path.replaceAll(/\{run\}/g, sealed).replaceAll(/\{[a-z]+\}/g, "1");
          const status = async (headers: Record<string, string>) =>
            (await fetch(url, { method: method.toUpperCase(), headers })).status;
          const sender = await status({ authorization: `Bearer ${KEYS.sender}` });
          expect([operationId, sender, await status({})]).toEqual([operationId, 403, 401]);
        }
      });

      test("requests of other origins, hosts and pages are refused, whatever they hold", async () => {
        const post = (headers: Record<string, string>) =>
          fetch(`${address}/api/v1/signin`, {
            method: "POST",
            headers: { "content-type": "application/json", ...headers },
            body: JSON.stringify({ key: KEYS.reader }),
          });
        expect((await post({ origin: "https://evil.example" })).status).toBe(403);
        expect((await post({ "content-type": "text/plain" })).status).toBe(400);
        const cookie = (await post({})).headers.get("set-cookie")!;
        expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
        const asked = async (headers: Record<string, string>) =>
          (await fetch(`${address}/api/v1/runs`, { headers: { cookie: cookie.split(";")[0]!, ...headers } })).status;
        expect(await asked({})).toBe(200);
        expect(await asked({ "sec-fetch-site": "same-site" })).toBe(401);
        expect(await asked({ origin: "https://evil.example" })).toBe(403);
        expect(await asked({ cookie: "" })).toBe(401);
      });

      test("a run that the store has lost has a page with the next step", async () => {
        await until("the run is in a pack", async () => {
          const headers = { authorization: `Bearer ${KEYS.reader}` };
          const answer = await (await fetch(`${address}/api/v1/runs/${sealed}`, { headers })).json();
          return (answer as { run: { bytes: number } }).run.bytes > 0;
        });
        rmSync(join(guarded.folder, "store/v1/runs"), { recursive: true, force: true });
        const page = await browser.open();
        await page.goto(`${address}/r/${sealed}`);
        await page.getByLabel("Key", { exact: true }).fill(KEYS.reader);
        await page.getByRole("button", { name: "Sign in" }).click();
        await heading(page, "The store has lost this run");
        await page.getByText("restores the pack from a backup").waitFor();
      });
    });
  });
