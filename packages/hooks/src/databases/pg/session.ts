import type { WireMessage, WireRequest, WireSession } from "@reenact/capture/hook";
import { AnswerBuilder, encodeAnswer, type PgAnswer } from "./answer.ts";
import { textOrBytes } from "../text-or-bytes.ts";
import { BodyReader, type PgFrame, readFrame } from "./frames.ts";
import { CallBuilder, nameOf, type PgCall } from "./request.ts";

const PROTOCOL_3 = 3;
const CANCEL = 80_877_102;
/** bytes of copied data that a step holds; of more it holds the length */
const MOST_COPIED = 16 * 1024 * 1024;

/** The message that answers a message of a request which ends with Flush. */
const ANSWERS: Readonly<Record<string, string>> = { P: "1", B: "2", D: "Tn", E: "CsIG", C: "3" };

/** What ends the answer to a request. */
interface Expected {
  /** types of messages that are to come, one after another; null: all up to ReadyForQuery */
  readonly left: string[] | null;
  readonly opens: boolean;
}

/** Cuts both directions of a connection in PostgreSQL's protocol, version 3, into requests and answers. */
export class PgSession implements WireSession {
  readonly #statements = new Map<string, string>();
  readonly #portals = new Map<string, string>();
  readonly #expected: Expected[] = [];
  readonly #parses = new WeakMap<WireRequest, boolean>();
  #written: Buffer = Buffer.alloc(0);
  #read: Buffer = Buffer.alloc(0);
  #started = false;
  #isOpen = false;
  /** after an error the server answers nothing up to the next Sync */
  #isSkipping = false;
  #call: CallBuilder | null = null;
  #copied: Buffer[] = [];
  #copiedBytes = 0;
  #answer = new AnswerBuilder();
  #answered: Buffer[] = [];
  #failure: { readonly message: string; readonly code?: string } | null = null;

