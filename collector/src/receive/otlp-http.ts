import type { IncomingMessage, ServerResponse } from "node:http";
import { BadBody, type BodyEncoding, bodyEncoding } from "./body-encoding.ts";
import type { Intake } from "./intake.ts";
import { type IngestDoor, isRefusal } from "./ingest-door.ts";
import type { Identity } from "./keys.ts";
import { CONTENT_TYPE, encodeResponse, encodeStatus, type OtlpEncoding } from "./otlp-answer.ts";
import type { PendingBytes } from "./pending-bytes.ts";
import type { BodyFiles } from "./body-file.ts";
import { checkTraces, MalformedTraces } from "./check-traces.ts";
import { giveBack } from "./give-back.ts";
import { type BodyReader, tooLong } from "./read-body.ts";
import { splitBody } from "./split-body.ts";
import { type Outcome, type Refusal, refused, RETRY_AFTER_S, STATUS } from "./status.ts";
import type { UnpackAndTake } from "./unpack-and-take.ts";

export interface OtlpHttpParts {
  door: IngestDoor;
  intake: Intake;
  pending: PendingBytes;
  bodies: BodyReader;
  unpackAndTake: UnpackAndTake;
  /** null: there is none, and all bodies are held in memory */
  files: BodyFiles | null;
  /** of a body that is held in memory, as it comes and unpacked */
  memoryBytes: number;
  /** bytes of a body, as it comes and unpacked */
  bodyBytes: number;
  count(outcome: Outcome): void;
}

interface Asked {
  identity: Identity;
  tenant: string;
  type: OtlpEncoding;
  encoding: BodyEncoding;
}

/** A rest of a body that is shorter is read and dropped; a longer one ends the connection. */
const DISCARD_BYTES = 2 ** 20;
const DISCARD_MS = 2000;
/** of one body, on their way to the disk */
const PIECES_AT_ONCE = 4;

/** Answers `POST /v1/traces`. Never rejects. */
export function createOtlpHttp(parts: OtlpHttpParts) {
  const { door, intake, pending, bodies, unpackAndTake, files, memoryBytes, bodyBytes, count } = parts;

  /** Everything that can be said before the body. */
  function ask(request: IncomingMessage): Asked | Refusal {
    const { headers } = request;
    const identity = door.know(headers);
    if (isRefusal(identity)) return identity;
    if (request.method !== "POST") return refused("methodNotAllowed", "POST only");
    const type = otlpEncoding(headers["content-type"]);
    if (type === null) return refused("unsupported", "content type must be application/x-protobuf or application/json");
    const encoding = bodyEncoding(headers["content-encoding"]);
    if (encoding === null) return refused("unsupported", "content encoding must be gzip, zstd or identity");
    // JSON is read as a whole
    const most = type === "json" ? memoryBytes : bodyBytes;
    if (Number(headers["content-length"] ?? 0) > most) return refused("tooLarge", tooLong(most));
    return door.admit(identity) ?? { identity, tenant: identity.tenant, type, encoding };
  }

  const mayBeLong = (type: OtlpEncoding): boolean => files !== null && type === "protobuf";

  /** "long": it has more when inflated than may be in memory. */
  async function take(
    { tenant, type, encoding }: Asked,
    pieces: Uint8Array[],
    length: number,
  ): Promise<Outcome | "long"> {
    if (type === "protobuf" && encoding === "identity") return intake.take(tenant, pieces);
    try {
      // what may be asked for again is not moved away
      const bytes = pieces.length === 1 && !mayBeLong(type) ? pieces[0]! : Buffer.concat(pieces, length);
      return await unpackAndTake(tenant, { bytes, encoding, type });
    } catch (error) {
      if (!(error instanceof BadBody)) return refused("unavailable", "cannot be unpacked now");
      return error.status === "tooLarge" && mayBeLong(type) ? "long" : refused(error.status, error.message);
    }
  }

  /** First all of it is looked at: what is malformed leaves no trace. */
  async function takeLong(
    { tenant, encoding }: Asked,
    request: IncomingMessage,
    begun: readonly Uint8Array[],
  ): Promise<Outcome | null> {
    const body = await files!.write(request, begun, encoding);
    if (body.is === "gone") return null;
    if (body.is === "refused") return body;
    try {
      const { fd } = body.file;
      for (const piece of splitBody(fd, body.length)) {
        checkTraces(piece);
        await turn();
      }
      const done: Outcome[] = [];
      const underWay: Promise<Outcome>[] = [];
      for (const piece of splitBody(fd, body.length)) {
        underWay.push(intake.take(tenant, [piece]));
        if (underWay.length === PIECES_AT_ONCE) done.push(await underWay.shift()!);
        if (done.at(-1)?.is === "refused") break;
      }
      done.push(...(await Promise.all(underWay)));
      return together(done);
    } catch (error) {
      if (error instanceof MalformedTraces) return refused("malformed", `no OTLP traces: ${error.message}`);
      return refused("unavailable", "cannot be read back now");
    } finally {
      await body.remove();
    }
  }

  return async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = ask(request);
    if ("is" in asked) {
      answer(request, response, asked, otlpEncoding(request.headers["content-type"]) ?? "json", count);
      return;
    }
    await handleAsked(request, response, asked);
  };

  async function handleAsked(request: IncomingMessage, response: ServerResponse, asked: Asked): Promise<void> {
    const { socket } = request;
    const before = socket.bytesRead;
    const body = await bodies.read(request, asked.tenant, mayBeLong(asked.type));
    // the begin of a body may have come with its headers
    if (body.is !== "long") door.charge(asked.identity, body.is === "whole" ? body.length : socket.bytesRead - before);
    if (body.is === "gone") return;
    if (body.is === "long") {
      const outcome = await takeLong(asked, request, body.pieces);
      door.charge(asked.identity, socket.bytesRead - before);
      if (outcome !== null) answer(request, response, outcome, asked.type, count);
      return;
    }
    if (body.is === "refused") return answer(request, response, body, asked.type, count);
    let outcome: Outcome | null;
    try {
      const taken = await take(asked, body.pieces, body.length);
      outcome = taken === "long" ? await takeLong(asked, request, body.pieces) : taken;
    } finally {
      pending.add(asked.tenant, -body.length);
      for (const piece of body.pieces) giveBack(piece);
    }
    if (outcome !== null) answer(request, response, outcome, asked.type, count);
  }
}

