import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const program = join(import.meta.dirname, "error-classes.mjs");
const reenact = pathToFileURL(join(import.meta.dirname, "../../packages/node/dist/index.js")).href;
const bench = ownBench();
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((_, response) => {
    response.sendDate = false;
    response.writeHead(404, { "content-type": "application/json" }).end('{"error":{"message":"no such thing"}}');
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

test("errors of every class are in a replay what they are without the recorder", { timeout: 240_000 }, async () => {
  const plain = await promisify(execFile)(process.execPath, [program, "none", url], {
    env: { ...process.env, NODE_OPTIONS: "" },
    maxBuffer: 64e6,
  });
  const command = [process.execPath, program, reenact, url];
  const recorded = await bench.store.run(command, { cwd: bench.folder });
  expect(recorded.stderr).toBe("");
  expect(recorded.stdout.split("\n").length).toBeGreaterThan(1000);
  expect(recorded.stdout.split("\n")).toEqual(plain.stdout.split("\n"));
  const again = await bench.store.replay(recorded.summary.run ?? "", command, { cwd: bench.folder });
  expect(again.stdout.split("\n")).toEqual(recorded.stdout.split("\n"));
  expect(again.report).toMatchObject({ verdict: "identical", divergence: null });
  const edited = await bench.store.replay(recorded.summary.run ?? "", [...command, "edited"], { cwd: bench.folder });
  expect(edited.report).toMatchObject({ verdict: "diverged" });
  expect(edited.stdout).toContain("text edited | edited | edited");
});
