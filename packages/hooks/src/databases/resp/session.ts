import type { WireMessage, WireRequest, WireSession } from "@reenact/capture/hook";
import { type Command, nameOfAll, readableCommand, verbOf, wordAt } from "./command.ts";
import { RespReader } from "./reader.ts";
import { errorIn, namedValues, type RedisValue } from "./value.ts";
import { writeValue } from "./writer.ts";

const SUBSCRIBES = /^([PS]?)(UN)?SUBSCRIBE$/;
const MESSAGE = /^[ps]?message$/;
/** Commands to which no answer, or none that ends, comes. */
const STREAMS = new Set(["SYNC", "PSYNC", "REPLCONF"]);

/** A command that waits for answers. */
interface Waiting {
  readonly verb: string;
  /** a list that answers it holds names and values */
  readonly isPaired: boolean;
  left: number;
}

/** What was written in one go, and the answers to it so far. */
interface Asked {
  readonly commands: readonly Waiting[];
  /** number of the command that waits */
  at: number;
  readonly replies: RedisValue[];
  readonly bytes: Buffer[];
}

/** One answer, or those to all commands that were written in one go. */
export type RedisAnswer = { readonly reply: RedisValue } | { readonly replies: readonly RedisValue[] };

/**
 * Cuts both directions of a connection in Redis' protocol, version 2 or 3, into requests and answers. What is written in one go
 * (a command, a pipeline, a transaction) is one request.
 */
export class RespSession implements WireSession {
  readonly #written = new RespReader();
  readonly #read = new RespReader();
  readonly #asked: Asked[] = [];
  /** what the program is subscribed to, by kind, as far as it has written */
  readonly #channels = new Map<string, Set<string>>();
  #isInTransaction = false;
  /** the server sends messages between answers, in version 2 of the protocol */
  #isSubscribed = false;

  *write(chunk: Buffer): Generator<WireRequest> {
    let commands: Command[] = [];
    let parts: Buffer[] = [];
    for (const { value, bytes } of this.#written.read(chunk)) {
      if (!Array.isArray(value)) throw new TypeError("a command that is no list");
      const command = value as Command;
      if (isUnanswered(command)) {
        if (commands.length > 0) yield this.#requestOf(commands, parts);
        [commands, parts] = [[], []];
        yield { kind: "unknown", name: verbOf(command), args: [], bytes };
        continue;
      }
      commands.push(command);
      parts.push(bytes);
    }
    if (commands.length > 0) yield this.#requestOf(commands, parts);
  }

  *read(chunk: Buffer): Generator<WireMessage> {
    for (const { value, bytes } of this.#read.read(chunk)) {
      const message = this.#messageOf(value, bytes);
      if (message !== null) yield message;
    }
  }

  encode(value: unknown): Buffer {
    if (!isAnswer(value)) throw new TypeError("the recorded answer is not whole: redaction has left it out");
    return Buffer.concat(("reply" in value ? [value.reply] : value.replies).map(writeValue));
  }

  #requestOf(commands: readonly Command[], parts: readonly Buffer[]): WireRequest {
    const waiting = commands.map((command) => this.#waitingOf(command));
    this.#asked.push({ commands: waiting, at: 0, replies: [], bytes: [] });
    const [first = []] = commands;
    return {
      kind: "call",
      name: nameOfAll(commands),
      args: commands.length === 1 ? readableCommand(first) : commands.map(readableCommand),
      bytes: Buffer.concat(parts),
    };
  }

