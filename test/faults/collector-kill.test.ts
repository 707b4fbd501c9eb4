import { type ChildProcess, spawn } from "node:child_process";
import { hash, randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { encodeResource, encodeScope, encodeSpan, joinTraces, type OtlpSpan } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { afterEach, beforeEach, expect, test } from "vitest";
import { scale } from "../scale.ts";

const bin = fileURLToPath(new URL("../../collector/bin/reenact-collector.js", import.meta.url));
const kills = scale(4, 20, 10_000);
/** After so many kills every run is read back. */
const checkEvery = 100;
/** What 10,000 kills may take; a few hundred fit into the usual limit. */
const timeoutMs = scale(300_000, 300_000, 12 * 3_600_000);

let folder: string;
let running: ChildProcess | null = null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "collector-kill-"));
});

afterEach(() => {
  running?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<string> {
  const { VITEST: _v, NODE_OPTIONS: _n, ...rest } = process.env;
  const child = spawn(process.execPath, [bin], {
    env: {
      ...rest,
      REENACT_COLLECTOR_DATA: join(folder, "data"),
      REENACT_COLLECTOR_STORE: join(folder, "store"),
      REENACT_COLLECTOR_LISTEN_PORT: "0",
      REENACT_COLLECTOR_ASSEMBLE_SETTLE: "100ms",
      REENACT_COLLECTOR_ASSEMBLE_IDLE: "300ms",
      REENACT_COLLECTOR_PACK_AGE: "50ms",
      REENACT_COLLECTOR_LOG: "error",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  running = child;
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return (JSON.parse(line.toString()) as { http: string }).http;
}

async function kill(): Promise<void> {
  const child = running!;
  running = null;
  child.kill("SIGKILL");
  await once(child, "exit");
}

const resource = encodeResource({ "service.name": "mortal" });
const scope = encodeScope("test", "1");

/** A span of a run that is no recorder's of ours: a trace of its own. */
function spanOf(traceId: string, name: string): OtlpSpan {
  const now = BigInt(Date.now()) * 1_000_000n;
  return {
    traceId,
    spanId: randomBytes(8).toString("hex"),
    parentSpanId: null,
    name,
    kind: 1,
    startUnixNano: now,
    endUnixNano: now + 1n,
    attributes: { body: randomBytes(randomInt(2000)).toString("hex") },
    droppedAttributesCount: 0,
    events: [],
    links: [],
    status: { code: 0, message: "" },
    traceState: "",
    flags: 0,
  };
}

function requestOf(spans: OtlpSpan[]): Uint8Array {
  return joinTraces(
    spans.map((span) => ({
      resource,
      resourceSchemaUrl: "",
      scope,
      scopeSchemaUrl: "",
      span: encodeSpan(span),
      traceId: span.traceId,
      spanId: span.spanId,
      startUnixNano: span.startUnixNano,
    })),
  ).bytes;
}

test(
  `the whole collector is killed ${kills} times: every acknowledged span is in its run's envelope, once, byte for byte`,
  { timeout: timeoutMs },
  async () => {
    /** per trace, by the digest of the span's bytes, what was sent; true: it was acknowledged */
    const sent = new Map<string, Map<string, boolean>>();
    /** traces that were sent something since they were last read back */
    const changed = new Set<string>();
    let acknowledged = 0;

    async function send(http: string): Promise<boolean> {
      // a new run, or more of one that may be sealed already
      const traces = [...sent.keys()];
      const again = traces.length > 0 && randomInt(4) === 0;
      const trace = again ? traces[randomInt(traces.length)]! : randomBytes(16).toString("hex");
      const spans = Array.from({ length: randomInt(1, 4) }, (_, at) => spanOf(trace, `span ${at}`));
      const known = sent.get(trace) ?? new Map<string, boolean>();
      sent.set(trace, known);
      changed.add(trace);
      const digests = spans.map((span) => digestOf(encodeSpan(span)));
      for (const digest of digests) known.set(digest, false);
      try {
        const response = await fetch(`${http}/v1/traces`, {
          method: "POST",
          headers: { "content-type": "application/x-protobuf" },
          body: Buffer.from(requestOf(spans)),
        });
        if (response.status !== 200) return true;
        for (const digest of digests) known.set(digest, true);
        acknowledged += digests.length;
        return true;
      } catch {
        return false;
      }
    }

    async function readBack(http: string, traces: Iterable<string>): Promise<void> {
      for (const trace of traces) {
        const spans = sent.get(trace)!;
        const wanted = [...spans].filter(([, taken]) => taken).map(([digest]) => digest);
        if (wanted.length === 0) continue;
        const end = performance.now() + 30_000;
        for (;;) {
          const have = await spansOf(http, trace);
          expect(new Set(have).size, "no span twice").toBe(have.length);
          for (const digest of have) expect(spans.has(digest), "only what was sent, as it was sent").toBe(true);
          if (wanted.every((digest) => have.includes(digest))) break;
          if (performance.now() > end) expect.fail(`run ${trace}: ${wanted.length} acknowledged, ${have.length} there`);
          await sleep(100);
        }
      }
    }

    for (let round = 1; round <= kills; round++) {
      const http = await start();
      if (round % checkEvery === 0) {
        await readBack(http, changed);
        changed.clear();
        process.stdout.write(`collector: ${round - 1} kills; ${acknowledged} spans of ${sent.size} runs are there\n`);
      }
      const until = performance.now() + randomInt(50, 800);
      const senders = Array.from({ length: 3 }, async () => {
        while (performance.now() < until && (await send(http))) await sleep(randomInt(10));
      });
      await sleep(randomInt(30, 800));
      await kill();
      await Promise.all(senders);
    }

    const http = await start();
    await readBack(http, sent.keys());
    await kill();
    process.stdout.write(`collector: killed ${kills} times; ${acknowledged} spans of ${sent.size} runs acknowledged\n`);
    expect(acknowledged).toBeGreaterThan(0);
  },
);

function digestOf(span: Uint8Array): string {
  return hash("sha256", span, "base64");
}

/** The digests of the sealed run's spans; empty while it is not sealed. */
async function spansOf(http: string, run: string): Promise<string[]> {
  const response = await fetch(`${http}/api/v1/runs/${run}/envelope`);
  // one that waits for its pack has no tag
  if (response.status !== 200 || !response.headers.has("etag")) return [];
  const envelope = readEnvelope(new Uint8Array(await response.arrayBuffer()));
  return envelope.spans.map(({ scanned }) => digestOf(scanned.span));
}
