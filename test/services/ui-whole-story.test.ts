import { copyFileSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CollectorChild, startCollectorChild } from "../e2e/collector-child.ts";
import { bin, launch } from "../e2e/reenact.ts";
import { missingChromium } from "./chromium.ts";
import { openUiBrowser, type UiBrowser } from "./ui-browser.ts";
import { EXAMPLE, openRefund } from "./ui-runs.ts";

const missing = missingChromium();
const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const MODULES = join(import.meta.dirname, "../../node_modules");
const COMMAND = [process.execPath, "agent.mjs"];

if (missing !== null && !required) test.skip(missing, () => {});
else
  describe("a project over which reenact up runs, in Chromium", () => {
    let browser: UiBrowser;
    let refund: Awaited<ReturnType<typeof openRefund>>;
    let project: string;
    let up: CollectorChild;

    beforeAll(async () => {
      if (missing !== null) throw new Error(missing);
      refund = await openRefund();
      project = realpathSync(mkdtempSync(join(tmpdir(), "reenact-story-")));
      for (const name of ["script.mjs", "tools.json", "package.json"])
        copyFileSync(join(EXAMPLE, name), join(project, name));
      // so that a live answer has a cost
      const source = readFileSync(join(EXAMPLE, "agent.mjs"), "utf8");
      writeFileSync(
        join(project, "agent.mjs"),
        source.replace("tools: offered }", "tools: offered, stream_options: { include_usage: true } }"),
      );
      symlinkSync(MODULES, join(project, "node_modules"));
      const prices = join(project, "prices.json");
      writeFileSync(prices, JSON.stringify({ version: "1", models: { "gpt-4.1-mini": { input: 1, output: 1 } } }));
      const live = ["--allow-live", "--max-cost", "0.50", "--prices", prices];
      const env = { ...refund.env, OPENAI_API_KEY: "sk-proj-0123456789abcdefghijklmnop" };
      [browser, up] = await Promise.all([
        openUiBrowser(),
        startCollectorChild([bin, "up", "--json", "--port", "0", ...live, "--", ...COMMAND], { cwd: project, env }),
      ]);
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      await up?.stop();
      await refund?.remove();
      if (project !== undefined) rmSync(project, { recursive: true, force: true });
    });

    const reenact = (...words: string[]) =>
      launch([process.execPath, bin, ...words], { cwd: project, env: { ...refund.env, REENACT_STORE: undefined } });

    test("from the printed link of a failed run to its cause, a replay with another prompt, and a green test", async () => {
      const page = await browser.open();
      await page.goto(up.replays ?? "");
      await page.getByRole("heading", { name: "Runs" }).waitFor();

      const recorded = await reenact("run", "--", ...COMMAND);
      expect(recorded.code).toBe(1);
      const link = / page: (http:\S+)$/m.exec(recorded.stderr)?.[1] ?? recorded.stderr;
      await page.goto(link);
      await page.getByRole("heading", { name: "agent.mjs" }).waitFor();
      expect(await page.getByRole("region", { name: "Error" }).innerText()).toContain("step 6");

      // three keys: to the step that failed, and to what the model had read before it
      await page.keyboard.press("n");
      await page.keyboard.press("n");
      await page.waitForURL(/step=6/);
      expect(await page.locator("[aria-current=true]").innerText()).toContain("TimeoutError");
      await page.keyboard.press("3");
      await page
        .getByRole("heading", { name: /What the model read at step \d/ })
        .first()
        .waitFor();
      await page.getByText("Keep the customer's first order").first().waitFor();
      await page.keyboard.press("Escape");

      // another prompt, asked of the model, in a process of its own
      await page.keyboard.press("r");
      await page.getByRole("button", { name: /^Ask it anew.*step 1$/ }).click();
      await page.getByLabel("Change", { exact: true }).selectOption("prompt");
      await page.getByLabel("New text").fill("Refund nothing.");
      await page.getByRole("button", { name: "Show what would be sent" }).click();
      await page.getByRole("region", { name: "What would be sent" }).waitFor();
      await page.getByRole("button", { name: "Send real requests" }).click();
      const result = page.getByRole("region", { name: "Result" });
      await result.waitFor();
      expect(await result.innerText()).toMatch(/diverged[\s\S]*3 live · \$0\.00\d+[\s\S]*exit code 1/);
      await page.getByRole("link", { name: "Open the replay" }).click();
      await page.getByText("Refund nothing.").first().waitFor();

      // the line that the page shows, as it stands there
      await page.goto(link);
      await page.getByRole("heading", { name: "agent.mjs" }).waitFor();
      await page.keyboard.press("t");
      const line = page.getByLabel("Line that makes a test of this run", { exact: true });
      await line.waitFor();
      const [npx, name, ...words] = (await line.innerText()).trim().split(" ");
      expect([npx, name]).toEqual(["npx", "reenact"]);
      await reenact(...words);
      await page.goto(`${up.http}/tests`);
      await page.getByText("1 without a result").waitFor();
      await page.keyboard.press("r");
      await page.getByText("1 failed", { exact: true }).waitFor();
      await page.getByText("the recorded failure happens again").waitFor();

      const source = readFileSync(join(project, "agent.mjs"), "utf8");
      writeFileSync(
        join(project, "agent.mjs"),
        source.replace("  // tone", '  "Name the row of an order as it was read.",'),
      );
      await page.getByRole("button", { name: /^Run agent-/ }).click();
      await page.getByText("1 passed", { exact: true }).waitFor();
      expect(await page.locator(".test-row").innerText()).toMatch(/✓ passed\s+agent-[0-9a-f]{6}/);
      expect(await page.violations()).toEqual([]);
      await page.picture("green-test");
      expect(page.troubles).toEqual([]);
    }, 120_000);
  });
