import type { WireMessage, WireRequest, WireSession } from "@reenact/capture/hook";
import { errorOf, type MysqlAnswer, type RowForm } from "./answer.ts";
import { payloadsOf } from "./answer-bytes.ts";
import { PreparedReader, ResultsReader } from "./answer-reader.ts";
import { isOpened, openedBytes } from "./greeting.ts";
import { type MysqlPacket, PacketReader, packetsOf, sequenceAfter } from "./packets.ts";
import {
  changeUserIn,
  executeIn,
  type KnownStatement,
  type MysqlCall,
  nameOf,
  prepareIn,
  queryIn,
  statementIn,
} from "./request.ts";

const COMMAND = {
  quit: 0x01,
  initDb: 0x02,
  query: 0x03,
  ping: 0x0e,
  changeUser: 0x11,
  prepare: 0x16,
  execute: 0x17,
  close: 0x19,
  resetStatement: 0x1a,
  resetConnection: 0x1f,
} as const;

/** a capability of both sides */
const QUERY_ATTRIBUTES = 0x08_00_00_00;

/** The server answers it by asking for a file of the program. */
const ASKS_FOR_FILE = /^\s*load\s+(?:data|xml)\s+(?:low_priority\s+|concurrent\s+)?local\s/i;

/** A request that waits for its answer. */
interface Asked {
  readonly reader: { add(payload: Buffer): MysqlAnswer | null };
  /** text of the statement that it prepares */
  readonly prepares: string | Uint8Array | null;
  /** the answer begins with an exchange about the password */
  readonly isAuthentication: boolean;
  bytes: Buffer[];
}

/** What is kept of a request for the bytes of its answer. */
interface Form {
  readonly rows: RowForm;
  readonly prepares: string | Uint8Array | null;
}

/** A statement that was prepared over this connection. */
interface Statement extends KnownStatement {
  readonly id: number;
  readonly answer: MysqlAnswer;
}

/**
 * Cuts both directions of a connection in MySQL's protocol into requests and answers, from where the session is open: the
 * hook has authenticated it. A statement that the connection has prepared is answered from here when it is prepared again.
 */
export class MysqlSession implements WireSession {
  readonly #written = new PacketReader();
  readonly #read = new PacketReader();
  readonly #asked: Asked[] = [];
  readonly #forms = new WeakMap<WireRequest, Form>();
  /** by their numbers */
  readonly #statements = new Map<number, Statement>();
  readonly #byText = new Map<string | Uint8Array, Statement>();
  #lastChosen = 0;
  #serverCapabilities = 0;
  #clientCapabilities: number | null = null;

  *write(chunk: Buffer): Generator<WireRequest> {
    for (const packet of this.#written.read(chunk)) yield this.#requestOf(packet);
  }

  *read(chunk: Buffer): Generator<WireMessage> {
    for (const packet of this.#read.read(chunk)) {
      const message = this.#messageOf(packet);
      if (message !== null) yield message;
    }
  }

  encode(value: unknown, request: WireRequest | null): Buffer {
    if (request?.kind === "open") return this.#opened(value);
    if (!isAnswer(value)) throw new TypeError("the recorded answer is not whole: redaction has left it out");
    const { rows, prepares } = (request === null ? undefined : this.#forms.get(request)) ?? FREE_FORM;
    const statement = "prepared" in value && prepares !== null ? this.#learn(prepares, value).id : 0;
    return packetsOf(payloadsOf(value, rows, statement), request === null ? 0 : sequenceAfter(request.bytes));
  }

  #opened(value: unknown): Buffer {
    if (!isOpened(value)) throw new TypeError("the recorded greeting is not whole: redaction has left it out");
    this.#serverCapabilities = value.greeting?.capabilities ?? 0;
    return openedBytes(value);
  }

  #requestOf({ payload, bytes, sequence }: MysqlPacket): WireRequest {
    if (this.#clientCapabilities === null) {
      this.#clientCapabilities = payload.readUInt32LE(0);
      return { kind: "withheld", name: "password", args: [], bytes };
    }
    if (sequence !== 0) return { kind: "part", name: "password", args: [], bytes };
    switch (payload[0]) {
      case COMMAND.query:
        return this.#query(queryIn(payload, this.#hasAttributes), bytes);
      case COMMAND.prepare:
        return this.#prepare(prepareIn(payload), bytes);
      case COMMAND.execute: {
        const call = executeIn(payload, this.#statement(statementIn(payload)), this.#hasAttributes);
        return this.#ask(call, bytes, { rows: "binary" });
      }
      case COMMAND.close:
        this.#forget(statementIn(payload));
        return { kind: "part", name: "CLOSE", args: [], bytes };
      case COMMAND.resetStatement:
        return this.#ask({ text: this.#statement(statementIn(payload)).text }, bytes, { name: "RESET STATEMENT" });
      case COMMAND.ping:
        return this.#ask({}, bytes, { name: "PING" });
      case COMMAND.initDb:
        return this.#ask({ database: payload.toString("utf8", 1) }, bytes, { name: "USE" });
      case COMMAND.resetConnection:
        this.#forgetAll();
        return this.#ask({}, bytes, { name: "RESET CONNECTION" });
      case COMMAND.changeUser:
        this.#forgetAll();
        return this.#ask(changeUserIn(payload), bytes, { name: "CHANGE USER", isAuthentication: true });
      case COMMAND.quit:
        return { kind: "end", name: "end", args: [], bytes };
      default:
        return { kind: "unknown", name: `command ${payload[0]}`, args: [], bytes };
    }
  }

  #query(call: MysqlCall, bytes: Buffer): WireRequest {
    if (typeof call.text !== "string" || !ASKS_FOR_FILE.test(call.text)) return this.#ask(call, bytes);
    return { kind: "unknown", name: "LOAD LOCAL", args: [], bytes };
  }

