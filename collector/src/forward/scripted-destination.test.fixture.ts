import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { type ScannedSpan, scanTraces } from "@reenact/envelope";

export interface ScriptedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}
export interface SeenRequest {
  readonly headers: IncomingMessage["headers"];
  /** inflated */
  readonly body: Buffer;
  readonly spans: readonly ScannedSpan[];
}

/** An OTLP/HTTP server on loopback that does what it is told, and holds the span ids that it said 200 to. */
export async function startDestination(
  script: (request: SeenRequest, number: number) => ScriptedAnswer | Promise<ScriptedAnswer>,
) {
  const requests: SeenRequest[] = [];
  const taken: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const raw = Buffer.concat(chunks);
      const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw;
      const seen = { headers: request.headers, body, spans: scanTraces(body) };
      requests.push(seen);
      void (async () => {
        const answer = await script(seen, requests.length);
        if (answer.status === 200) taken.push(...seen.spans.map(({ spanId }) => spanId));
        response.writeHead(answer.status, answer.headers);
        response.end(answer.body);
      })();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/traces`,
    requests,
    taken,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
