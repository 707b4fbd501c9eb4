import { hash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { encodeResource, encodeScope, encodeTraces, plainSpan } from "@reenact/envelope";
import type { Envelope } from "@reenact/envelope/file";
import { afterEach, beforeAll, expect, test } from "vitest";
import { recordDesk, type RunningCollector, startCollector, until } from "./running-collector.ts";

interface Part {
  name: string;
  digest: string;
  bytes: number;
  type: string;
}
interface Step {
  id: string;
  n: number;
  kind: string;
  name: string;
  parent: string | null;
  status: string;
  parts: Part[];
}

let desk: Envelope;
beforeAll(async () => {
  desk = await recordDesk();
});

let collector: RunningCollector | null = null;
afterEach(async () => {
  await collector?.stop();
  collector = null;
});

const api = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${collector!.address.http}/api/v1${path}`, { method, headers });
const stepsOf = async (run: string) => (await collector!.get<{ steps: Step[] }>(`/api/v1/runs/${run}/tree`)).steps;
const sealed = (run: string) =>
  until("the run in a pack", async () => {
    const found = await collector!.get<{ runs: { run: string; bytes: number }[] }>("/api/v1/runs?filter=state:sealed");
    return found.runs.some((each) => each.run === run && each.bytes > 0);
  });
const sha256 = (bytes: Uint8Array) => hash("sha256", bytes);

/** One span of another instrumentation, as a request. */
function foreignSpan(run: string, spanId: string, attributes: Record<string, unknown>, more = {}): Uint8Array {
  const origin = { resource: encodeResource({}), scope: encodeScope("x"), resourceSchemaUrl: "", scopeSchemaUrl: "" };
  const now = BigInt(Date.now()) * 1_000_000n;
  const times = { startUnixNano: now, endUnixNano: now + 1_000_000n };
  return encodeTraces(plainSpan({ traceId: run, spanId, name: "call", attributes, ...times, ...more }), origin);
}

test("a run is read step by step and part by part, the same while it is open and when it is sealed", async () => {
  collector = await startCollector();
  const { root } = desk;
  const late = desk.spans.filter(({ span }) => span === root).map(({ span, scanned }) => encodeTraces(span, scanned));
  const begun = desk.spans.filter(({ span }) => span !== root).map(({ span, scanned }) => encodeTraces(span, scanned));
  await collector.send(Buffer.concat(begun));
  const open = await until("its open steps", async () => {
    const answer = await api(`/runs/${desk.id}/tree`);
    return answer.status === 200 ? ((await answer.json()) as { run: { state: string }; steps: Step[] }) : null;
  });
  expect(open.run.state).toBe("open");
  expect(open.steps).toHaveLength(desk.spans.length - 1);
  const partOf = async (step: Step, part: Part) => {
    const answer = await api(`/runs/${desk.id}/steps/${step.id}/parts/${part.digest}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, part.type]);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-security-policy")).toContain("sandbox");
    return sha256(new Uint8Array(await answer.arrayBuffer()));
  };
  const llm = open.steps.find(({ kind }) => kind === "LLM")!;
  for (const part of llm.parts) expect(await partOf(llm, part)).toBe(part.digest);

  await collector.send(Buffer.concat(late));
  await sealed(desk.id);
  const steps = await stepsOf(desk.id);
  expect(steps).toHaveLength(desk.spans.length);
  for (const step of steps) {
    const before = open.steps.find(({ id }) => id === step.id);
    if (before) expect(step.parts).toEqual(before.parts);
    const { step: detail } = await collector.get<{ step: Step }>(`/api/v1/runs/${desk.id}/steps/${step.n}`);
    for (const part of detail.parts) expect(await partOf(step, part), `${step.name} ${part.name}`).toBe(part.digest);
  }
  const read = collector.lines.filter(
    ({ event, what }) => event === "api.payload-read" && String(what).startsWith("part"),
  );
  expect(read.length).toBeGreaterThan(0);
});

