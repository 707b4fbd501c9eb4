import {
  type DatabaseCall,
  guarded,
  failedAnswer,
  live,
  replays,
  WireFailure,
  wireWriter,
} from "@reenact/capture/hook";
import type { BsonLibrary } from "./bson-library.ts";
import { type Connection, topologyOf } from "./connections.ts";
import { documentBytes, readableDocument } from "./documents.ts";
import { nameOrders } from "./name-orders.ts";
import { driverError, type DriverErrors, driverFailure } from "./driver-error.ts";
import { isKept, serverOf } from "./server-choice.ts";

/** What is used of an `OpMsgRequest`. */
interface Message {
  readonly command: Readonly<Record<string, unknown>>;
  readonly serializeFunctions?: boolean;
  readonly ignoreUndefined?: boolean;
}

/** An answer of the server, which the driver reads as far as it needs it. */
interface Response {
  toBytes(): Uint8Array;
}

interface ResponseClass {
  make(bytes: Uint8Array): Response;
}

/** What a module of the driver gives. */
export interface CommandParts {
  readonly bson: BsonLibrary;
  readonly MongoDBResponse: ResponseClass;
  readonly errors: DriverErrors;
}

type SendWire = (
  this: Connection,
  message: Message,
  options: SendOptions,
  responseType?: ResponseClass,
) => AsyncGenerator<Response, void>;

interface SendOptions {
  readonly timeoutContext?: { csotEnabled?(): boolean } | null;
}

/** Of the session and the connection: other ones in each run of a program. */
const OWN_FIELDS = new Set(["lsid", "$clusterTime", "txnNumber", "recoveryToken"]);
/** Commands about a collection that another field names. */
const COLLECTION = "collection";
/** What commands that log in say of a password. */
const LOGIN_FIELDS = new Set(["payload", "key", "nonce"]);
const LOGINS = new Set(["authenticate", "saslStart", "saslContinue"]);
/** Each command that a program sends is a step; a replay gives the driver the recorded answer to read. */
export function watchCommands(parts: CommandParts): (real: SendWire) => SendWire {
  return (real) =>
    function (this: Connection, message, options, responseType) {
      const send = (): AsyncGenerator<Response, void> => Reflect.apply(real, this, [message, options, responseType]);
      const topology = topologyOf(this);
      if (topology === undefined || !this.established) return send();
      const { isOwn } = wireWriter();
      const Class = responseType ?? parts.MongoDBResponse;
      if (isOwn) return replays() ? nothingAsked(Class, parts.bson) : send();
      if (!isKept(topology)) return send();
      const call = guarded("hook", null, () => callOf(message, options, parts.bson));
      if (call === null && !replays()) return send();
      // the driver fails to write it, before a server is asked
      if (call instanceof Unwritable) return replays() ? failing(call.error) : send();
      return sendInRun(call ?? { name: "command", args: [] }, { topology, send, Class, parts });
    };
}

interface Sending {
  readonly topology: Parameters<typeof serverOf>[0];
  readonly send: () => AsyncGenerator<Response, void>;
  readonly Class: ResponseClass;
  readonly parts: CommandParts;
}

async function* sendInRun(
  call: DatabaseCall,
  { topology, send, Class, parts }: Sending,
): AsyncGenerator<Response, void> {
  const { bson, errors } = parts;
  let response: Response | undefined;
  let failed: unknown;
  const ask = async (): Promise<unknown> => {
    try {
      // a command that has more than one answer is the driver's own
      for await (const first of send()) {
        response = first;
        break;
      }
    } catch (error) {
      failed = error;
      throw driverFailure(error);
    }
    const answer = answerOf(response as Response, bson);
    const failure = failureIn(answer);
    if (failure !== undefined) throw new WireFailure(failure, answer);
    return answer;
  };
  let answer: unknown;
  try {
    answer = await serverOf(topology).call(call, ask);
  } catch (error) {
    if (failed !== undefined) throw failed;
    const own = driverError(error, errors);
    const refused = own === error ? failedAnswer(error) : undefined;
    if (refused === undefined) throw own;
    answer = refused.answer;
  }
  if (response === undefined) response = live(() => Class.make(bytesOf(answer, bson)));
  yield response;
}

async function* failing(error: unknown): AsyncGenerator<Response, void> {
  const none: Response[] = [];
  yield* none;
  throw error;
}

