import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { joinTraces, otlpJson, scanTraces } from "@reenact/envelope";
import { writeEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openEveryTab } from "./open-every-tab.ts";
import { type RunningCollector, startCollector } from "../e2e/running-collector.ts";
import { missingChromium } from "./chromium.ts";
import { openUiBrowser, type UiBrowser, type UiPage } from "./ui-browser.ts";
import { foreignRun, HOSTILE, hostileRun, openRefund } from "./ui-runs.ts";

const missing = missingChromium();
const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const VIEWER = join(import.meta.dirname, "../../collector/dist/ui/viewer.html");

if (missing !== null && !required) test.skip(missing, () => {});
else
  describe("the viewer of files, in Chromium without a network", () => {
    const folder = mkdtempSync(join(tmpdir(), "reenact-viewer-"));
    const at = (name: string) => join(folder, name);
    let browser: UiBrowser;
    let collector: RunningCollector;

    beforeAll(async () => {
      if (missing !== null) throw new Error(missing);
      [browser, collector] = await Promise.all([openUiBrowser(), startCollector()]);
      const agent = await openRefund();
      const run = await agent.command(["run"]);
      const recorded = readFileSync(join(agent.store, "runs", `${run}.reenact`));
      await agent.remove();
      writeFileSync(at("refund.reenact"), recorded);
      const { id, body } = hostileRun();
      writeFileSync(at("hostile.reenact"), writeEnvelope({ spans: scanTraces(body), run: id }).bytes);
      const two = [
        foreignRun("first of two", [{ input: "a?", output: "a!" }]),
        foreignRun("second of two", [{ input: "b?", output: "b!" }]),
      ];
      const { bytes } = joinTraces(two.flatMap((each) => scanTraces(each.body)));
      writeFileSync(at("two.otlp"), bytes);
      writeFileSync(at("two.json"), JSON.stringify(otlpJson(bytes)));
      writeFileSync(at("short.reenact"), recorded.subarray(0, recorded.length - 300));
      // of several blocks of zstd, so that some come before the cut
      const long = foreignRun(
        "cut",
        Array.from({ length: 60 }, (_, n) => ({ input: randomBytes(8000).toString("base64"), output: `answer ${n}` })),
      );
      const { bytes: whole } = writeEnvelope({ spans: scanTraces(long.body), run: long.id });
      writeFileSync(at("cut.reenact"), whole.subarray(0, whole.length - 3000));
      writeFileSync(at("changed.reenact"), Buffer.concat([recorded.subarray(0, 200), recorded.subarray(199)]));
      writeFileSync(at("text.json"), "{ not a run");
      writeFileSync(at("picture.reenact"), Buffer.from("\x89PNG\r\n\x1a\n0123456789", "latin1"));
      writeFileSync(at("empty.otlp"), "");
      writeFileSync(at("huge.reenact"), "");
      truncateSync(at("huge.reenact"), 600 * 1024 * 1024);
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      await collector?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    async function open(
      file: string | null,
      options: Parameters<UiBrowser["open"]>[0] & { address?: string } = {},
    ): Promise<UiPage & { asked: string[] }> {
      const { address = `file://${VIEWER}`, ...rest } = options;
      const page = await browser.open(rest);
      const asked: string[] = [];
      page.on("request", (request) => asked.push((request as { url(): string }).url()));
      await page.goto(address);
      await page.getByRole("heading", { name: "Open a recorded run" }).waitFor();
      await page.goOffline();
      if (file !== null) await page.locator("#file").setInputFiles(at(file));
      return Object.assign(page, { asked });
    }

    test.each(["light", "dark"] as const)("%s: nothing against it from axe, wide and narrow", async (theme) => {
      for (const size of [{}, { width: 360, height: 740 }]) {
        const page = await open(null, { theme, ...size });
        expect(await page.violations()).toEqual([]);
        expect([await page.cut(), await page.overflow()]).toEqual([[], 0]);
        await page.picture("viewer");
        await page.locator("#file").setInputFiles(at("refund.reenact"));
        await page.getByText("check_carrier").first().waitFor();
        expect(await page.violations()).toEqual([]);
        expect([await page.cut(), await page.overflow()]).toEqual([[], 0]);
        expect(page.troubles).toEqual([]);
        await page.picture("viewer-run");
      }
    });

    test("a dropped run, every tab of it by its key, as a collector shows it; nothing is asked of a network", async () => {
      const page = await open(null);
      const bytes = readFileSync(at("refund.reenact")).toString("base64");
      await page.evaluate(
        `{ const data = new DataTransfer();
           const bytes = Uint8Array.from(atob(${JSON.stringify(bytes)}), (char) => char.charCodeAt(0));
           data.items.add(new File([bytes], "refund.reenact"));
           document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })); }`,
      );
      await page.waitForURL(/viewer\.html#\/r\/[0-9a-f]{32}$/);
      await page.getByText("check_carrier").first().waitFor();
      await page.getByText("refund.reenact", { exact: true }).waitFor();
      expect(await page.getByText("complete", { exact: true }).count()).toBe(1);
      await openEveryTab(page);
      expect(await page.getByRole("link", { name: "Runs" }).count()).toBe(0);
      expect(page.asked).toHaveLength(1);
      expect(page.troubles).toEqual([]);
    });

    test.each(["two.otlp", "two.json"])(
      "%s: its runs are listed, and one is chosen; served by a collector",
      async (file) => {
        const page = await open(file, { address: `${collector.address.http}/viewer.html` });
        await page.getByRole("heading", { name: "2 runs" }).waitFor();
        await page.getByRole("button", { name: /second of two/ }).click();
        await page.getByText("b!").first().waitFor();
        expect(page.asked.filter((url) => !url.endsWith("/viewer.html"))).toEqual([]);
        expect(page.troubles).toEqual([]);
      },
    );

    test("hostile texts are texts in it, too", async () => {
      const page = await open("hostile.reenact", { height: 3000 });
      await page.getByText("<img src=x onerror").first().waitFor();
      expect(await page.evaluate("document.title")).not.toBe("owned");
      expect(await page.locator("#app :is(iframe, script, img, b)").count()).toBe(0);
      expect(await page.locator("a[href^='javascript']").count()).toBe(0);
      expect(await page.evaluate(String.raw`/[\u001b\u202e\u0007]/.test(document.body.innerText)`)).toBe(false);
      expect(await page.getByText(HOSTILE.question.slice(0, 8)).count()).toBeGreaterThan(0);
      expect(page.troubles).toEqual([]);
    });

    test("a file that cannot be shown says why, and another one can be opened then", async () => {
      const page = await open(null);
      for (const [file, why] of [
        ["changed.reenact", /changed|holds/],
        ["short.reenact", /ends after \d+ of \d+ bytes/],
        ["text.json", /JSON/],
        ["picture.reenact", /bytes|wire|field|ends/i],
        ["empty.otlp", /holds no spans/],
        ["huge.reenact", /629 MB, and this page reads 537 MB/],
      ] as const) {
        await page.locator("#file").setInputFiles(at(file));
        await page.getByText(`${file} cannot be shown`).waitFor();
        expect(await page.getByRole("alert").innerText()).toMatch(why);
      }
      expect(await page.violations()).toEqual([]);
      // of one that is cut what stands before the cut, and the reason
      await page.locator("#file").setInputFiles(at("cut.reenact"));
      await page.getByText(/^incomplete: .*ends after/).waitFor();
      await page.getByText("cut.reenact, damaged").waitFor();
      await page.getByText("answer 3", { exact: true }).first().waitFor();
      expect(page.troubles).toEqual([]);
    });
  });
