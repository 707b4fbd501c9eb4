import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { RunFacts, StepDraft } from "@reenact/capture/recorder";
import { ATTR, encodeResource, encodeScope, encodeTraces, scanTraces } from "@reenact/envelope";
import { createScrubber } from "@reenact/redaction";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig } from "../config/config.ts";
import { spoolSink, type SpoolSink } from "../spool/spool-sink.ts";
import { storeLayout } from "../config/store-layout.ts";
import { destinationsOf } from "./destinations.ts";
import { runSender } from "./run-sender.ts";
import { shipStore } from "./ship-store.ts";
import type { SenderEnding } from "./sender.ts";

let folder: string;
let server: Server;
/** span ids that were answered with 200 */
let got: string[];
let away: boolean;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "run-sender-"));
  got = [];
  away = false;
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      if (away) response.writeHead(503, { "retry-after": "0.1" }).end();
      else if (request.method === "GET") response.end(JSON.stringify({ reenact: 1, version: "t", authorized: true }));
      else {
        got.push(...scanTraces(gunzipSync(Buffer.concat(pieces))).map(({ spanId }) => spanId));
        response.end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

const hex = (n: number, digits: number) => n.toString(16).padStart(digits, "0");

function factsOf(n: number): RunFacts {
  const id = hex(n + 1, 32);
  const rootSpanId = hex(n + 1, 16);
  return { id, traceId: id, rootSpanId, trigger: "function", name: "a", parent: null, sequence: n, started: 1 };
}

function stepOf(run: string, spanId: string): StepDraft {
  return {
    run,
    traceId: run,
    spanId,
    parentSpanId: run.slice(16),
    kind: "TOOL",
    name: "t",
    recognised: false,
    started: 1,
    ended: 2,
    link: null,
    record: { v: 1, op: "tool:t", path: "tool:t#0", n: 0, attempt: 0, step: 0, under: null, order: { start: 0 } },
    error: null,
    request: null,
    answer: null,
    input: "x".repeat(1000),
    output: "1",
  };
}

/** The root of a run, as its process writes it. */
function rootOf(run: string): Uint8Array {
  const span = {
    traceId: run,
    spanId: run.slice(16),
    parentSpanId: null,
    name: "a",
    kind: 1,
    startUnixNano: 1n,
    endUnixNano: 2n,
    attributes: { [ATTR.runId]: run, [ATTR.runStatus]: "ok" },
    droppedAttributesCount: 0,
    events: [],
    links: [],
    status: { code: 0 as const, message: "" },
    traceState: "",
    flags: 0,
  };
  const origin = { resource: encodeResource({}), resourceSchemaUrl: "", scope: encodeScope("t"), scopeSchemaUrl: "" };
  return encodeTraces(span, origin);
}

/** `launch`: name of the launch that has started the process; undefined: it was started by itself. */
function recording(launch?: string) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { REENACT_ENDPOINT: url };
  const { destinations } = destinationsOf(readConfig(env).config, env);
  const sink: SpoolSink = spoolSink({
    layout: storeLayout(folder),
    instance: "i",
    opening: () => ({
      v: 1,
      // the process that was launched has ended before its launcher looks at the file
      pid: launch === undefined ? process.pid : spawnSync(process.execPath, ["--version"]).pid,
      to: destinations.map(({ target }) => target),
      ...(launch !== undefined && { launch }),
    }),
    earlyFacts: () => ({}),
    earlyFactsVersion: () => 0,
    scrubber: createScrubber({ key: Buffer.alloc(32, 1) }),
    problem: () => null,
    encode: ({ run }) => rootOf(run),
    maxMbPerMin: null,
    largeBytes: 20_000,
  });
  const over = new Int32Array(new SharedArrayBuffer(4));
  const ending = Promise.withResolvers<SenderEnding>();
  const data = { store: folder, instance: "i", destinations, launched: launch !== undefined, over };
  return { sink, over, ending, env, running: runSender(data, ending.promise).over };
}

const spool = () => readdirSync(storeLayout(folder).spool);

test("a process that lives long: everything arrives, a destination that goes away for a moment included, and files go", async () => {
  const { sink, over, ending, running } = recording();
  const sent: string[] = [];
  let span = 1000;
  for (let n = 0; n < 60; n++) {
    away = n > 20 && n < 30;
    const facts = factsOf(n);
    sink.started(facts);
    for (let each = 0; each < 4; each++) {
      const id = hex(span++, 16);
      sink.step(stepOf(facts.id, id), null);
      sent.push(id);
    }
    sink.span({ run: facts.id } as Parameters<SpoolSink["span"]>[0]);
    sent.push(facts.rootSpanId);
    sink.over(facts.id);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const files = new Set(spool().map((name) => name.split(".")[0]));
  expect(files.size).toBeLessThan(15);
  sink.close();
  ending.resolve({ runs: 60, withinMs: 5000 });
  await running;
  expect(over[0]).toBe(1);
  expect(new Set(got)).toEqual(new Set(sent));
  expect(got).toHaveLength(sent.length);
  expect(spool()).toEqual([]);
});

test("a run that is open while later ones are in other files keeps none of them back for good", async () => {
  const { sink, ending, running } = recording();
  const long = factsOf(0);
  sink.started(long);
  for (let n = 1; n < 30; n++) {
    const facts = factsOf(n);
    sink.started(facts);
    sink.step(stepOf(facts.id, hex(n + 5000, 16)), null);
    sink.span({ run: facts.id } as Parameters<SpoolSink["span"]>[0]);
    sink.over(facts.id);
  }
  sink.step(stepOf(long.id, hex(9999, 16)), null);
  sink.over(long.id);
  sink.close();
  ending.resolve({ runs: 30, withinMs: 5000 });
  await running;
  expect(new Set(got).size).toBe(29 * 2 + 1);
  expect(spool()).toEqual([]);
});

test("the launcher of a process is told of runs that this one has sent to the end by itself", async () => {
  const { sink, ending, env, running } = recording("1-own");
  const facts = factsOf(0);
  sink.started(facts);
  sink.step(stepOf(facts.id, hex(7000, 16)), null);
  sink.span({ run: facts.id } as Parameters<SpoolSink["span"]>[0]);
  sink.over(facts.id);
  sink.close();
  ending.resolve({ runs: 1, withinMs: 5000 });
  await running;
  expect(got).toHaveLength(2);
  const { sent, waiting } = await shipStore(folder, { env, launch: "1-own", describe: true });
  expect(sent.map(({ run, sealed }) => [run, sealed === null])).toEqual([[facts.id, false]]);
  expect(waiting).toEqual([]);
  expect([got.length, spool()]).toEqual([2, []]);
});
