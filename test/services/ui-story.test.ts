import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CollectorChild, startCollectorChild } from "../e2e/collector-child.ts";
import { bin, launch } from "../e2e/reenact.ts";
import { missingChromium } from "./chromium.ts";
import { openUiBrowser, type UiBrowser } from "./ui-browser.ts";
import { EXAMPLE, openRefund } from "./ui-runs.ts";

const missing = missingChromium();
/** of the example */
const MODEL = "gpt-4.1-mini";
const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";

if (missing !== null && !required) test.skip(missing, () => {});
else
  describe("from a failed run to a test of it, in Chromium", () => {
    let browser: UiBrowser;
    let up: CollectorChild;
    let refund: Awaited<ReturnType<typeof openRefund>>;
    /** address of the run, as `reenact run` printed it */
    let link: string;

    beforeAll(async () => {
      if (missing !== null) throw new Error(missing);
      refund = await openRefund();
      const command = [process.execPath, "agent.mjs"];
      const prices = join(refund.store, "..", "prices.json");
      writeFileSync(prices, JSON.stringify({ version: "1", models: { [MODEL]: { input: 1, output: 1 } } }));
      const live = ["--allow-live", "--max-cost", "0.50", "--prices", prices];
      const args = [bin, "up", "--json", "--port", "0", "--store", refund.store, ...live, "--", ...command];
      const env = { ...refund.env, OPENAI_API_KEY: "sk-proj-0123456789abcdefghijklmnop" };
      const started = startCollectorChild(args, { cwd: EXAMPLE, env });
      [browser, up] = await Promise.all([openUiBrowser(), started]);
      const recording = [process.execPath, bin, "run", "--store", refund.store, "--", ...command];
      const { code, stderr } = await launch(recording, { cwd: EXAMPLE, env: refund.env });
      expect(code).toBe(1);
      link = / page: (http:\S+)$/m.exec(stderr)?.[1] ?? stderr;
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      await up?.stop();
      await refund?.remove();
    });

    test.each([
      ["light", {}],
      ["dark", { width: 360, height: 740 }],
    ] as const)("%s: an answer is edited, and the replay says what the agent does then", async (theme, size) => {
      const page = await browser.open({ theme, ...size });
      await page.goto(up.replays ?? "");
      await page.getByRole("heading", { name: "Runs" }).waitFor();
      // by the printed link to the step that failed and its cause
      await page.goto(link);
      await page.getByRole("heading", { name: "agent.mjs" }).waitFor();
      await page.keyboard.press("n");
      await page.keyboard.press("n");
      await page.waitForURL(/step=6$/);
      expect(await page.locator("[aria-current=true]").innerText()).toContain("TimeoutError");
      await page.keyboard.press("3");
      await page
        .getByRole("heading", { name: /What the model read at step \d/ })
        .first()
        .waitFor();

      await page.keyboard.press("Escape");
      await page.keyboard.press("r");
      await page.getByRole("button", { name: /^Ask it anew.*step 1$/ }).click();
      await page.getByLabel("Change", { exact: true }).selectOption("prompt");
      await page.getByLabel("New text").fill("Refund nothing.");
      expect(await page.violations()).toEqual([]);
      await page.picture("ask-anew");
      await page.getByRole("button", { name: "Show what would be sent" }).click();
      const question = page.getByRole("region", { name: "What would be sent" });
      await question.waitFor();
      expect(await question.innerText()).toMatch(
        new RegExp(`${new URL(refund.env.OPENAI_BASE_URL).host} gets calls of OpenAI, with the key in OPENAI_API_KEY`),
      );
      expect(await question.innerText()).toContain("once $0.50 are spent");
      expect(await page.violations()).toEqual([]);
      expect(await page.overflow()).toBeLessThanOrEqual(0);
      await page.picture("confirm-live");
      // what was looked at is not what would be sent any more
      await page.getByLabel("New text").fill("Refund everything.");
      await question.waitFor({ state: "hidden" });
      await page.getByRole("button", { name: "Close" }).click();
      await page.getByRole("button", { name: "Edit the answer of step 6" }).click();
      const editor = page.locator(".value-editor .cm-content");
      await editor.waitFor();
      // letters are text there, and no keys of the page
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type("{ no JSON");
      await page.getByText(/JSON/).first().waitFor();
      expect(await page.getByRole("button", { name: "Use this value" }).getAttribute("disabled")).not.toBeNull();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type('"delivered on Monday"');
      expect(await page.violations()).toEqual([]);
      expect(await page.overflow()).toBeLessThanOrEqual(0);
      await page.picture("editor");
      await page.getByRole("button", { name: "Use this value" }).click();
      await page.getByText("edited", { exact: true }).waitFor();
      await page.keyboard.press("r");
      const result = page.getByRole("region", { name: "Result" });
      await result.waitFor();
      expect(await result.innerText()).toMatch(/diverged[\s\S]*delivered on Monday/);
      expect(await page.violations()).toEqual([]);
      await page.picture("edited-replay");
      expect(page.troubles).toEqual([]);
    });

    test("a request is asked anew once it is confirmed, and nothing more is sent where its cost is not known", async () => {
      const page = await browser.open();
      await page.goto(up.replays ?? "");
      await page.getByRole("heading", { name: "Runs" }).waitFor();
      await page.goto(`${link}/replay`);
      await page.getByRole("button", { name: /^Ask it anew.*step 1$/ }).click();
      await page.getByRole("button", { name: "Show what would be sent" }).click();
      await page.getByRole("button", { name: "Send real requests" }).click();
      const result = page.getByRole("region", { name: "Result" });
      await result.waitFor();
      // that provider's answer says nothing of tokens: nothing more is sent, then or later
      expect(await result.innerText()).toMatch(/1 live · cost unknown[\s\S]*step 4 \(openai\.chat\) was not sent/);
      await page
        .getByText("1 call was really made, at a cost that is not known; 2 got their recorded answers.")
        .waitFor();
      expect(await page.getByText("no key, no network").count()).toBe(0);
      await page.picture("live-result");
      await page.getByRole("button", { name: /^Ask it anew.*step 1$/ }).click();
      await page.getByText("$0.00 of $0.50 are left").waitFor();
      await page.getByRole("button", { name: "Show what would be sent" }).click();
      await page.getByText("the $0.50 that pages may spend are spent, or may be").waitFor();
      expect(page.troubles).toEqual([]);
    });

    test("a test of the run, made by the line that its page shows, is green on the page of the tests", async () => {
      const page = await browser.open();
      await page.goto(link);
      await page.getByRole("heading", { name: "agent.mjs" }).waitFor();
      await page.keyboard.press("t");
      const line = page.getByLabel("Line that makes a test of this run", { exact: true });
      await line.waitFor();
      const [, , ...words] = (await line.innerText()).split(" ");
      expect(words.slice(0, 2)).toEqual(["test", "add"]);
      const made = [...words, "--dir", refund.fixtures, "--expect", "same", "--", process.execPath, "agent.mjs"];
      const added = await launch([process.execPath, bin, ...made], { cwd: EXAMPLE, env: refund.env });
      expect(added.stderr).toContain("identical");
      const ran = await refund.test([]);
      expect(ran.stderr).toContain("1 passed");
      await page.goto(`${up.http}/tests`);
      await page.getByText("1 passed", { exact: true }).waitFor();
      expect(await page.locator(".test-row").innerText()).toMatch(/✓ passed\s+agent-[0-9a-f]{6}/);
      // the agent of now does something else: the test is red, and leads to where
      const definition = join(refund.fixtures, `${/agent-[0-9a-f]{6}/.exec(added.stderr)![0]}.fixture.json`);
      const changed = JSON.parse(readFileSync(definition, "utf8")) as { command: string[] };
      const change = "data:text/javascript,process.env.REFUND_MODEL='other'";
      writeFileSync(
        definition,
        JSON.stringify({ ...changed, command: [process.execPath, "--import", change, "agent.mjs"] }),
      );
      await refund.test([]);
      await page.getByText("1 failed", { exact: true }).waitFor();
      await page.getByRole("link", { name: /Replay that failed/ }).click();
      await page.getByText("diverged").first().waitFor();
      expect(page.troubles).toEqual([]);
    });
  });