  get #hasAttributes(): boolean {
    return ((this.#clientCapabilities ?? 0) & this.#serverCapabilities & QUERY_ATTRIBUTES) !== 0;
  }

  #statement(id: number): Statement {
    const found = this.#statements.get(id);
    if (found === undefined) throw new TypeError(`statement ${id} was not prepared here`);
    return found;
  }

  #ask(
    call: MysqlCall,
    bytes: Buffer,
    more: { readonly rows?: RowForm; readonly name?: string; readonly isAuthentication?: boolean } = {},
  ): WireRequest {
    const { rows = "text", name = nameOf(call), isAuthentication = false } = more;
    const request: WireRequest = { kind: "call", name, args: [call], bytes };
    this.#forms.set(request, { rows, prepares: null });
    this.#asked.push({ reader: new ResultsReader(rows), prepares: null, isAuthentication, bytes: [] });
    return request;
  }

  #prepare(call: MysqlCall & { readonly text: string | Uint8Array }, bytes: Buffer): WireRequest {
    const { text: prepares } = call;
    const known = this.#byText.get(prepares);
    const answered = known === undefined ? {} : { answered: { value: known.answer } };
    const request: WireRequest = { kind: "call", name: nameOf(call), args: [call], bytes, ...answered };
    this.#forms.set(request, { rows: "binary", prepares });
    if (known === undefined)
      this.#asked.push({ reader: new PreparedReader(), prepares, isAuthentication: false, bytes: [] });
    return request;
  }

  #messageOf({ payload, bytes }: MysqlPacket): WireMessage | null {
    const [asked] = this.#asked;
    if (asked === undefined) {
      const value = new ResultsReader("text").add(payload);
      if (value === null) throw new TypeError("rows that nobody asked for");
      return { kind: "incoming", value, bytes: Buffer.from(bytes) };
    }
    if (asked.isAuthentication && payload[0] !== 0x00 && payload[0] !== 0xff)
      return { kind: "handshake", bytes: Buffer.from(bytes) };
    asked.bytes.push(bytes);
    const value = asked.reader.add(payload);
    if (value === null) return null;
    this.#asked.shift();
    if (asked.prepares !== null && asked.reader instanceof PreparedReader && asked.reader.statement !== null)
      this.#keep(asked.reader.statement, asked.prepares, value);
    const error = errorOf(value);
    return {
      kind: "answer",
      value,
      bytes: Buffer.concat(asked.bytes),
      ...(error !== undefined && {
        failure: { message: Buffer.from(error.message as string).toString(), code: String(error.errno) },
      }),
    };
  }

  /** The statement of this text; a number is chosen where no server has. */
  #learn(text: string | Uint8Array, answer: MysqlAnswer): Statement {
    return this.#byText.get(text) ?? this.#keep(++this.#lastChosen, text, answer);
  }

  #keep(id: number, text: string | Uint8Array, answer: MysqlAnswer): Statement {
    const parameters = "prepared" in answer ? answer.prepared.parameterTypes.length : 0;
    const statement = { id, text, parameters, answer };
    this.#statements.set(id, statement);
    this.#byText.set(text, statement);
    return statement;
  }

  #forget(id: number): void {
    const statement = this.#statements.get(id);
    if (statement !== undefined && this.#byText.get(statement.text) === statement) this.#byText.delete(statement.text);
    this.#statements.delete(id);
  }

  #forgetAll(): void {
    this.#statements.clear();
    this.#byText.clear();
  }
}

/** Of what no request asked for. */
const FREE_FORM: Form = { rows: "text", prepares: null };

/** What could not be redacted is a text in its place. */
function isAnswer(value: unknown): value is MysqlAnswer {
  if (typeof value !== "object" || value === null) return false;
  return ["error", "affectedRows", "rows", "results", "prepared"].some((key) => key in value);
}
