import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ATTR, encodeResource, encodeScope, encodeSpan, type OtlpSpan, plainSpan, WireWriter } from "@reenact/envelope";
import { afterEach, expect, test } from "vitest";
import { scale } from "../scale.ts";
import { CollectorProgram } from "./collector-program.ts";

const MB = 1_000_000;
const runMb = scale(80, 300, 1000);
/** of one span */
const SPAN = 4 * MB;
/** An idle collector has 120. */
const MOST_MB = 750;

interface Served {
  readonly bytes: number;
  readonly complete: boolean;
  readonly steps: number;
}

let folder: string | null = null;
let collector: CollectorProgram | null = null;
afterEach(async () => {
  await collector?.kill();
  if (folder !== null) rmSync(folder, { recursive: true, force: true });
});

/** What the process has had in memory at most, MB; of Linux. */
const peak = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1000;

const run = randomBytes(16).toString("hex");
const rootId = randomBytes(8).toString("hex");
const steps = Math.ceil((runMb * MB) / SPAN);

function spanOf(change: Partial<OtlpSpan>): Uint8Array {
  const status = { code: 1, message: "" } as const;
  return encodeSpan(
    plainSpan({ traceId: run, spanId: rootId, name: "step", startUnixNano: 1n, endUnixNano: 9n, status, ...change }),
  );
}
const own = { [ATTR.schema]: 1, [ATTR.runId]: run };

/** Its payload is text that does not compress, in the record or in the input. */
function step(n: number, inRecord: boolean): Uint8Array {
  const text = randomBytes((SPAN / 4) * 3).toString("base64");
  const facts = { v: 1, op: "tool:x", path: "a/tool:x", n, attempt: 0, step: n, under: null, order: { start: 0 } };
  const record = JSON.stringify({
    ...facts,
    ...(inRecord && { call: { args: "[]", result: JSON.stringify([text]) } }),
  });
  return spanOf({
    spanId: (n + 1).toString(16).padStart(16, "0"),
    parentSpanId: rootId,
    startUnixNano: BigInt(n + 2),
    attributes: {
      ...own,
      [ATTR.record]: record,
      [ATTR.recordLength]: record.length,
      ...(!inRecord && { [ATTR.inputValue]: text }),
      [ATTR.kind]: "TOOL",
    },
  });
}
const root = (): Uint8Array =>
  spanOf({
    attributes: {
      ...own,
      [ATTR.kind]: "AGENT",
      [ATTR.runStatus]: "ok",
      [ATTR.root]: JSON.stringify({ v: 1, name: "large", steps, lanes: {} }),
    },
  });

/** As a ResourceSpans of its own; requests are these one after another. */
const wrapped = (span: Uint8Array): Uint8Array => {
  const scope = new WireWriter().bytes(1, encodeScope("test", "1")).bytes(2, span);
  const resource = new WireWriter().bytes(1, encodeResource({ "service.name": "large" })).message(2, scope);
  return new WireWriter().message(1, resource).finish();
};

function post(url: string, spans: Iterable<Uint8Array>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/x-protobuf" };
    const sent = request(`${url}/v1/traces`, { method: "POST", headers }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
    });
    sent.on("error", reject);
    void (async () => {
      for (const span of spans) if (!sent.write(wrapped(span))) await new Promise((on) => void sent.once("drain", on));
      sent.end();
    })();
  });
}

test.runIf(existsSync("/proc/self/status")).each(["in one request", "in its records"])(
  `a run of ${runMb} MB, %s, takes less than ${MOST_MB} MB of the collector's memory`,
  { timeout: 600_000 },
  async (how) => {
    folder = mkdtempSync(join(tmpdir(), "collector-memory-"));
    collector = new CollectorProgram(folder, { REENACT_COLLECTOR_LIMITS_BODY_BYTES: String(1024 ** 3) });
    await collector.start();
    const { url, pid } = collector;
    const all = function* (inRecord: boolean) {
      for (let n = 0; n < steps; n++) yield step(n, inRecord);
    };
    if (how === "in one request") expect(await post(url, all(false))).toBe(200);
    else for (const each of all(true)) expect(await post(url, [each])).toBe(200);
    const received = peak(pid);
    expect(await post(url, [root()])).toBe(200);
    let sealed: Served | null = null;
    for (const end = Date.now() + 300_000; sealed === null && Date.now() < end; await sleep(200)) {
      const answer = await fetch(`${url}/api/v1/runs/${run}`);
      if (!answer.ok) continue;
      const { run: found } = (await answer.json()) as { run: Served };
      if (found.bytes > 0) sealed = found;
    }
    process.stderr.write(
      `memory: ${runMb} MB ${how}: at most ${received.toFixed(0)} MB when received, ${peak(pid).toFixed(0)} MB when sealed\n`,
    );
    expect(sealed).toMatchObject({ complete: true, steps });
    expect(sealed!.bytes).toBeGreaterThan(runMb * MB * 0.7);
    expect(peak(pid)).toBeLessThan(MOST_MB);
  },
);