function together(outcomes: readonly Outcome[]): Outcome {
  const total = { is: "accepted" as const, spans: 0, rejected: 0, message: "" };
  for (const each of outcomes) {
    if (each.is === "refused") return each;
    total.spans += each.spans;
    total.rejected += each.rejected;
    total.message ||= each.message;
  }
  return total;
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

function otlpEncoding(contentType: string | undefined): OtlpEncoding | null {
  const media = contentType?.split(";", 1)[0]!.trim().toLowerCase();
  if (media === CONTENT_TYPE.protobuf) return "protobuf";
  return media === CONTENT_TYPE.json ? "json" : null;
}

/** Answers in the encoding of the request. The rest of a body that still arrives is not read. */
export function answer(
  request: IncomingMessage,
  response: ServerResponse,
  outcome: Outcome,
  encoding: OtlpEncoding,
  count: (outcome: Outcome) => void,
): void {
  count(outcome);
  if (response.destroyed) return;
  const isRefused = outcome.is === "refused";
  const body = isRefused ? encodeStatus(outcome, encoding) : encodeResponse(outcome, encoding);
  const most = isRefused && STATUS[outcome.status].retry ? Infinity : DISCARD_BYTES;
  response.writeHead(isRefused ? STATUS[outcome.status].http : 200, {
    "Content-Type": CONTENT_TYPE[encoding],
    "Content-Length": body.length,
    ...(isRefused && refusalHeaders(outcome)),
    // Node ends a connection that is said to close with the answer, whatever still comes
    ...(mayExceed(request, most) && { Connection: "close" }),
  });
  if (body.length > 0) response.end(body);
  else response.end();
  if (!request.complete) discard(request, most);
}

/** The headers that say what a sender is to do. */
function refusalHeaders({ status, retryAfter }: Refusal): Record<string, string | number> {
  const { http, retry } = STATUS[status];
  return {
    ...(retry && { "Retry-After": retryAfter ?? RETRY_AFTER_S }),
    ...(http === 401 && { "WWW-Authenticate": "Bearer" }),
    ...(http === 405 && { Allow: "POST" }),
    ...(http === 415 && { "Accept-Encoding": "gzip, zstd" }),
  };
}

/** More than `most` bytes of its body may still come. */
const mayExceed = ({ complete, headers }: IncomingMessage, most: number): boolean =>
  !complete && most < Infinity && !(Number(headers["content-length"]) <= most);

/**
 * A connection that is torn down while the peer still writes may lose the answer: so a little is read, for a little. Of who is to
 * come again all that comes in that time: what it hears instead of 503 may not be tried again.
 */
function discard(request: IncomingMessage, most: number): void {
  // an answer that is sent has none any more
  const { socket } = request;
  let rest = most;
  const end = () => {
    clearTimeout(timer);
    if (!request.complete) socket.destroy();
  };
  const timer = setTimeout(end, DISCARD_MS).unref();
  request.on("data", (piece: Buffer) => {
    rest -= piece.length;
    if (rest < 0) end();
  });
  request.on("close", () => clearTimeout(timer));
  request.resume();
}
