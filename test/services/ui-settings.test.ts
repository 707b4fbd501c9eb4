import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningCollector, startCollector, until } from "../e2e/running-collector.ts";
import { missingChromium } from "./chromium.ts";
import { openUiBrowser, type UiBrowser, type UiPage } from "./ui-browser.ts";
import { foreignRun } from "./ui-runs.ts";

const missing = missingChromium();
const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const KEYS = { boss: "boss-key-000001", reader: "reader-key-0001", other: "other-key-00001" };
const SECRET = "ann.lee@shop.example";

if (missing !== null && !required) test.skip(missing, () => {});
else
  describe("the settings, in Chromium", () => {
    const folder = mkdtempSync(join(tmpdir(), "reenact-ui-settings-"));
    let browser: UiBrowser;
    let collector: RunningCollector;
    let run: string;

    beforeAll(async () => {
      if (missing !== null) throw new Error(missing);
      const keys = join(folder, "keys.json");
      const entry = (name: keyof typeof KEYS, scopes: string[], tenant = "default") => ({
        name,
        scopes,
        sha256: createHash("sha256").update(KEYS[name]).digest("hex"),
        tenant,
      });
      const all = [
        entry("boss", ["ingest", "read", "admin"]),
        entry("reader", ["read"]),
        entry("other", ["ingest", "read", "admin"], "elsewhere"),
      ];
      writeFileSync(keys, JSON.stringify({ keys: all }));
      const rules = join(folder, "rules.yaml");
      writeFileSync(rules, "rules:\n  - { name: dear, class: keep, when: { cost: { above: 1 } } }\n");
      // nobody listens there
      const forward = [{ name: "phoenix", url: "http://127.0.0.1:9/v1/traces?key=hidden", view: "openinference" }];
      [browser, collector] = await Promise.all([
        openUiBrowser(),
        startCollector({ keys, forward, retention: { rules } }),
      ]);
      const { id, body } = foreignRun("stored", [{ input: "how much?", output: "this much" }]);
      run = id;
      const headers = { "content-type": "application/x-protobuf", authorization: `Bearer ${KEYS.boss}` };
      await fetch(`${collector.address.http}/v1/traces`, { method: "POST", headers, body: Buffer.from(body) });
      await until("the run is in a pack", async () => {
        const found = (await (await ask("/runs", KEYS.boss)).json()) as { runs: { bytes: number }[] };
        return found.runs.some(({ bytes }) => bytes > 0);
      });
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      await collector?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    const ask = (path: string, key: string) =>
      fetch(`${collector.address.http}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });

    async function open(key: string, path = "/settings", options?: Parameters<UiBrowser["open"]>[0]): Promise<UiPage> {
      const page = await browser.open(options);
      await page.goto(`${collector.address.http}${path}`);
      await page.getByLabel("Key", { exact: true }).fill(key);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Settings" }).waitFor();
      return page;
    }

    test.each(["light", "dark"] as const)("%s: nothing against it from axe, wide and narrow", async (theme) => {
      for (const size of [{ height: 2000 }, { width: 360, height: 2600 }]) {
        const page = await open(KEYS.boss, "/settings?short=12h&share=0.5", { theme, ...size });
        await page.getByText("With these settings").waitFor();
        await page.locator("#try-text").fill(`write to ${SECRET}`);
        await page.getByRole("button", { name: "Try" }).click();
        await page.getByText("1 value would be replaced").waitFor();
        expect(await page.violations()).toEqual([]);
        expect([await page.cut(), await page.overflow()]).toEqual([[], 0]);
        expect(page.troubles).toEqual([]);
        await page.picture("settings");
      }
    });

    test("what the classes hold, and what other times would do, as the configuration writes it", async () => {
      const page = await open(KEYS.boss);
      const classes = page.getByRole("region", { name: "Classes" });
      await classes.waitFor();
      expect(await classes.innerText()).toMatch(/short[\s\S]*30d\s+1 run, [\d.]+ kB\s+–/);
      await page.getByLabel("Keep short for").fill("soon");
      await page.getByLabel("Keep short for").fill("2h");
      await page.getByRole("button", { name: "Dry run" }).click();
      await page.waitForURL(/short=2h/);
      await page.getByText("2h (now 30d)").waitFor();
      expect(await page.getByLabel("Line for the configuration file", { exact: true }).innerText()).toBe(
        "retention:\n  short: 2h",
      );
      expect(await page.getByLabel("Line for the environment", { exact: true }).innerText()).toBe(
        "REENACT_COLLECTOR_RETENTION_SHORT=2h",
      );
      await page.getByText("Which class a run gets").click();
      await page.getByText('{"cost":{"above":1}}').waitFor();
      // a text that is no duration, in the address, is told by the collector
      await page.goto(`${collector.address.http}/settings?short=soon`);
      await page.getByText("short: is no duration: 12h, 30d").waitFor();
    });

    test("a destination that does not answer, the keys of the project, and who read what", async () => {
      await (await ask(`/runs/${run}/view`, KEYS.reader)).text();
      const page = await open(KEYS.boss);
      await page.getByText("waiting", { exact: true }).waitFor();
      const text = await page.locator("body").innerText();
      expect(text).toContain("http://127.0.0.1:9/v1/traces");
      expect(text).not.toContain("hidden");
      const keys = await page.getByRole("region", { name: "Keys of this project" }).innerText();
      expect(keys).toMatch(/boss\s+ingest, read, admin[\s\S]*reader\s+read/);
      expect(keys).not.toContain("other");
      await page.getByRole("region", { name: "Reads", exact: true }).waitFor();
      expect(await page.getByRole("region", { name: "Reads", exact: true }).innerText()).toMatch(
        new RegExp(`reader\\s+${run.slice(0, 12)}\\s+view`),
      );
      // another project sees neither
      const reads = await (await ask("/payload-reads", KEYS.other)).text();
      expect(reads).not.toContain(run);
      expect(await (await ask("/settings", KEYS.other)).text()).not.toContain("reader");
    });

    test("a key that may read tries redaction and sees nothing else; the text is in no log and no store", async () => {
      const page = await open(KEYS.reader);
      await page.getByText("has no scope “admin”").waitFor();
      expect(await page.getByRole("heading", { name: "Storage" }).count()).toBe(0);
      await page.locator("#try-text").fill(`{"to":"${SECRET}"}`);
      await page.getByRole("button", { name: "Try" }).click();
      const values = page.getByRole("region", { name: "Replaced values" });
      await values.waitFor();
      expect(await values.innerText()).toMatch(/ann\.lee@shop\.example\s+EMAIL\s+email/);
      expect(await page.getByLabel("As it would be recorded").innerText()).toMatch(/^\{"to":"EMAIL·[a-z]{3}"\}$/);
      expect(page.url()).not.toContain("ann");
      expect(JSON.stringify(collector.lines)).not.toContain("ann.lee");
      for (const path of ["/settings", "/payload-reads", "/retention"])
        expect((await ask(path, KEYS.reader)).status).toBe(403);
      expect(page.troubles).toEqual([]);
    });
  });
