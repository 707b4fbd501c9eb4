import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { WireMessage, WireRequest } from "@reenact/capture/hook";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openedBytes } from "./greeting.ts";
import { PacketReader, packetsOf } from "./packets.ts";
import { PayloadReader, PayloadWriter } from "./payload.ts";
import { MysqlSession } from "./session.ts";

const load = createRequire(import.meta.url);
const CAPABILITIES = 0xff_ff_ff;
const QUERY_ATTRIBUTES = 0x08_00_00_00;
const greeting = { version: "8.4.0", thread: 7, capabilities: CAPABILITIES, characterSet: 255, status: 2, plugin: "p" };

const writer = (): PayloadWriter => new PayloadWriter();
const command = (code: number, rest: Uint8Array | string = ""): Buffer =>
  packetsOf([writer().uint(code, 1).raw(rest).payload()], 0);
const query = (text: string): Buffer => command(3, text);
const prepare = (text: string): Buffer => command(22, text);
const done = (status: number, info: string | Uint8Array = ""): Buffer =>
  writer().uint(0, 1).length(3).length(70_000).uint(status, 2).uint(1, 2).raw(info).payload();
const failed = (message: string | Uint8Array): Buffer =>
  writer().uint(0xff, 1).uint(1146, 2).raw("#42S02").raw(message).payload();
const end = (status = 2): Buffer => writer().uint(0xfe, 1).uint(0, 2).uint(status, 2).payload();
const column = (name: string, type: number, flags = 0, extended: string | null = null): Buffer => {
  const parts = writer().counted("def").counted("s").counted("t").counted("tt").counted(name).counted("original");
  if (extended !== null) parts.counted(extended);
  return parts.uint(12, 1).uint(45, 2).uint(80, 4).uint(type, 1).uint(flags, 2).uint(0, 1).uint(0, 2).payload();
};
const textRow = (...values: readonly (string | Uint8Array | null)[]): Buffer => {
  const parts = writer();
  for (const value of values)
    if (value === null) parts.uint(0xfb, 1);
    else parts.counted(value);
  return parts.payload();
};
const MORE_RESULTS = 8;

/** A session that is open. */
function opened(capabilities = CAPABILITIES): MysqlSession {
  const session = new MysqlSession();
  const request: WireRequest = { kind: "open", name: "connect", args: [], bytes: Buffer.alloc(0) };
  session.encode({ greeting: { ...greeting, capabilities } }, request);
  const answer = packetsOf([writer().uint(capabilities, 4).raw(Buffer.alloc(28)).payload()], 1);
  expect([...session.write(answer)]).toMatchObject([{ kind: "withheld", bytes: answer }]);
  return session;
}

/** Hands the bytes over in pieces that are cut at these places. */
function inPieces<T>(read: (chunk: Buffer) => Iterable<T>, bytes: Buffer, cuts: readonly number[]): T[] {
  const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).flatMap((place, n) => [...read(bytes.subarray(places[n], place))]);
}

/** One byte at a time. */
const bytewise = <T>(read: (chunk: Buffer) => Iterable<T>, bytes: Buffer): T[] =>
  inPieces(
    read,
    bytes,
    Array.from({ length: bytes.length }, (_, n) => n),
  );

type Answer = Extract<WireMessage, { kind: "answer" }>;

/** Asks, and reads these payloads as the answer; it must be made again from what was read. */
function answered(session: MysqlSession, asked: Buffer, payloads: readonly Buffer[]): Answer & { asked: WireRequest } {
  const [request] = bytewise((chunk) => session.write(chunk), asked);
  const bytes = packetsOf(payloads, 1);
  const [answer, ...more] = bytewise((chunk) => session.read(chunk), bytes) as Answer[];
  expect(more).toEqual([]);
  expect(answer?.bytes).toEqual(bytes);
  expect(session.encode(answer?.value, request ?? null)).toEqual(bytes);
  return { ...(answer as Answer), asked: request as WireRequest };
}

