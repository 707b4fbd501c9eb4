import { once } from "node:events";
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from "node:http2";

const PATH = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";

/** A call whose bytes the test writes itself. */
export function rawCall(session: ClientHttp2Session, headers: Record<string, string> = {}): ClientHttp2Stream {
  const stream = session.request({
    ":method": "POST",
    ":path": PATH,
    "content-type": "application/grpc",
    te: "trailers",
    ...headers,
  });
  stream.on("error", () => {});
  return stream;
}

/** What stands before a message. */
export function grpcPrefix(length: number, flag = 0): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flag;
  prefix.writeUInt32BE(length, 1);
  return prefix;
}

export interface RawAnswer {
  readonly http: number;
  /** NaN: none came */
  readonly grpc: number;
  readonly headers: IncomingHttpHeaders;
}

export async function rawAnswer(stream: ClientHttp2Stream): Promise<RawAnswer> {
  let headers: IncomingHttpHeaders = {};
  stream.on("response", (head) => (headers = { ...headers, ...head }));
  stream.on("trailers", (trailers) => (headers = { ...headers, ...trailers }));
  stream.resume();
  if (!stream.closed) await once(stream, "close");
  return { http: Number(headers[":status"]), grpc: Number(headers["grpc-status"] ?? NaN), headers };
}
