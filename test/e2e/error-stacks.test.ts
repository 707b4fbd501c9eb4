import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const program = join(import.meta.dirname, "thrown-errors.mjs");
const agent = join(import.meta.dirname, "failing-agent.mjs");
const server = join(import.meta.dirname, "served-errors.mjs");
const reenact = pathToFileURL(join(import.meta.dirname, "../../packages/node/dist/index.js")).href;
const register = pathToFileURL(join(import.meta.dirname, "../../packages/node/dist/register.js")).href;

/** What Node itself puts below a continuation or a timer: another one in each run, by what else is due. */
const DRIVER = /node:internal\/(?:process\/task_queues|timers):\d/;

const run = promisify(execFile);
const bench = ownBench();

async function stacksOf(
  started: readonly string[],
  flags: string[],
  more: Record<string, string> = {},
): Promise<Record<string, string>> {
  const env = { ...process.env, ...more, NODE_OPTIONS: "", REENACT_DIR: join(bench.folder, "runs") };
  const { stdout } = await run(process.execPath, [...flags, ...started], { env, maxBuffer: 64e6 });
  return JSON.parse(stdout) as never;
}

/** A frame of `DRIVER` takes the place of the last of ten: each side is compared as far as the other has frames. */
function comparable(plain: string, recorded: string): [string[], string[]] {
  const [a, b] = [plain, recorded].map((stack) => stack.split("\n"));
  const [shownA, shownB] = [a, b].map((lines = []) => lines.filter((line) => !DRIVER.test(line)));
  const gone = Math.abs(
    (a as string[]).length - (shownA as string[]).length - ((b as string[]).length - (shownB as string[]).length),
  );
  const length = Math.min((shownA as string[]).length, (shownB as string[]).length);
  if (Math.abs((shownA as string[]).length - (shownB as string[]).length) > gone)
    return [shownA as string[], shownB as string[]];
  return [(shownA as string[]).slice(0, length), (shownB as string[]).slice(0, length)];
}

test.each(["node's", "own"])(
  "errors have the stacks that they have without the recorder, in %s format",
  async (mode) => {
    const plain = await stacksOf([program, mode, "none"], []);
    const recorded = await stacksOf([program, mode, reenact], ["--import", register]);
    expect(Object.keys(plain).length).toBeGreaterThan(240);
    expect(Object.keys(recorded)).toEqual(Object.keys(plain));
    const other: Record<string, string[][]> = {};
    for (const [kind, stack] of Object.entries(plain)) {
      const [a, b] = comparable(stack, recorded[kind] ?? "");
      if (a.join("\n") !== b.join("\n")) other[kind] = [a, b];
    }
    expect(other).toEqual({});
  },
);

/** Answers with no JSON, or never. */
async function startAsked(): Promise<{ asked: Server; ASKED_URL: string }> {
  const asked = createServer((request, response) => {
    if (request.url === "/text") response.end("no JSON");
  });
  await once(asked.listen(0, "127.0.0.1"), "listening");
  return { asked, ASKED_URL: `http://127.0.0.1:${(asked.address() as AddressInfo).port}/` };
}

test("errors in an agent and its tools have the same stacks in a replay", async () => {
  const { asked, ASKED_URL } = await startAsked();
  const options = { cwd: bench.folder, env: { PROVIDER_URL: bench.provider.url, ASKED_URL } };
  const command = [process.execPath, agent, reenact];
  const { summary, stdout } = await bench.store.run(command, options);
  expect(stdout.split("behind fetch, in tool(): Error: boom").length).toBe(2);
  expect(stdout).toContain("at listOnTimeout (node:internal/timers");
  expect(stdout).toContain("at FSReqCallback.oncomplete (node:fs");
  const again = await bench.store.replay(summary.run ?? "", command, options);
  asked.close();
  expect(again.stdout).toBe(stdout);
  expect(again.report).toMatchObject({ verdict: "identical" });
});

test("errors in a server's handlers have the stacks that they have without the recorder", async () => {
  const { asked, ASKED_URL } = await startAsked();
  let other: string[][] = [];
  // on a busy machine several timers are due in one turn of plain Node, now of one kind, now of another: what differs by our doing
  // differs each time
  for (let times = 0; times === 0 || (other.length > 0 && times < 5); times++) {
    const plain = await stacksOf([server, "none"], [], { ASKED_URL });
    const recorded = await stacksOf([server, reenact], ["--import", register], { ASKED_URL });
    expect(Object.keys(plain).length).toBe(8 + 35 * 5);
    const kinds = times === 0 ? Object.keys(plain) : other.map(([kind]) => kind as string);
    other = kinds.flatMap((kind) =>
      plain[kind] === recorded[kind] ? [] : [[kind, plain[kind] as string, recorded[kind] ?? ""]],
    );
  }
  asked.close();
  expect(other).toEqual([]);
});
