import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scanTraces } from "@reenact/envelope";
import { writeEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openEveryTab } from "./open-every-tab.ts";
import { bin, launch } from "../e2e/reenact.ts";
import { missingChromium } from "./chromium.ts";
import { openUiBrowser, type UiBrowser, type UiPage } from "./ui-browser.ts";
import { HOSTILE, hostileRun, openRefund } from "./ui-runs.ts";

const missing = missingChromium();
const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";

if (missing !== null && !required) test.skip(missing, () => {});
else
  describe("a run that was exported as a page, in Chromium", () => {
    const folder = mkdtempSync(join(tmpdir(), "reenact-offline-"));
    const [refund, hostile] = [join(folder, "refund.html"), join(folder, "hostile.html")];
    let browser: UiBrowser;

    beforeAll(async () => {
      if (missing !== null) throw new Error(missing);
      const agent = await openRefund();
      const run = await agent.command(["run"]);
      const file = join(folder, "hostile.reenact");
      const { id, body } = hostileRun();
      writeFileSync(file, writeEnvelope({ spans: scanTraces(body), run: id }).bytes);
      for (const [reference, out] of [
        [run, refund],
        [file, hostile],
      ] as const) {
        const args = ["export", reference, "--store", agent.store, "-o", out, "--as-is"];
        const { code, stderr } = await launch([process.execPath, bin, ...args]);
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      }
      await agent.remove();
      browser = await openUiBrowser();
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    async function open(
      file: string,
      options?: Parameters<UiBrowser["open"]>[0],
    ): Promise<UiPage & { asked: string[] }> {
      const page = await browser.open(options);
      await page.goOffline();
      const asked: string[] = [];
      page.on("request", (request) => asked.push((request as { url(): string }).url()));
      await page.goto(`file://${file}`);
      return Object.assign(page, { asked });
    }

    test.each(["light", "dark"] as const)("%s: nothing against it from axe, wide and narrow", async (theme) => {
      for (const size of [{}, { width: 360, height: 740 }]) {
        const page = await open(refund, { theme, ...size });
        await page.getByText("check_carrier").first().waitFor();
        expect(await page.violations()).toEqual([]);
        expect([await page.cut(), await page.overflow()]).toEqual([[], 0]);
        expect(page.troubles).toEqual([]);
        await page.picture("offline");
      }
    });

    test("every tab by its key, and nothing is asked of a network", async () => {
      const page = await open(refund);
      await page.waitForURL(/refund\.html#\/r\/[0-9a-f]{32}$/);
      await page.getByText("check_carrier").first().waitFor();
      await openEveryTab(page);
      expect(await page.getByRole("link", { name: "Runs" }).count()).toBe(0);
      expect(page.asked.every((url) => url.startsWith("file:") && !url.includes("api"))).toBe(true);
      expect(page.troubles).toEqual([]);
    });

    test("hostile texts are texts in it, too", async () => {
      const page = await open(hostile, { height: 3000 });
      await page.getByText("<img src=x onerror").first().waitFor();
      expect(await page.evaluate("document.title")).not.toBe("owned");
      expect(await page.locator("#app :is(iframe, script, img, b)").count()).toBe(0);
      expect(await page.locator("a[href^='javascript']").count()).toBe(0);
      expect(await page.evaluate(String.raw`/[\u001b\u202e\u0007]/.test(document.body.innerText)`)).toBe(false);
      expect(await page.getByText(HOSTILE.question.slice(0, 8)).count()).toBeGreaterThan(0);
      expect(page.asked).toHaveLength(1);
      expect(page.troubles).toEqual([]);
    });
  });
