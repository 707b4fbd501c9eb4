import { WireWriter } from "@reenact/envelope";
import type { Outcome, Refusal } from "./status.ts";
import { RETRY_AFTER_S, STATUS } from "./status.ts";

/** Either way an OTLP body may be written. */
export type OtlpEncoding = "protobuf" | "json";

export const CONTENT_TYPE: Record<OtlpEncoding, string> = {
  protobuf: "application/x-protobuf",
  json: "application/json",
};

/** An ExportTraceServiceResponse; `partial_success` is left out where every span was kept. */
export function encodeResponse(outcome: Extract<Outcome, { is: "accepted" }>, encoding: OtlpEncoding): Uint8Array {
  const { rejected, message } = outcome;
  if (encoding === "json") {
    const body = rejected === 0 ? {} : { partialSuccess: { rejectedSpans: String(rejected), errorMessage: message } };
    return Buffer.from(JSON.stringify(body));
  }
  const writer = new WireWriter();
  if (rejected > 0) writer.message(1, new WireWriter().varint(1, rejected).string(2, message));
  return writer.finish();
}

/** A google.rpc.Status, without the detail that gRPC adds. */
export function encodeStatus(outcome: Refusal, encoding: OtlpEncoding): Uint8Array {
  const code = STATUS[outcome.status].grpc;
  if (encoding === "json") return Buffer.from(JSON.stringify({ code, message: outcome.message }));
  return new WireWriter().varint(1, code).string(2, outcome.message).finish();
}

/** A google.rpc.Status with a RetryInfo: what a gRPC sender waits by. */
export function encodeRetryStatus(outcome: Refusal): Uint8Array {
  const delay = new WireWriter().message(1, new WireWriter().varint(1, outcome.retryAfter ?? RETRY_AFTER_S)).finish();
  const detail = new WireWriter().string(1, "type.googleapis.com/google.rpc.RetryInfo").bytes(2, delay);
  const status = new WireWriter().varint(1, STATUS[outcome.status].grpc).string(2, outcome.message);
  return status.message(3, detail).finish();
}
