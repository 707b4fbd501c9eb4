import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { launch, Store } from "./reenact.ts";

const PROGRAM = fileURLToPath(new URL("../programs/many-runs.mjs", import.meta.url));
/** More than are sealed in the second that a command takes for it. */
const RUNS = 3000;
/** of a busy machine, in milliseconds */
const WAIT = { timeout: 100_000, interval: 200 };

const store = new Store();
beforeAll(async () => {
  const register = import.meta.resolve("@reenact/node/register");
  const command = [process.execPath, "--import", register, PROGRAM, String(RUNS)];
  const { code, stderr } = await launch(command, { env: { REENACT_STORE: store.folder }, timeoutMs: 110_000 });
  expect(code, stderr).toBe(0);
}, 120_000);
afterAll(() => store.remove());

test("the first list shows the newest runs at once, says that others are being sealed, and they are", async () => {
  const first = await store.command("ls", "--limit", "5");
  expect(first.code).toBe(0);
  expect(first.stdout.trim().split("\n")).toHaveLength(5);
  expect(first.stderr).toMatch(
    /about [\d,]+ older runs are being sealed in the background(?: \(pid \d+\))?, and can be seen then/,
  );
  await vi.waitFor(() => expect(readdirSync(join(store.folder, "spool"))).toEqual([]), WAIT);
  const whole = JSON.parse((await store.command("ls", "--json", "--limit", String(2 * RUNS))).stdout) as {
    runs: { run: string }[];
  };
  expect(whole.runs).toHaveLength(RUNS);
  // the newest ones were those of the first list
  expect(first.stdout).toContain(whole.runs[0]?.run.slice(0, 6));
}, 120_000);