  #waitingOf(command: Command): Waiting {
    const verb = verbOf(command);
    const isPaired = verb === "HGETALL" || (verb === "CONFIG" && wordAt(command, 1) === "GET");
    // in a transaction each command is answered once: with the state, and in the end with all answers
    const left = this.#isInTransaction ? 1 : this.#answersTo(verb, command.slice(1));
    if (verb === "MULTI") this.#isInTransaction = true;
    else if (verb === "EXEC" || verb === "DISCARD" || verb === "RESET") this.#isInTransaction = false;
    if (verb === "RESET") this.#channels.clear();
    return { verb, isPaired, left };
  }

  #answersTo(verb: string, args: readonly RedisValue[]): number {
    const found = SUBSCRIBES.exec(verb);
    if (found === null) return 1;
    const [, kind = "", ends] = found;
    let channels = this.#channels.get(kind);
    if (channels === undefined) this.#channels.set(kind, (channels = new Set()));
    const named = args.map((arg) => Buffer.from(arg as string).toString("latin1"));
    if (ends === undefined) {
      for (const name of named) channels.add(name);
      return Math.max(1, named.length);
    }
    const count = named.length > 0 ? named.length : channels.size;
    for (const name of named.length > 0 ? named : [...channels]) channels.delete(name);
    return Math.max(1, count);
  }

  #messageOf(value: RedisValue, bytes: Buffer): WireMessage | null {
    const [asked] = this.#asked;
    const waiting = asked?.commands[asked.at];
    if (asked === undefined || waiting === undefined || this.#isByItself(value, waiting.verb))
      return { kind: "incoming", value: { reply: value }, bytes: Buffer.from(bytes) };
    asked.replies.push(repliedTo(waiting, value));
    asked.bytes.push(bytes);
    // an error answers the whole command
    if (--waiting.left > 0 && errorIn(value) === undefined) return null;
    if (++asked.at < asked.commands.length) return null;
    this.#asked.shift();
    return answerTo(asked);
  }

  /** Whether the server sends this without being asked; notes subscriptions. */
  #isByItself(value: RedisValue, verb: string): boolean {
    const pushed = typeof value === "object" && value !== null && !Array.isArray(value) && "push" in value;
    const items = pushed ? (value.push as readonly RedisValue[]) : Array.isArray(value) ? (value as RedisValue[]) : [];
    const [first, , count] = items;
    const kind = typeof first === "string" ? first : "";
    if (SUBSCRIBES.test(kind.toUpperCase()) && kind.toUpperCase() === verb) {
      if (!pushed) this.#isSubscribed = Number(count) > 0;
      return false;
    }
    return pushed || (this.#isSubscribed && MESSAGE.test(kind));
  }
}

function isUnanswered(command: Command): boolean {
  const verb = verbOf(command);
  if (verb !== "CLIENT") return STREAMS.has(verb);
  return wordAt(command, 1) === "REPLY" && wordAt(command, 2) !== "ON";
}

function repliedTo({ isPaired }: Waiting, value: RedisValue): RedisValue {
  if (!isPaired || !Array.isArray(value)) return value;
  const named = namedValues(value as readonly RedisValue[]);
  return named === undefined ? value : { pairs: named };
}

function answerTo({ commands, replies, bytes }: Asked): WireMessage {
  const [only] = replies;
  const isOne = replies.length === 1 && only !== undefined;
  // of a pipeline each answer may be an error; a transaction fails as a whole
  const failed = isOne || commands.at(-1)?.verb === "EXEC" ? errorIn(replies.at(-1) ?? null) : undefined;
  return {
    kind: "answer",
    value: isOne ? { reply: only } : { replies },
    bytes: Buffer.concat(bytes),
    ...(failed !== undefined && { failure: failureOf(failed) }),
  };
}

/** An error begins with its code: `WRONGTYPE Operation against …`. */
function failureOf(message: string): { readonly message: string; readonly code?: string } {
  const code = /^[A-Z]{3,}(?= )/.exec(message)?.[0];
  return { message, ...(code !== undefined && { code }) };
}

/** What could not be redacted is a text in its place. */
function isAnswer(value: unknown): value is RedisAnswer {
  return (
    typeof value === "object" &&
    value !== null &&
    ("reply" in value || ("replies" in value && Array.isArray(value.replies)))
  );
}