test("an answer is what a person reads, and its bytes are made again from it", () => {
  const info = "Rows matched: 3";
  const answer = answered(opened(), query("SELECT a FROM `t`; UPDATE t SET a = 1; SELECT b"), [
    writer().length(2).payload(),
    column("a", 253),
    column("ü", 252, 144, "json"),
    end(),
    textRow("1", null),
    textRow("x".repeat(70_000), new Uint8Array([255, 0])),
    end(MORE_RESULTS),
    done(MORE_RESULTS, info),
    failed("no such table"),
  ]);
  expect(answer.asked).toMatchObject({
    kind: "call",
    name: "SELECT t",
    args: [{ text: expect.any(String) as string }],
  });
  expect(answer.failure).toEqual({ message: "no such table", code: "1146" });
  expect(answer.value).toMatchObject({
    results: [
      {
        columns: ["a", "ü"],
        rows: [
          ["1", null],
          ["x".repeat(70_000), new Uint8Array([255, 0])],
        ],
      },
      { affectedRows: 3, insertId: 70_000, warnings: 1, info },
      { error: { errno: 1146, sqlState: "42S02", message: "no such table" } },
    ],
  });
});

test("an error may end rows, and its text may be no UTF-8", () => {
  const message = new Uint8Array([0xfc, 0x62]);
  const answer = answered(opened(), query("SELECT a"), [
    writer().length(1).payload(),
    column("a", 3),
    end(),
    textRow("1"),
    failed(message),
  ]);
  expect(answer.value).toMatchObject({ rows: [["1"]], error: { message } });
  expect(answer.failure).toMatchObject({ code: "1146" });
});

/** type, whether it is unsigned, its bytes in the binary protocol, and what a step has for it */
const BINARY: readonly (readonly [number, boolean, readonly number[], unknown])[] = [
  [1, false, [0xfd], -3],
  [1, true, [0xfd], 253],
  [2, false, [0xff, 0xff], -1],
  [13, true, [0xcf, 0x07], 1999],
  [3, false, [0, 0, 0, 0x80], -2_147_483_648],
  [9, true, [1, 0, 0, 0], 1],
  [8, false, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], -1],
  [8, true, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 18_446_744_073_709_551_615n],
  [4, false, [0, 0, 0xc0, 0x3f], 1.5],
  [5, false, [0x9a, 0x99, 0x99, 0x99, 0x99, 0x99, 0xb9, 0x3f], 0.1],
  [10, false, [4, 0xc6, 0x07, 2, 3], "1990-02-03"],
  [10, false, [0], ""],
  [12, false, [7, 0xea, 0x07, 2, 3, 4, 5, 6], "2026-02-03 04:05:06"],
  [7, false, [11, 0xea, 0x07, 2, 3, 4, 5, 6, 7, 0, 0, 0], "2026-02-03 04:05:06.000007"],
  [12, false, [3, 1, 2, 3], new Uint8Array([1, 2, 3])],
  [11, false, [8, 1, 1, 0, 0, 0, 1, 3, 4], "-1 01:03:04"],
  [11, false, [12, 0, 0, 0, 0, 0, 1, 3, 4, 9, 0, 0, 0], "0 01:03:04.000009"],
  [11, false, [0], ""],
  [253, false, [2, 0xc3, 0xbc], "ü"],
  [246, false, [4, 0x30, 0x2e, 0x35, 0x30], "0.50"],
  [252, false, [2, 0xff, 0], new Uint8Array([255, 0])],
];

