import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { decodeSpan, type OtlpSpan, type ScannedSpan, scanTraces } from "@reenact/envelope";

export interface GotRequest {
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  /** inflated */
  readonly body: Buffer;
  readonly spans: readonly ScannedSpan[];
}

export interface ScriptedReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

export interface OtlpReceiver {
  readonly url: string;
  /** every POST, as it came */
  readonly requests: GotRequest[];
  /** every path that was asked for */
  readonly paths: string[];
  /** spans of the requests that it said 200 to */
  taken(): OtlpSpan[];
  stop(): Promise<void>;
}

const OK: ScriptedReply = { status: 200 };
const FACTS = { reenact: 1, version: "test", authorized: true, maxBodyBytes: 1 << 26 };

/**
 * An OTLP receiver on loopback that answers as it is told, at first with 200. `facts`: what it says at a handshake;
 * null: it knows of none. A reply that never comes: `null`.
 */
export async function startReceiver(
  reply: (request: GotRequest, number: number) => ScriptedReply | null = () => OK,
  facts: Record<string, unknown> | null = FACTS,
): Promise<OtlpReceiver> {
  const requests: GotRequest[] = [];
  const paths: string[] = [];
  const taken: ScannedSpan[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      paths.push(`${request.method} ${request.url}`);
      if (request.method === "GET") {
        const page = facts === null ? "<html>hello</html>" : JSON.stringify({ ...FACTS, ...facts });
        response.writeHead(200, { "content-type": facts === null ? "text/html" : "application/json" }).end(page);
        return;
      }
      const raw = Buffer.concat(pieces);
      const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw;
      const got = { headers: request.headers, path: String(request.url), body, spans: scanTraces(body) };
      requests.push(got);
      const answer = reply(got, requests.length);
      if (answer === null) return;
      if (answer.status === 200) taken.push(...got.spans);
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    paths,
    taken: () => taken.map(({ span }) => decodeSpan(span)),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
