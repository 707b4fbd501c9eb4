import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type RunningCollector, startCollector, until } from "../e2e/running-collector.ts";
import { missingChromium } from "./chromium.ts";
import { freePort } from "./start-server.ts";
import { openUiBrowser, type UiBrowser, type UiPage } from "./ui-browser.ts";
import { type Conversation, openRun, startConversation } from "./ui-live-runs.ts";
import { foreignRun } from "./ui-runs.ts";

const missing = missingChromium();
const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const THEMES = ["light", "dark"] as const;
const lookUp = (order: number) => ({ calls: [{ name: "look_up", args: { order } }] });
const ANSWERS = [
  lookUp(701),
  { text: "it was sent" },
  lookUp(0),
  { text: "there is no such order" },
  { text: "goodbye" },
];
/** streams that a collector opens at a time */
const MOST_STREAMS = 200;

if (missing !== null && !required) test.skip(missing, () => {});
else
  describe("pages of what goes on, in Chromium", () => {
    let browser: UiBrowser;
    let collector: RunningCollector;
    let root: string;
    let conversation: Conversation | null = null;
    const pages: UiPage[] = [];

    beforeAll(async () => {
      if (missing !== null) throw new Error(missing);
      // the same one after it was stopped, so that its pages find it again
      const listen = { port: await freePort() };
      [browser, collector] = await Promise.all([
        openUiBrowser(),
        startCollector({ listen, assemble: { settle: "1s" } }),
      ]);
      root = collector.address.http;
    }, 60_000);
    afterEach(async () => {
      await conversation?.remove();
      conversation = null;
      for (const page of pages.splice(0)) await page.goto("about:blank");
      await until("nobody watches", async () => (await watching()) === 0);
    });
    afterAll(async () => {
      await browser?.close();
      await collector?.stop();
    });

    const watching = async () => (await collector.get<{ watching: number }>("/api/v1/system")).watching;
    async function open(path: string, options?: Parameters<UiBrowser["open"]>[0]): Promise<UiPage> {
      const page = await browser.open(options);
      pages.push(page);
      await page.goto(`${root}${path}`);
      return page;
    }
    /** Opens a run's page, and waits until it follows the run. */
    async function follow(id: string, options?: Parameters<UiBrowser["open"]>[0], search = ""): Promise<UiPage> {
      const page = await open(`/r/${id}${search}`, options);
      await page.getByText("live", { exact: true }).waitFor();
      return page;
    }
    /** an earlier program's run is open for a while after its end */
    const opened = new Set<string>();
    const openRunOf = (service: string) =>
      until("the open run", async () => {
        const { runs } = await collector.get<{ runs: { run: string; state: string; service: string | null }[] }>(
          "/api/v1/runs",
        );
        const found = runs.find((each) => each.state === "open" && each.service === service && !opened.has(each.run));
        if (found) opened.add(found.run);
        return found?.run;
      });
    async function recorded(steps: number): Promise<string> {
      conversation = await startConversation(root, ANSWERS);
      conversation.next(steps);
      return openRunOf("long-conversation.mjs");
    }
    const text = (page: UiPage, words: string | RegExp) => page.getByText(words).first().waitFor();
    const transcript = (page: UiPage) => page.locator(".transcript").innerText();
    const hide = (page: UiPage, state: "hidden" | "visible") =>
      page.evaluate(
        `Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
         document.dispatchEvent(new Event("visibilitychange"))`,
      );

    test("a recorded program that goes on: its steps come by themselves, its failure, and its end", async () => {
      const id = await recorded(1);
      const page = await follow(id);
      await text(page, "Question 1: where is order 701?");
      expect(await transcript(page)).not.toContain("it was sent");
      conversation!.next(1);
      await text(page, "it was sent");
      conversation!.next(2);
      await text(page, "no such order");
      await page.getByRole("group", { name: "Errors" }).waitFor();
      expect(await page.locator(".run-title .status").innerText()).toContain("running");
      conversation!.next(1);
      expect((await conversation!.ended).code).toBe(0);
      await page.locator(".run-title .status.ok").waitFor();
      await page.getByText("complete", { exact: true }).waitFor();
      await page.locator("[role=status]:text('The run has ended: ok.')").waitFor({ state: "attached" });
      await until("nobody watches", async () => (await watching()) === 0);
      expect(page.troubles).toEqual([]);
    });

    test.each(THEMES)("in %s, a live run has nothing against it from axe, wide and narrow", async (theme) => {
      const id = await recorded(3);
      for (const size of [{}, { width: 360, height: 740 }]) {
        const page = await follow(id, { theme, ...size });
        await text(page, "no such order");
        expect(await page.violations()).toEqual([]);
        expect(await page.overflow()).toBeLessThanOrEqual(0);
        await page.picture("live");
      }
    });

    test("a step that comes late moves neither the selection nor the card under the reader's eyes", async () => {
      const { id, spans } = openRun("late-step", 40);
      const late = spans[1]!;
      await collector.send(Buffer.concat(spans.filter((each) => each !== late).slice(0, 38)));
      const page = await follow(id, {}, "?step=20");
      await page.waitForURL(/step=[0-9a-f]{16}$/);
      const card = `[aria-current=true]`;
      await page.locator(`${card} :text-is("answer 21")`).waitFor();
      const top = () => page.evaluate<number>(`document.querySelector("${card}").getBoundingClientRect().top`);
      // so that it lies neither at the begin nor at the end of what is on the screen
      await page.evaluate(`scrollBy(0, 150)`);
      await page.evaluate(`new Promise((done) => setTimeout(done, 500))`);
      const before = await top();
      await collector.send(late);
      await page.getByRole("link", { name: "Step 21", exact: true }).waitFor();
      await until("the number of the selected card", async () =>
        (await page.locator(card).innerText()).startsWith("21"),
      );
      expect(await page.locator(card).innerText()).toContain("answer 21");
      expect(Math.abs((await top()) - before)).toBeLessThan(2);
      await page.keyboard.press("j");
      await page.locator(`${card} :text-is("answer 22")`).waitFor();
      expect(page.troubles).toEqual([]);
    });

    test("new steps are followed by who is at the end, and counted for who is not", async () => {
      const { id, spans } = openRun("long-story", 40);
      await collector.send(Buffer.concat(spans.slice(0, 20)));
      const page = await follow(id);
      await text(page, "answer 1");
      await collector.send(Buffer.concat(spans.slice(20, 22)));
      await page.getByRole("button", { name: "2 new steps below, press ." }).waitFor();
      expect(await page.evaluate("scrollY")).toBe(0);
      expect(await page.violations()).toEqual([]);
      await page.picture("unseen");
      await page.keyboard.press(".");
      await page.locator(`.transcript :text-is("answer 22")`).waitFor();
      await page.getByRole("button", { name: /new steps? below/ }).waitFor({ state: "hidden" });
      await collector.send(Buffer.concat(spans.slice(22, 30)));
      await page.locator(`.transcript :text-is("answer 30")`).waitFor();
      await until("the end of the page", () =>
        page.evaluate<boolean>("scrollY + innerHeight >= document.documentElement.scrollHeight - 64"),
      );
      expect(await page.getByRole("button", { name: /new steps? below/ }).count()).toBe(0);
      await page.locator("[role=status]:text('new steps, 30 in all.')").waitFor({ state: "attached" });
    });

    test("the later pages of a long run are not new, what comes behind them is", async () => {
      const { id, spans } = openRun("several-pages", 705);
      await collector.send(Buffer.concat(spans.slice(0, 700)));
      const page = await follow(id);
      await page.getByRole("list", { name: "700 steps" }).waitFor();
      expect(await page.getByRole("button", { name: /new steps? below/ }).count()).toBe(0);
      await collector.send(Buffer.concat(spans.slice(700)));
      await page.getByRole("button", { name: "5 new steps below, press ." }).waitFor();
      await page.locator("[role=status]:text('5 new steps, 705 in all.')").waitFor({ state: "attached" });
    });

    test("a hidden tab holds no stream, and has what it missed when it is shown again; so does the list", async () => {
      const { id, spans } = openRun("hidden-tab", 6);
      await collector.send(Buffer.concat(spans.slice(0, 2)));
      const page = await follow(id);
      const list = await open("/");
      await list.getByRole("link", { name: "hidden-tab" }).waitFor();
      await until("both watch", async () => (await watching()) === 2);
      await Promise.all([hide(page, "hidden"), hide(list, "hidden")]);
      await until("none watches", async () => (await watching()) === 0);
      await collector.send(Buffer.concat(spans.slice(2)));
      await collector.send(foreignRun("while-hidden", [{ input: "seen?", output: "no" }]).body);
      await Promise.all([hide(page, "visible"), hide(list, "visible")]);
      await text(page, "answer 6");
      await list.getByRole("button", { name: /1 new, press/ }).waitFor();
    });

    test("a run that comes while the list is read is announced", async () => {
      const page = await open("/");
      await page.getByText(/^\d+ runs?$/).waitFor();
      await until("the list is watched", async () => (await watching()) === 1);
      const announced = page.getByRole("button", { name: /1 new, press/ });
      const answered = Promise.withResolvers<void>();
      let late: string | null = null;
      await page.route(/\/api\/v1\/runs\?/, async (route) => {
        const response = await route.fetch();
        if (late === null) {
          const run = foreignRun("while-read", [{ input: "late?", output: "yes" }]);
          late = run.id;
          await collector.send(run.body);
          await announced.waitFor();
          await until("the run is in a pack, its last change", async () => {
            const { run } = await collector.get<{ run: { bytes: number } }>(`/api/v1/runs/${late}`);
            return run.bytes > 0;
          });
          await page.evaluate(`new Promise((done) => setTimeout(done, 500))`);
        }
        await route.fulfill({ response });
        answered.resolve();
      });
      await page.keyboard.press(".");
      // with the answer that does not have it
      await answered.promise;
      await page.evaluate(`new Promise((done) => setTimeout(done, 1000))`);
      await announced.waitFor();
      await page.keyboard.press(".");
      await page.getByRole("link", { name: "while-read" }).waitFor();
      await announced.waitFor({ state: "hidden" });
    });

    test("where no stream can be had, run and list are read again and again", async () => {
      const stop = new AbortController();
      const streams = await Promise.all(
        Array.from({ length: MOST_STREAMS }, () => fetch(`${root}/api/v1/runs/events`, { signal: stop.signal })),
      );
      expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: MOST_STREAMS }, () => 200));
      const { id, spans } = openRun("no-stream", 3);
      await collector.send(spans[0]!);
      const page = await open(`/r/${id}`);
      await page.getByText("read every few seconds", { exact: true }).waitFor();
      const list = await open("/");
      await text(list, "new ones are looked for every 10 s");
      await collector.send(Buffer.concat(spans.slice(1)));
      await text(page, "answer 3");
      await collector.send(foreignRun("unwatched", [{ input: "seen?", output: "no" }]).body);
      await list.getByRole("button", { name: /1 new, press/ }).waitFor();
      stop.abort();
      expect([...page.troubles, ...list.troubles]).toEqual([]);
    });

    test("while the collector does not answer the page keeps what it has, says so, and goes on afterwards", async () => {
      const id = await recorded(1);
      const page = await follow(id, { theme: "dark" });
      await text(page, "Question 1: where is order 701?");
      await collector.restart(async () => {
        await page.getByText("The collector does not answer.").waitFor();
        await text(page, "Question 1: where is order 701?");
        expect(await page.violations()).toEqual([]);
        await page.picture("cut");
      });
      conversation!.next(1);
      await text(page, "it was sent");
      await page.getByText("The collector does not answer.").waitFor({ state: "hidden" });
    });
  });