describe("prepared statements", () => {
  const text = "SELECT ? FROM t";
  const prepared = (id: number, parameters: number): Buffer[] => [
    writer().uint(0, 1).uint(id, 4).uint(1, 2).uint(parameters, 2).uint(0, 1).uint(0, 2).payload(),
    ...(parameters === 0 ? [] : [column("?", 253), end()]),
    column("a", 3),
    end(),
  ];
  const execute = (id: number, type: number, isUnsigned: boolean, bytes: readonly number[]): Buffer =>
    command(
      23,
      writer()
        .uint(id, 4)
        .uint(0, 1)
        .uint(1, 4)
        .raw(Uint8Array.from([0, 1, type, isUnsigned ? 128 : 0, ...bytes]))
        .payload(),
    );

  test.each(BINARY)("a value of type %i, unsigned %j, is read and made again: %j", (type, isUnsigned, bytes, value) => {
    const session = opened();
    answered(session, prepare(text), prepared(5, 1));
    const { asked, value: answer } = answered(session, execute(5, type, isUnsigned, bytes), [
      writer().length(2).payload(),
      column("a", type, isUnsigned ? 32 : 0),
      column("b", type),
      end(),
      writer()
        .raw(Uint8Array.from([0, 0b1000, ...bytes]))
        .payload(),
      end(),
    ]);
    expect(asked).toMatchObject({ name: "SELECT t", args: [{ text, values: [value] }] });
    expect(answer).toMatchObject({ rows: [[value, null]] });
  });

  test("one that the connection knows is answered without the server, with its number", () => {
    const session = opened();
    const first = answered(session, prepare(text), prepared(9, 1));
    expect(first.asked).toMatchObject({ name: "PREPARE SELECT t", args: [{ text, prepare: true }] });
    expect(first.asked).not.toHaveProperty("answered");
    const [again] = [...session.write(prepare(text))];
    expect(again).toMatchObject({ args: first.asked.args, answered: { value: first.value } });
    expect(session.encode(again?.answered?.value, again ?? null)).toEqual(first.bytes);
    expect([...session.write(command(25, writer().uint(9, 4).payload()))]).toMatchObject([{ kind: "part" }]);
    expect([...session.write(prepare(text))][0]).not.toHaveProperty("answered");
  });

  test.each([["RESET CONNECTION", command(31)] as const, ["CHANGE USER", command(17, "u\0\0d\0")] as const])(
    "%s ends them",
    (name, bytes) => {
      const session = opened();
      answered(session, prepare(text), prepared(9, 0));
      expect(answered(session, bytes, [done(2)]).asked).toMatchObject({ name });
      expect([...session.write(prepare(text))][0]).not.toHaveProperty("answered");
    },
  );

  test("a connection of a replay has numbers of its own", () => {
    const recorded = opened();
    const { value } = answered(recorded, prepare(text), prepared(9, 1));
    const replayed = opened();
    const [request] = [...replayed.write(prepare(text))];
    expect(replayed.encode(value, request ?? null)).toEqual(packetsOf(prepared(1, 1), 1));
    expect([...replayed.write(execute(1, 1, false, [7]))]).toMatchObject([{ args: [{ text, values: [7] }] }]);
    expect(() => [...replayed.write(execute(9, 1, false, [7]))]).toThrow("statement 9 was not prepared here");
  });
});

test("attributes of a statement, as the driver writes them, stand beside it", () => {
  const Query = load(join(dirname(load.resolve("mysql2")), "lib/packets/query.js")) as new (...args: unknown[]) => {
    toPacket(): { buffer: Buffer };
  };
  const session = opened((CAPABILITIES | QUERY_ATTRIBUTES) >>> 0);
  const bytesOf = (attributes: object | undefined): Buffer => {
    const { buffer } = new Query("SELECT 1", 45, attributes, QUERY_ATTRIBUTES).toPacket();
    return packetsOf([buffer.subarray(4)], 0);
  };
  expect([...session.write(bytesOf(undefined))]).toMatchObject([{ args: [{ text: "SELECT 1" }] }]);
  const [request] = [...session.write(bytesOf({ trace: "abc", n: 1.5 }))];
  expect(request?.args).toEqual([{ text: "SELECT 1", attributes: { trace: "abc", n: 1.5 } }]);
});

test("another user is told without the proof of the password, and what is exchanged about it is no answer", () => {
  const session = opened();
  const proof = Buffer.alloc(20, 7);
  const [request] = [...session.write(command(17, writer().raw("ada\0").uint(20, 1).raw(proof).raw("db\0").payload()))];
  expect(request).toMatchObject({ name: "CHANGE USER", args: [{ user: "ada", database: "db" }] });
  const other = packetsOf([writer().uint(0xfe, 1).raw("plugin\0challenge").payload()], 1);
  expect([...session.read(other)]).toEqual([{ kind: "handshake", bytes: other }]);
  expect([...session.write(packetsOf([proof], 2))]).toMatchObject([{ kind: "part", args: [] }]);
  expect([...session.read(packetsOf([done(2)], 3))]).toMatchObject([{ kind: "answer", value: { affectedRows: 3 } }]);
});