async function* nothingAsked(Class: ResponseClass, bson: BsonLibrary): AsyncGenerator<Response, void> {
  yield Class.make(documentBytes({ ok: 1 }, bson));
}

/** A command that has no form on the wire, as one that holds itself. */
class Unwritable {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

function callOf(message: Message, options: SendOptions, bson: BsonLibrary): DatabaseCall | Unwritable {
  try {
    return writtenCall(message, options, bson);
  } catch (error) {
    return unwritable(message, bson) ?? rethrown(error);
  }
}

function unwritable({ command, ...options }: Message, bson: BsonLibrary): Unwritable | null {
  const { serializeFunctions = false, ignoreUndefined = false } = options;
  try {
    const own = Object.entries(command).filter(([, value]) => !isSequence(value));
    bson.serialize(Object.fromEntries(own), { serializeFunctions, ignoreUndefined });
    return null;
  } catch (error) {
    return new Unwritable(error);
  }
}

function rethrown(error: unknown): never {
  throw error;
}

function writtenCall(
  { command, ...options }: Message,
  { timeoutContext }: SendOptions,
  bson: BsonLibrary,
): DatabaseCall {
  const [verb = "command"] = Object.keys(command);
  const named = command[verb] === 1 || typeof command[verb] !== "string" ? command[COLLECTION] : command[verb];
  const isTimed = timeoutContext?.csotEnabled?.() === true;
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(command)) {
    if (isLeftOut(name, verb)) continue;
    // what is left of the program's time
    if (isTimed && name === "maxTimeMS") continue;
    shown[name] = isSequence(value) ? value.documents.map((each) => readableOf(each, options, bson)) : value;
  }
  const sequences = Object.entries(command).flatMap(([name, value]) => (isSequence(value) ? [name] : []));
  const rest = Object.fromEntries(Object.entries(shown).filter(([name]) => !sequences.includes(name)));
  const readable = readableOf(rest, options, bson);
  const args = Object.fromEntries(
    Object.keys(shown).map((name) => [name, name in readable ? readable[name] : shown[name]]),
  );
  const orders = nameOrders(args);
  const order = Object.keys(orders).length > 0 ? [{ order: orders }] : [];
  return { name: typeof named === "string" ? `${verb} ${named}` : verb, args: [args, ...order] };
}

function readableOf(document: object, options: Omit<Message, "command">, bson: BsonLibrary): Record<string, unknown> {
  const { serializeFunctions = false, ignoreUndefined = false } = options;
  return readableDocument(bson.serialize(document, { serializeFunctions, ignoreUndefined }), bson);
}

function isLeftOut(name: string, verb: string): boolean {
  return OWN_FIELDS.has(name) || (LOGINS.has(verb) && LOGIN_FIELDS.has(name));
}

/** Documents that are sent beside their command. */
function isSequence(value: unknown): value is { readonly documents: readonly object[] } {
  return typeof value === "object" && value !== null && "documents" in value && "chunks" in value;
}

function answerOf(response: Response, bson: BsonLibrary): Record<string, unknown> {
  const { $clusterTime: _, ...answer } = readableDocument(response.toBytes(), bson);
  // whichever type of number it is, it says yes or no
  return { ...answer, ok: Number(isTrue(answer["ok"])) };
}

function isTrue(ok: unknown): boolean {
  const number = typeof ok === "object" && ok !== null && "$numberDouble" in ok ? Number(ok.$numberDouble) : ok;
  return number !== 0 && number !== undefined;
}

interface WriteError {
  readonly errmsg?: string;
  readonly code?: number;
  readonly codeName?: string;
}

function failureIn(answer: Record<string, unknown>): { readonly message: string; readonly code?: string } | undefined {
  const [write] = (answer["writeErrors"] as readonly WriteError[] | undefined) ?? [];
  const found =
    answer["ok"] === 0 ? (answer as WriteError) : (write ?? (answer["writeConcernError"] as WriteError | undefined));
  if (found === undefined) return undefined;
  const { errmsg = "the server gave no message", code, codeName } = found;
  const known = codeName ?? code;
  return { message: errmsg, ...(known !== undefined && { code: String(known) }) };
}

/** What could not be redacted is a text in its place. */
function bytesOf(answer: unknown, bson: BsonLibrary): Uint8Array {
  if (typeof answer !== "object" || answer === null)
    throw new TypeError("the recorded answer is not whole: redaction has left it out");
  return documentBytes(answer, bson);
}
