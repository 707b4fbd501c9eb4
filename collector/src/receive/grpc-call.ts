import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { BadBody, type BodyEncoding } from "./body-encoding.ts";
import { giveBack } from "./give-back.ts";
import type { MessageReader } from "./grpc-message.ts";
import { GRPC_ENCODINGS, grpcTimeout, refusalTrailers } from "./grpc-status.ts";
import { isRefusal } from "./ingest-door.ts";
import type { Identity } from "./keys.ts";
import { encodeResponse } from "./otlp-answer.ts";
import type { Receiver } from "./receiver.ts";
import { type Outcome, type Refusal, refused } from "./status.ts";

const EXPORT = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
const PREFIX = 5;

/** Timers hold no longer than this. */
const LONGEST = 2 ** 31 - 1;

/** Answers one call: name, key, quota and declared size first, then its message. Never rejects. */
export function createGrpcCall(receiver: Receiver, messages: MessageReader) {
  const { door } = receiver;

  /** Everything that can be said before a byte of the message. */
  function ask(headers: IncomingHttpHeaders, path: string | undefined): Asked | Refusal {
    const identity = door.know(headers);
    if (isRefusal(identity)) return identity;
    if (path !== EXPORT) return refused("notFound", "only TraceService/Export is offered");
    const name = headers["grpc-encoding"];
    const encoding = grpcEncoding(typeof name === "string" ? name : undefined);
    if (encoding === null) return refused("unsupported", `grpc-encoding must be one of ${GRPC_ENCODINGS}`);
    const timeout = headers["grpc-timeout"];
    const deadline = timeout === undefined ? LONGEST : grpcTimeout(String(timeout));
    if (deadline === null) return refused("badFrame", "grpc-timeout is of no form that gRPC has");
    return door.admit(identity) ?? { identity, encoding, deadline };
  }

  async function take(
    stream: ServerHttp2Stream,
    { identity, encoding }: Asked,
    stop: AbortSignal,
  ): Promise<Outcome | null> {
    const account = (bytes: number) => {
      receiver.pending.add(identity.tenant, bytes);
      if (bytes > 0) door.charge(identity, bytes);
    };
    const message = await messages.read(stream, account, stop);
    if (message.is === "gone") return null;
    if (message.is === "refused") return message;
    const { bytes, compressed, release } = message;
    try {
      if (!compressed) return await receiver.intake.take(identity.tenant, [bytes]);
      if (encoding === "identity")
        return refused("badFrame", "a message is packed, and grpc-encoding says with nothing");
      return await receiver.unpackAndTake(identity.tenant, { bytes, encoding, type: "protobuf" });
    } catch (error) {
      if (error instanceof BadBody) return refused(error.status, error.message);
      return refused("unavailable", "cannot be unpacked now");
    } finally {
      release();
      giveBack(bytes);
    }
  }

  return async function handle(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const { ":method": method, ":path": path, ":authority": host, "content-type": type } = headers;
    // what is no gRPC at all is answered in plain HTTP, as gRPC asks for
    if (!/^application\/grpc(\+proto)?($|[ ;])/i.test(type ?? "")) return plain(stream, 415);
    if (method !== "POST") return plain(stream, 405);
    const asked = ask({ ...headers, host: headers.host ?? String(host ?? "") }, String(path));
    if ("is" in asked) return answer(stream, asked);
    const stop = new AbortController();
    const deadline = asked.deadline >= LONGEST ? null : setTimeout(() => stop.abort(), asked.deadline);
    const late = new Promise<Outcome>((resolve) => {
      stop.signal.addEventListener("abort", () => resolve(refused("tooSlow", "the deadline of the call is over")));
    });
    try {
      const outcome = await Promise.race([take(stream, asked, stop.signal), late]);
      if (outcome !== null) answer(stream, outcome);
    } finally {
      if (deadline !== null) clearTimeout(deadline);
    }
  };

  function answer(stream: ServerHttp2Stream, outcome: Outcome): void {
    receiver.count(outcome);
    if (stream.destroyed || stream.closed || stream.headersSent) return;
    const head = { ":status": 200, "content-type": "application/grpc" };
    if (outcome.is === "refused") {
      stream.respond({ ...head, ...refusalTrailers(outcome) }, { endStream: true });
      return letGo(stream);
    }
    const body = encodeResponse(outcome, "protobuf");
    const frame = Buffer.alloc(PREFIX + body.length);
    frame.writeUInt32BE(body.length, 1);
    frame.set(body, PREFIX);
    stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.respond({ ...head, "grpc-accept-encoding": GRPC_ENCODINGS }, { waitForTrailers: true });
    stream.end(frame);
  }
}

interface Asked {
  readonly identity: Identity;
  readonly encoding: BodyEncoding;
  /** milliseconds */
  readonly deadline: number;
}

/** null: one that is not offered. */
function grpcEncoding(header: string | undefined): BodyEncoding | null {
  const name = header ?? "identity";
  return name === "identity" || name === "gzip" || name === "deflate" ? name : null;
}

function plain(stream: ServerHttp2Stream, status: number): void {
  if (stream.destroyed || stream.headersSent) return;
  stream.respond({ ":status": status, "content-type": "text/plain" });
  stream.end("this port speaks gRPC\n");
  letGo(stream);
}

/** The answer is on its way; of what the caller still sends nothing is read, and it is told so. */
function letGo(stream: ServerHttp2Stream): void {
  if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
}
