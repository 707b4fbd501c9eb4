import { Client, compressionAlgorithms, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import { tmpdir } from "node:os";
import { decodeSpan, scanTraces, WireWriter } from "@reenact/envelope";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-grpc";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterEach, describe, expect, test } from "vitest";
import { JournalError } from "../journal/journal-error.ts";
import { createKeys } from "./keys.ts";
import { otlpMessage } from "./otlp-schema.test.fixture.ts";
import { newKey, requestOf, startReceiver, type TestReceiver, traceBytes } from "./receiver.test.fixture.ts";
import { type GrpcListening, listenGrpc } from "./grpc-server.ts";

let running: TestReceiver | null = null;
let listening: GrpcListening | null = null;
const clients: Client[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await listening?.close(500);
  await running?.stop().catch(() => undefined);
  running = null;
  listening = null;
});

async function start(options: Parameters<typeof startReceiver>[0] = {}, compression = false) {
  running = await startReceiver(options);
  const bodyBytes = options.bodyBytes ?? 64 * 2 ** 20;
  listening = await listenGrpc({ host: "127.0.0.1", port: 0, bodyBytes, folder: tmpdir() }, running.receiver);
  const client = new Client(`127.0.0.1:${listening.port}`, credentials.createInsecure(), {
    "grpc.default_compression_algorithm": compression ? compressionAlgorithms.gzip : compressionAlgorithms.identity,
    "grpc.max_send_message_length": -1,
  });
  clients.push(client);
  return (body: Uint8Array, metadata = new Metadata()) =>
    new Promise<Buffer>((resolve, reject) => {
      client.makeUnaryRequest(
        "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
        (value: Uint8Array) => Buffer.from(value),
        (value: Buffer) => value,
        body,
        metadata,
        (error, value) => (error ? reject(error) : resolve(value!)),
      );
    });
}

async function kept(): Promise<Buffer[]> {
  const entries = await running!.stop();
  running = null;
  return entries.map(({ body }) => Buffer.from(body));
}

test.each([false, true])("what comes is on disk as it came (gzip: %s)", async (gzip) => {
  const send = await start({}, gzip);
  const bodies = [10, 100_000, 6_000_000, 30_000_000].map((size) => traceBytes(size));
  for (const body of bodies) expect(await send(body)).toHaveLength(0);
  const stored = await kept();
  expect(stored.map((body, at) => body.equals(bodies[at]!))).toEqual([true, true, true, true]);
});

test("from the real exporter, with gzip", async () => {
  await start();
  const exporter = new OTLPTraceExporter({ url: `http://127.0.0.1:${listening!.port}`, compression: "gzip" as never });
  const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
  for (let at = 0; at < 5; at++) provider.getTracer("t").startSpan(`span ${at}`).end();
  await provider.forceFlush();
  await provider.shutdown();
  const names = (await kept()).flatMap((body) => scanTraces(body).map(({ span }) => decodeSpan(span).name));
  expect(names).toEqual(["span 0", "span 1", "span 2", "span 3", "span 4"]);
});

test("a bad span is refused alone", async () => {
  const send = await start();
  const bad = new WireWriter().bytes(1, Buffer.alloc(16)).bytes(2, Buffer.alloc(8, 3));
  const type = otlpMessage("ExportTraceServiceResponse");
  const answer = type.toObject(type.decode(await send(requestOf([bad]).finish())), { longs: Number });
  expect(answer).toMatchObject({ partialSuccess: { rejectedSpans: 1 } });
  expect(await kept()).toEqual([]);
});

describe("refused", () => {
  const fails = async (sent: Promise<unknown>) => {
    const error = (await sent.then(
      () => ({ code: 0 }),
      (error: unknown) => error,
    )) as ServiceError;
    const [details] = error.metadata?.get("grpc-status-details-bin") ?? [];
    if (details === undefined) return { code: error.code, retry: null };
    const rpc = otlpMessage("RpcStatus");
    const { code, details: list } = rpc.toObject(rpc.decode(details as Buffer)) as {
      code: number;
      details: { type_url?: string; typeUrl: string; value: Uint8Array }[];
    };
    expect(code).toBe(error.code);
    expect(list[0]!.typeUrl).toBe("type.googleapis.com/google.rpc.RetryInfo");
    const info = otlpMessage("RetryInfo");
    const { retryDelay } = info.toObject(info.decode(list[0]!.value), { longs: Number }) as {
      retryDelay: { seconds: number };
    };
    return { code: error.code, retry: retryDelay.seconds };
  };

  test("no OTLP: INVALID_ARGUMENT; too large: RESOURCE_EXHAUSTED without RetryInfo", async () => {
    const send = await start({ bodyBytes: 100_000 });
    expect(await fails(send(Buffer.from("hello")))).toEqual({ code: 3, retry: null });
    expect(await fails(send(traceBytes(200_000)))).toEqual({ code: 8, retry: null });
  });

  test("too large when inflated", async () => {
    const send = await start({ bodyBytes: 100_000 }, true);
    expect(await fails(send(traceBytes(2_000_000)))).toEqual({ code: 8, retry: null });
  });

  test("a disk that is full: UNAVAILABLE with RetryInfo", async () => {
    const full = new JournalError("NO_SPACE", "full");
    const send = await start({ wrap: () => ({ append: () => Promise.reject(full) }) });
    expect(await fails(send(traceBytes(10)))).toEqual({ code: 14, retry: 1 });
  });

  test("keys: UNAUTHENTICATED, PERMISSION_DENIED, and in", async () => {
    const [ingest, read] = [newKey(), newKey()];
    const keys = createKeys({
      keys: [
        { name: "i", sha256: ingest.sha256, scopes: ["ingest"], tenant: "acme" },
        { name: "r", sha256: read.sha256, scopes: ["read"], tenant: "acme" },
      ],
    });
    const send = await start({ keys });
    const withKey = (key: string) => {
      const metadata = new Metadata();
      metadata.set("authorization", `Bearer ${key}`);
      return send(traceBytes(10), metadata);
    };
    expect(await fails(send(traceBytes(10)))).toMatchObject({ code: 16 });
    expect(await fails(withKey(read.key))).toMatchObject({ code: 7 });
    await withKey(ingest.key);
    expect(running!.receiver.counts()).toMatchObject({ requests: 3, refused: { unauthenticated: 1, forbidden: 1 } });
    expect(await kept()).toHaveLength(1);
  });
});
