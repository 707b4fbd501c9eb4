import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { scale } from "../scale.ts";
import { ownBench } from "./own-bench.ts";

const bench = ownBench();
const program = join(import.meta.dirname, "bounded-inputs.mjs");
const from = (path: string): string => pathToFileURL(join(import.meta.dirname, "../../packages/node/dist", path)).href;
const TIMES = String(scale(1, 1, 4));
/** KiB that one kind may add in its second half, where what is kept for each time would be several times as much. */
const MOST = 1536;

async function grown(name: string, mode: string, recorded: boolean): Promise<Record<string, number>> {
  const answer = join(bench.folder, `${name}.json`);
  const flags = recorded ? ["--expose-gc", "--import", from("register.js")] : ["--expose-gc"];
  const child = spawn(
    process.execPath,
    [...flags, program, answer, recorded ? from("index.js") : "none", mode, TIMES],
    {
      env: { ...process.env, NODE_OPTIONS: "", REENACT_DIR: join(bench.folder, name) },
      stdio: "ignore",
    },
  );
  await once(child, "exit");
  return JSON.parse(readFileSync(answer, "utf8")) as Record<string, number>;
}

test("a program without an agentic step is filled with nothing, whatever it does", { timeout: 600_000 }, async () => {
  const result = await grown("idle", "idle", true);
  expect(Object.keys(result).length).toBeGreaterThan(40);
  expect(Object.entries(result).filter(([, kib]) => kib > MOST)).toEqual([]);
  expect(existsSync(join(bench.folder, "idle"))).toBe(false);
});

test("a run keeps nothing of what it has written, whatever it does", { timeout: 600_000 }, async () => {
  const result = await grown("active", "active", true);
  expect(Object.keys(result).length).toBeGreaterThan(50);
  expect(Object.entries(result).filter(([, kib]) => kib > MOST)).toEqual([]);
});