test("a part is served in ranges, under its tag, and never as something that a browser runs", async () => {
  collector = await startCollector();
  const run = "c".repeat(32);
  const html = `<script>alert(1)</script>${"é".repeat(300_000)}`;
  await collector.send(foreignSpan(run, "1".repeat(16), { "output.value": html, "output.mime_type": "text/html" }));
  const [step] = await until("its step", async () => {
    const answer = await api(`/runs/${run}/tree`);
    return answer.status === 200 ? ((await answer.json()) as { steps: Step[] }).steps : null;
  });
  const part = step!.parts.find(({ name }) => name === "output")!;
  const bytes = Buffer.from(html);
  expect(part).toMatchObject({ bytes: bytes.length, type: "text/plain; charset=utf-8", digest: sha256(bytes) });
  const path = `/runs/${run}/steps/${step!.id}/parts/${part.digest}`;
  for (const [range, from, to] of [
    ["bytes=0-9", 0, 10],
    [`bytes=${bytes.length - 5}-`, bytes.length - 5, bytes.length],
    ["bytes=-3", bytes.length - 3, bytes.length],
    ["bytes=25-400000", 25, 400_001],
  ] as const) {
    const answer = await api(path, { range });
    expect([answer.status, answer.headers.get("content-range")]).toEqual([
      206,
      `bytes ${from}-${to - 1}/${bytes.length}`,
    ]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(from, to)), range).toBe(true);
  }
  const beyond = await api(path, { range: `bytes=${bytes.length}-` });
  expect(beyond.status).toBe(416);
  const etag = (await api(path)).headers.get("etag")!;
  expect((await api(path, { "if-none-match": etag })).status).toBe(304);
  expect((await api(path, { range: "bytes=0-1", "if-range": '"other"' })).status).toBe(200);
  for (const [wrong, code] of [
    [`/runs/${run}/steps/${step!.id}/parts/${"0".repeat(64)}`, "NO_PART"],
    [`/runs/${run}/steps/${step!.id}/parts/zz`, "NO_PART"],
    [`/runs/${run}/steps/77`, "NO_STEP"],
    [`/runs/${"d".repeat(32)}/tree`, "NOT_FOUND"],
  ]) {
    const answer = await api(wrong!);
    expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([404, code]);
  }
});

test("the page that the collector gives out and configured origins may ask, others may not", async () => {
  collector = await startCollector({ listen: { port: 0, origins: ["https://ui.example"] } });
  const own = collector.address.http;
  expect((await api("/runs", { origin: own })).status).toBe(200);
  const allowed = await api("/whoami", { origin: "https://ui.example" });
  expect(allowed.headers.get("access-control-allow-origin")).toBe("https://ui.example");
  expect(allowed.headers.get("vary")).toContain("Origin");
  const preflight = { origin: "https://ui.example", "access-control-request-method": "GET" };
  const before = await api("/runs", preflight, "OPTIONS");
  expect([before.status, before.headers.get("access-control-allow-headers")]).toEqual([
    204,
    expect.stringContaining("authorization"),
  ]);
  for (const origin of ["https://evil.example", "null", own.replace(/:\d+$/, ":1")])
    for (const method of ["GET", "OPTIONS"]) {
      const answer = await api("/runs", { ...preflight, origin }, method);
      expect([answer.status, answer.headers.get("access-control-allow-origin")], origin).toEqual([403, null]);
    }
  expect((await api("/runs")).headers.get("cross-origin-resource-policy")).toBe("same-origin");
});