  *write(chunk: Buffer): Generator<WireRequest> {
    this.#written = this.#written.length === 0 ? chunk : Buffer.concat([this.#written, chunk]);
    if (!this.#started) {
      const request = this.#start();
      if (request === null) return;
      yield request;
    }
    for (;;) {
      const frame = readFrame(this.#written, 0);
      if (frame === null) return;
      const request = this.#requestOf(frame);
      this.#written = this.#written.subarray(frame.bytes.length);
      if (request !== null) yield request;
    }
  }

  *read(chunk: Buffer): Generator<WireMessage> {
    this.#read = this.#read.length === 0 ? chunk : Buffer.concat([this.#read, chunk]);
    let at = 0;
    try {
      for (;;) {
        const frame = readFrame(this.#read, at);
        if (frame === null) return;
        yield* this.#skipped();
        const message = this.#messageOf(frame);
        at += frame.bytes.length;
        if (message !== null) yield message;
      }
    } finally {
      this.#read = this.#read.subarray(at);
    }
  }

  encode(value: unknown, request: WireRequest | null): Buffer {
    if (!isAnswer(value)) throw new TypeError("the recorded answer is not whole: redaction has left it out");
    return encodeAnswer(value, request === null ? null : (this.#parses.get(request) ?? null));
  }

  /** The first message has no type. */
  #start(): WireRequest | null {
    if (this.#written.length < 8) return null;
    const length = this.#written.readUInt32BE(0);
    if (this.#written.length < length) return null;
    const bytes = this.#written.subarray(0, length);
    const reader = new BodyReader(bytes.subarray(4));
    const code = reader.uint32();
    const isSession = code >>> 16 === PROTOCOL_3;
    const parameters = isSession ? parametersIn(reader) : {};
    this.#started = true;
    this.#written = this.#written.subarray(length);
    const request = { name: "connect", args: [parameters], bytes };
    // a stream of changes has no answers; what is cancelled ends with an error of its own
    if (!isSession || parameters["replication"] !== undefined)
      return { ...request, kind: "unknown", name: code === CANCEL ? "cancel" : "connect" };
    this.#expected.push({ left: null, opens: true });
    const { user = "", database = user } = parameters;
    return { ...request, kind: "open", target: { user, database } };
  }

  #requestOf(frame: PgFrame): WireRequest | null {
    const { type, bytes } = frame;
    if (!this.#isOpen && type === "p") return { kind: "part", name: "password", args: [], bytes };
    switch (type) {
      case "Q": {
        const call = { text: new BodyReader(frame.body).text() };
        return this.#asked([call], bytes, null, false);
      }
      case "P":
      case "B":
      case "D":
      case "E":
      case "C":
      case "S":
      case "H":
        return this.#extended(frame);
      case "d":
        this.#keepCopied(frame.body);
        return { kind: "part", name: "COPY", args: [], bytes };
      case "c":
      case "f":
        return this.#copyEnds(frame);
      case "X":
        return { kind: "end", name: "end", args: [], bytes };
      default:
        return { kind: "unknown", name: type, args: [], bytes };
    }
  }

  #extended(frame: PgFrame): WireRequest | null {
    this.#call ??= new CallBuilder(this.#statements, this.#portals);
    if (!this.#call.add(frame)) return null;
    const { calls, bytes, types } = this.#call;
    this.#call = null;
    const left = frame.type === "S" ? null : types.flatMap((type) => ANSWERS[type] ?? []);
    return this.#asked(calls, bytes, left, types.includes("P"));
  }

  #asked(calls: readonly PgCall[], bytes: Buffer, left: string[] | null, parses: boolean): WireRequest {
    const name = nameOf(calls.find(({ text }) => text !== undefined) ?? calls[0] ?? {});
    return this.#pending({ kind: "call", name, args: calls, bytes }, left, parses);
  }

  #pending(request: WireRequest, left: string[] | null, parses: boolean): WireRequest {
    this.#expected.push({ left, opens: false });
    this.#parses.set(request, parses);
    return request;
  }

  #keepCopied(body: Buffer): void {
    this.#copiedBytes += body.length;
    if (this.#copiedBytes <= MOST_COPIED) this.#copied.push(Buffer.from(body));
  }

  /** The end of data for COPY FROM STDIN, or a message that there is none. */
  #copyEnds({ type, body, bytes }: PgFrame): WireRequest {
    const isWhole = this.#copiedBytes <= MOST_COPIED;
    const data = isWhole ? textOrBytes(Buffer.concat(this.#copied)) : { bytes: this.#copiedBytes };
    const args = [type === "f" ? { failed: new BodyReader(body).text() } : { data }];
    this.#copied = [];
    this.#copiedBytes = 0;
    return this.#pending({ kind: "call", name: "COPY", args, bytes }, null, false);
  }

  #messageOf(frame: PgFrame): WireMessage | null {
    const { type, body, bytes } = frame;
    const [expected] = this.#expected;
    if (expected === undefined) {
      const alone = new AnswerBuilder();
      alone.add(frame);
      return { kind: "incoming", value: alone.build(), bytes: Buffer.from(bytes) };
    }
    if (expected.opens && type === "R" && body.readInt32BE(0) !== 0)
      return { kind: "handshake", bytes: Buffer.from(bytes) };
    this.#answer.add(frame);
    this.#answered.push(bytes);
    if (type === "E") this.#failure = this.#answer.failure;
    if (!ends(expected, type)) return null;
    if (type === "Z") this.#isOpen = true;
    this.#isSkipping = type === "E" && expected.left !== null;
    return this.#ended(expected);
  }

  *#skipped(): Generator<WireMessage> {
    while (this.#isSkipping) {
      const [expected] = this.#expected;
      if (expected === undefined || expected.left === null) return;
      yield this.#ended(expected);
    }
  }

  #ended(expected: Expected): WireMessage {
    this.#expected.splice(this.#expected.indexOf(expected), 1);
    const message: WireMessage = {
      kind: "answer",
      value: this.#answer.build(),
      bytes: Buffer.concat(this.#answered),
      ...(this.#failure !== null && { failure: this.#failure }),
    };
    this.#failure = null;
    this.#answer = new AnswerBuilder(this.#answer.columns);
    this.#answered = [];
    return message;
  }
}

/** What could not be redacted is a text in its place. */
function isAnswer(value: unknown): value is PgAnswer {
  return typeof value === "object" && value !== null && "messages" in value && typeof value.messages === "string";
}

function parametersIn(reader: BodyReader): Record<string, string> {
  const parameters: Record<string, string> = {};
  while (!reader.isAtEnd) {
    const name = reader.text();
    if (name !== "") parameters[name] = reader.text();
  }
  return parameters;
}

/** Whether this message is the last one of the answer. */
function ends({ left, opens }: Expected, type: string): boolean {
  if (type === "Z") return true;
  // the program is to send what is copied
  if (type === "G") return true;
  if (type === "E") return opens || left !== null;
  if (left === null) return false;
  if (left[0]?.includes(type) === true) left.shift();
  return left.length === 0;
}
