import { createServer } from "node:http";
import { encodeTraces, scanTraces } from "@reenact/envelope";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import { afterEach, beforeAll, expect, test } from "vitest";
import { recordDesk, requestOf, type RunningCollector, startCollector, until } from "./running-collector.ts";

interface Run {
  run: string;
  state: string;
  class: string;
  rule: string | null;
  status: string;
  name: string;
  complete: boolean;
  revision: number;
  tools: string[];
  flags: string[];
  llm: number;
  bytes: number;
}
interface Listed {
  runs: Run[];
  count: { value: number; exact: boolean };
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

const list = (filter = "") =>
  collector!.get<Listed>(`/api/v1/runs?filter=${encodeURIComponent(filter)}`).then(({ runs }) => runs);
/** in a pack: one that waits for it has no bytes yet */
const packed = async () => (await list("state:sealed")).filter(({ bytes }) => bytes > 0);
const sealed = () => until("a run in a pack", async () => (await packed())[0]);

/** The same spans as another run. */
function copyOf(envelope: Envelope, run: string): Uint8Array {
  const pieces = envelope.spans.map(({ span, scanned }) => {
    const attributes = { ...span.attributes, "reenact.run.id": run };
    return encodeTraces({ ...span, traceId: run, attributes }, scanned);
  });
  return Buffer.concat(pieces);
}

test("what an agent recorded is sealed, found in every way, and comes back with the same content", async () => {
  collector = await startCollector();
  await collector.send(requestOf(desk));
  const run = await sealed();
  expect(run).toMatchObject({ run: desk.id, status: "failed", class: "keep", rule: "failed", complete: true });
  expect(run).toMatchObject({ name: desk.manifest.name, llm: 4, tools: ["find_order", "refund"] });
  for (const filter of ["status:failed tool:refund", '"say it twice"', '"the till is empty"', "llm>=4 started>-1h"])
    expect(
      (await list(filter)).map((each) => each.run),
      filter,
    ).toEqual([desk.id]);
  expect(await list("status:ok")).toEqual([]);

  const response = await fetch(`${collector.address.http}/api/v1/runs/${desk.id.slice(0, 8)}/envelope`);
  const back = readEnvelope(new Uint8Array(await response.arrayBuffer()));
  expect(back.header.content).toBe(desk.header.content);
  expect(back.complete).toBe(true);
  expect(back.header.class).toBe("keep");
});

test("a run is seen while it is open, with the spans that have come", async () => {
  collector = await startCollector();
  const { root } = desk;
  const some = desk.spans.filter(({ span }) => span !== root).map(({ span, scanned }) => encodeTraces(span, scanned));
  await collector.send(Buffer.concat(some));
  const run = await until("an open run", async () => (await list("state:open"))[0]);
  expect(run).toMatchObject({ run: desk.id, llm: 4, tools: ["find_order", "refund"] });
  const spans = await fetch(`${collector.address.http}/api/v1/runs/${desk.id}/spans`);
  expect(scanTraces(new Uint8Array(await spans.arrayBuffer()))).toHaveLength(some.length);

  await collector.restart();
  await until("the open run again", async () => (await list("state:open"))[0]);
  const [last] = desk.spans.filter(({ span }) => span === root);
  await collector.send(encodeTraces(last!.span, last!.scanned));
  expect(await sealed()).toMatchObject({ run: desk.id, complete: true });
  expect(await list("state:open")).toEqual([]);
});

test("a flag moves a run to keep, and a catalog that was lost is made again from the packs, equal to the last field", async () => {
  collector = await startCollector({ retention: { sampleShare: 0 } });
  const ids = ["a", "b", "c"].map((digit) => digit.repeat(32));
  for (const id of ids) {
    const ok = copyOf(desk, id);
    await collector.send(ok);
  }
  await until("three sealed runs", async () => (await packed()).length === 3);
  const answer = await fetch(`${collector.address.http}/api/v1/runs/${ids[0]}/flag`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ reason: "wrong row" }),
  });
  expect(answer.status).toBe(200);
  // where the run's owner is another process, it has the flag a moment later
  const before = await until("the flag", async () => {
    const rows = await list();
    return rows.find(({ run }) => run === ids[0])?.flags.includes("wrong row") && rows;
  });
  const text = await list('"the till is empty"');

  await collector.restart();
  expect(await list()).toEqual(before);
  await collector.restart(collector.setUp.loseCatalog);
  expect(await list()).toEqual(before);
  expect(await list('"the till is empty"')).toEqual(text);
  expect(collector.lines.findLast(({ event }) => event === "catalog.rebuilt")).toMatchObject({ unreadable: 0 });
});

test("a destination that is away over a restart gets every span when it is back; meanwhile runs are sealed and found", async () => {
  let up = false;
  const got: string[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      if (up) got.push(...scanTraces(Buffer.concat(pieces)).map(({ spanId }) => spanId));
      response.writeHead(up ? 200 : 503, { "retry-after": "0" }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  try {
    collector = await startCollector({ forward: [{ name: "away", url: `http://127.0.0.1:${port}/v1/traces` }] });
    await collector.send(requestOf(desk));
    await sealed();
    const lag = async () => {
      const text = await (await fetch(`${collector!.address.http}/metrics`)).text();
      return Number(/^reenact_forward_behind_bytes\{destination="away"\} (.+)$/m.exec(text)?.[1]);
    };
    expect(await lag()).toBeGreaterThan(collector.setUp.holdsBack ? requestOf(desk).length / 2 : -1);
    await collector.restart();
    expect(got).toEqual([]);
    up = true;
    await until("all spans", async () => got.length >= desk.spans.length);
    expect(new Set(got)).toEqual(new Set(desk.spans.map(({ span }) => span.spanId)));
    await until("no lag", async () => (await lag()) === 0);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("metrics, health and the handshake speak of what happened", async () => {
  collector = await startCollector();
  const { http } = collector.address;
  await collector.send(requestOf(desk));
  await sealed();
  const read = async (): Promise<string> => (await fetch(`${http}/metrics`)).text();
  // a run is to be found before it is counted
  await expect.poll(read, { timeout: 10_000 }).toContain("reenact_sealed_runs_total 1\n");
  const metrics = await read();
  expect(metrics).toContain(`reenact_received_spans_total ${desk.spans.length}\n`);
  expect(metrics).toMatch(/^reenact_up\{version="[^"]+"\} 1$/m);
  for (const line of metrics.trimEnd().split("\n"))
    expect(line).toMatch(/^(# (HELP|TYPE) |[a-z_]+(\{[^}]*\})? -?[0-9.e+]+$)/);
  expect((await fetch(`${http}/readyz`)).status).toBe(200);
  expect(await collector.get("/v1/reenact")).toMatchObject({ reenact: 1, authentication: "none" });
  const document = await collector.get<{ openapi: string }>("/api/v1/openapi.json");
  expect(document.openapi).toBe("3.1.0");
  const page = await fetch(`${http}/api/v1/runs`, { headers: { origin: "https://evil.example" } });
  expect([page.status, await page.json()]).toMatchObject([403, { error: { code: "BAD_CALLER" } }]);
});