test("whoami says what a key may do; without the read scope no payload is given", async () => {
  const keys = ["reader", "sender"].map((name) => ({
    name,
    sha256: sha256(Buffer.from(`rk_${name}`)),
    scopes: [name === "reader" ? "read" : "ingest"],
    tenant: "acme",
  }));
  const file = join(process.env["TMPDIR"] ?? "/tmp", `reenact-keys-${process.pid}.json`);
  writeFileSync(file, JSON.stringify({ keys }));
  collector = await startCollector({ keys: file });
  const as = (name: string) => ({ authorization: `Bearer rk_${name}` });
  const who = (await (await api("/whoami", as("sender"))).json()) as Record<string, unknown>;
  expect(who).toMatchObject({ key: "sender", project: "acme", scopes: ["ingest"] });
  expect(who["capabilities"]).toContain("getTree");
  expect((await api("/whoami", as("nobody"))).status).toBe(401);
  for (const path of [
    "/runs",
    "/runs/abcd",
    "/runs/abcd/tree",
    "/runs/abcd/steps/1",
    `/runs/abcd/steps/1/parts/${"0".repeat(64)}`,
  ]) {
    expect((await api(path, as("sender"))).status, path).toBe(403);
    expect((await api(path)).status, path).toBe(401);
    expect([200, 404], path).toContain((await api(path, as("reader"))).status);
  }
});

test("destinations tell how far behind they are; what they did not take is sent again or dropped", async () => {
  let answer = 400;
  let taken = 0;
  const destination = createServer((request, response) => {
    request.resume().on("end", () => {
      if (answer === 200) taken++;
      response.writeHead(answer, { "content-type": "application/x-protobuf" }).end();
    });
  });
  await new Promise<void>((resolve) => destination.listen(0, "127.0.0.1", resolve));
  const { port } = destination.address() as AddressInfo;
  try {
    collector = await startCollector({ forward: [{ name: "there", url: `http://127.0.0.1:${port}/v1/traces` }] });
    await collector.send(foreignSpan("e".repeat(32), "1".repeat(16), {}));
    const stateOf = async () => {
      interface State {
        name: string;
        deadLetters: { letters: number; bytes: number };
      }
      return (await collector!.get<{ destinations: State[] }>("/api/v1/destinations")).destinations[0]!;
    };
    await until("a dead letter", async () => (await stateOf()).deadLetters.letters === 1);
    interface Letters {
      all: number;
      letters: { at: number; file: string; spans: number; bytes: number; reason: string }[];
    }
    const letters = () => collector!.get<Letters>("/api/v1/destinations/there/dead-letters");
    const { deadLetters } = await stateOf();
    expect(await letters()).toMatchObject({
      all: 1,
      letters: [{ spans: 1, bytes: deadLetters.bytes, reason: expect.stringContaining("400") as string }],
    });
    const post = async (what: string, name = "there") => {
      const address = `${collector!.address.http}/api/v1/destinations/${name}/dead-letters/${what}`;
      const headers = { "content-type": "application/json" };
      const response = await fetch(address, { method: "POST", headers, body: "{}" });
      return (await response.json()) as Record<string, unknown>;
    };
    expect(await post("retry")).toMatchObject({ gone: 0, left: 1, why: expect.stringContaining("400") as string });
    answer = 200;
    expect(await post("retry")).toMatchObject({ gone: 1, left: 0, why: null });
    expect(taken).toBe(1);
    expect(await letters()).toMatchObject({ all: 0, letters: [] });
    expect(await post("retry")).toMatchObject({ gone: 0, left: 0 });
    expect(await post("retry", "nowhere")).toMatchObject({ error: { code: "NO_DESTINATION" } });

    answer = 400;
    await collector.send(foreignSpan("f".repeat(32), "2".repeat(16), {}));
    await until("another dead letter", async () => (await stateOf()).deadLetters.letters === 1);
    expect(await post("drop")).toMatchObject({ gone: 1, left: 0 });
    expect((await stateOf()).deadLetters).toEqual({ letters: 0, bytes: 0 });
    const system = await collector.get<{ journal: { bytes: number }; unready: string[] }>("/api/v1/system");
    expect(system.journal.bytes).toBeGreaterThan(0);
    expect(system.unready).toEqual([]);
  } finally {
    destination.closeAllConnections();
    destination.close();
  }
});
