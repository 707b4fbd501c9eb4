import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startCollectorChild } from "./collector-child.ts";
import { bin, launch } from "./reenact.ts";
import { until } from "./running-collector.ts";

const golden = fileURLToPath(new URL("../fixtures/envelopes/v1-parallel-calls.reenact", import.meta.url));
const here = mkdtempSync(join(tmpdir(), "reenact-show-web-"));
afterAll(() => rmSync(here, { recursive: true, force: true }));

/** Stands for a browser: keeps the address that it was given. */
const browser = join(here, "browser.sh");
const opened = join(here, "opened");
writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`);
chmodSync(browser, 0o700);

const show = (...args: string[]) =>
  launch([process.execPath, bin, "show", ...args], { cwd: here, env: { BROWSER: browser, REENACT_STORE: undefined } });
async function openedAddress(): Promise<string> {
  await until("the browser", async () => readOrNull() !== null);
  const address = readOrNull() ?? "";
  rmSync(opened);
  return address;
}
function readOrNull(): string | null {
  try {
    return readFileSync(opened, "utf8");
  } catch {
    return null;
  }
}

test("a run opens on the page of its collector, and as one file where none runs", async () => {
  const imported = await launch([process.execPath, bin, "import", golden], { cwd: here });
  expect(imported.stderr + imported.stdout).not.toContain("REEN-");
  const file = await show("@last", "--web", "--step", "2");
  const path = fileURLToPath(file.stdout.trim().replace(/#.*$/, ""));
  expect(await openedAddress()).toBe(file.stdout.trim());
  expect(file.stdout).toMatch(/#\/r\/[0-9a-f]{32}\?step=2\n$/);
  expect(readFileSync(path, "utf8")).toMatch(/^<!doctype html>/i);
  rmSync(path);

  const up = await startCollectorChild([bin, "up", "--json", "--port", "0"], { cwd: here });
  try {
    const page = await show("@last", "--web", "--step", "2");
    const [, run] = /\/r\/([0-9a-f]{32})/.exec(page.stdout) ?? [];
    expect(page.stdout).toBe(`${up.http}/r/${run}?step=2\n`);
    expect(await openedAddress()).toBe(page.stdout.trim());
    const printed = await show("@last", "--web", "--no-open");
    expect([printed.stdout, readOrNull()]).toEqual([`${up.http}/r/${run}\n`, null]);
    expect((await fetch(`${up.http}/api/v1/runs/${run}/view`)).status).toBe(200);
  } finally {
    await up.stop();
  }
});
