import type { OutgoingHttpHeaders } from "node:http2";
import { encodeRetryStatus } from "./otlp-answer.ts";
import { type Refusal, STATUS } from "./status.ts";

/** The compressions that a message may have. */
export const GRPC_ENCODINGS = "identity,gzip,deflate";

/** A refusal as the trailers of a gRPC answer. */
export function refusalTrailers(refusal: Refusal): OutgoingHttpHeaders {
  const { grpc, retry } = STATUS[refusal.status];
  return {
    "grpc-status": String(grpc),
    "grpc-message": grpcMessage(refusal.message),
    ...(retry && { "grpc-status-details-bin": Buffer.from(encodeRetryStatus(refusal)).toString("base64") }),
    ...(refusal.status === "unsupported" && { "grpc-accept-encoding": GRPC_ENCODINGS }),
  };
}

/** Printable ASCII stays, but for `%`; the rest of its UTF-8 is percent-encoded. */
function grpcMessage(text: string): string {
  return text.toWellFormed().replaceAll(/[^\x20-\x24\x26-\x7e]/gu, encodeURIComponent);
}

/** Milliseconds. */
const UNITS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };

/** The value of the header `grpc-timeout`, milliseconds; null: malformed. */
export function grpcTimeout(header: string): number | null {
  const parts = /^([0-9]{1,8})([HMSmun])$/.exec(header);
  return parts === null ? null : Number(parts[1]) * UNITS[parts[2]!]!;
}