test("a file that the server asks for, and commands that have no form, are not read", () => {
  const session = opened();
  expect([...session.write(query("load data local infile 'a' INTO TABLE t"))]).toMatchObject([{ kind: "unknown" }]);
  expect([...session.write(query("/* so */ LOAD XML LOCAL INFILE 'a' INTO TABLE t"))]).toMatchObject([
    { kind: "call" },
  ]);
  expect(() => [...session.read(packetsOf([Buffer.from("\xfba", "latin1")], 1))]).toThrow("the server asks for a file");
  expect([...opened().write(command(0x12))]).toMatchObject([{ kind: "unknown" }]);
  expect([...opened().write(command(1))]).toMatchObject([{ kind: "end" }]);
});

test("what comes without a request is incoming", () => {
  const session = opened();
  const bytes = packetsOf([failed("shut down")], 0);
  const [incoming] = [...session.read(bytes)];
  expect(incoming).toMatchObject({ kind: "incoming", value: { error: { message: "shut down" } } });
  expect(session.encode((incoming as { value: unknown }).value, null)).toEqual(bytes);
});

test("a session that is refused is told by an error behind the greeting, or in its place", () => {
  const error = { errno: 1045, sqlState: "28000", message: "no" };
  const [first, second] = [...new PacketReader().read(openedBytes({ greeting, error }))];
  expect(first).toMatchObject({ sequence: 0 });
  expect(first?.payload.includes("8.4.0")).toBe(true);
  expect(second).toMatchObject({ sequence: 2, payload: Buffer.from("\xff\x15\x04#28000no", "latin1") });
  const [only, ...more] = [...new PacketReader().read(openedBytes({ error: { errno: 1040, message: "too many" } }))];
  expect(only).toMatchObject({ sequence: 0, payload: Buffer.from("\xff\x10\x04too many", "latin1") });
  expect(more).toEqual([]);
});

test("an answer or a greeting that redaction could not read is said to be missing", () => {
  const request: WireRequest = { kind: "open", name: "connect", args: [], bytes: Buffer.alloc(0) };
  expect(() => opened().encode("UNSCANNED_2000000", null)).toThrow("redaction has left it out");
  expect(() => opened().encode("UNSCANNED_2000000", request)).toThrow("redaction has left it out");
});

test("payloads of more than a packet holds are cut and joined", () => {
  for (const length of [0xff_ff_fe, 0xff_ff_ff, 0x1_00_00_10]) {
    const payload = Buffer.alloc(length, "y");
    const bytes = packetsOf([payload, Buffer.from("z")], 255);
    const [first, second] = [...new PacketReader().read(bytes)];
    expect(first?.payload.equals(payload)).toBe(true);
    expect(second?.sequence).toBe(length < 0xff_ff_ff ? 0 : 1);
  }
});

test("numbers with their length before them are read as they were written", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => {
      const reader = new PayloadReader(writer().length(value).payload());
      expect(BigInt(reader.length())).toBe(value);
      expect(reader.isAtEnd).toBe(true);
    }),
  );
});

test("rows are the same wherever the bytes of requests and answers are cut", () => {
  const value = fc.oneof(
    fc.constant(null),
    fc.string({ unit: "binary" }),
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ minLength: 250, maxLength: 260 }),
  );
  const table = fc.array(fc.tuple(value, value), { maxLength: 5 });
  fc.assert(
    fc.property(fc.string(), table, fc.array(fc.nat(), { maxLength: 20 }), (text, rows, cuts) => {
      const asked = query(text);
      const payloads = [writer().length(2).payload(), column("a", 252), column("b", 253), end()];
      const bytes = packetsOf([...payloads, ...rows.map((row) => textRow(...row)), end()], 1);
      const at = (length: number): number[] => cuts.map((cut) => cut % length);
      const session = opened();
      const requests = inPieces((chunk) => session.write(chunk), asked, at(asked.length));
      // `toEqual` looks at one byte after another
      expect(Buffer.concat(requests.map((each) => each.bytes)).equals(asked)).toBe(true);
      const answers = inPieces((chunk) => session.read(chunk), bytes, at(bytes.length)) as Answer[];
      expect(answers).toHaveLength(1);
      expect(answers[0]?.bytes.equals(bytes)).toBe(true);
      expect(session.encode(answers[0]?.value, requests[0] ?? null).equals(bytes)).toBe(true);
    }),
  );
});
