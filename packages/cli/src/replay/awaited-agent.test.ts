import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadTape } from "@reenact/replay";
import { afterEach, expect, test, vi } from "vitest";
import { tellAwaited } from "./awaited-agent.ts";

const golden = loadTape(
  fileURLToPath(new URL("../../../../test/fixtures/envelopes/v1-parallel-calls.reenact", import.meta.url)),
);
const called = { ...golden, root: { trigger: "function", name: "desk", input: '[[1],"/hello"]' } };
const store = mkdtempSync(join(tmpdir(), "awaited-"));

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(join(store, "spool"), { recursive: true, force: true });
});

async function told(tape: typeof called, stop = false): Promise<string> {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const settled = tellAwaited({ tape, store, launch: "mine" }, 20);
  if (stop) settled();
  await new Promise((resolve) => setTimeout(resolve, 60));
  settled();
  return write.mock.calls.map(([text]) => String(text)).join("");
}

test("a program that listens and is not asked: what it waits for is said once", async () => {
  expect(await told(called)).toBe(
    'reenact: waiting for the program to call agent "desk" (recorded with ["/hello"]): if it listens, send it the request; Ctrl-C ends it\n',
  );
});

test("of a request it says which one", async () => {
  const request = { ...called, root: { trigger: "request", name: "POST /chat", input: "[1]" } };
  expect(await told(request)).toBe(
    "reenact: waiting for the request POST /chat: it is sent when the program listens, or send it yourself; Ctrl-C ends it\n",
  );
});

test("nothing is said where the call has come, the replay has ended, or a process is the run", async () => {
  expect(await told(called, true)).toBe("");
  expect(await told({ ...called, root: { ...called.root, trigger: "process" } })).toBe("");
  mkdirSync(join(store, "spool"));
  writeFileSync(join(store, "spool", "one"), '{"launch":"other"}');
  expect(await told(called)).toContain("waiting");
  vi.restoreAllMocks();
  writeFileSync(join(store, "spool", "two"), '{"launch":"mine"}');
  expect(await told(called)).toBe("");
});
