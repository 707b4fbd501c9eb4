import { expect, test } from "vitest";
import { BodyWriter, frameOf } from "./frames.ts";
import { nameOf } from "./request.ts";
import { PgSession } from "./session.ts";

const text = (value: string): Buffer => new BodyWriter().text(value).body();
const sync = frameOf("S", Buffer.alloc(0));
const flush = frameOf("H", Buffer.alloc(0));
const ready = frameOf("Z", Buffer.from("I"));
const done = (command: string): Buffer => frameOf("C", text(command));
const parsed = frameOf("1", Buffer.alloc(0));
const bound = frameOf("2", Buffer.alloc(0));

function startup(parameters: Readonly<Record<string, string>> = { user: "u", database: "d" }): Buffer {
  const writer = new BodyWriter().int32(196_608);
  for (const [name, value] of Object.entries(parameters)) writer.text(name).text(value);
  const body = writer.byte(0).body();
  return Buffer.concat([new BodyWriter().int32(body.length + 4).body(), body]);
}

function columns(...names: readonly string[]): Buffer {
  const writer = new BodyWriter().int16(names.length);
  for (const name of names) writer.text(name).int32(16_401).int16(1).int32(25).int16(-1).int32(-1).int16(0);
  return frameOf("T", writer.body());
}

function row(...values: readonly (string | Uint8Array | null)[]): Buffer {
  const writer = new BodyWriter().int16(values.length);
  for (const value of values) {
    const bytes = value === null ? null : Buffer.from(value as Uint8Array);
    writer.int32(bytes?.length ?? -1);
    if (bytes !== null) writer.raw(bytes);
  }
  return frameOf("D", writer.body());
}

function failure(message: string): Buffer {
  return frameOf(
    "E",
    new BodyWriter().raw("S").text("ERROR").raw("C").text("42601").raw("M").text(message).byte(0).body(),
  );
}

function parse(name: string, statement: string): Buffer {
  return frameOf("P", new BodyWriter().text(name).text(statement).int16(0).body());
}

function bind(portal: string, name: string, ...values: readonly string[]): Buffer {
  const writer = new BodyWriter().text(portal).text(name).int16(0).int16(values.length);
  for (const value of values) writer.int32(Buffer.byteLength(value)).raw(value);
  return frameOf("B", writer.int16(0).body());
}

const execute = (portal: string, rows = 0): Buffer => frameOf("E", new BodyWriter().text(portal).int32(rows).body());

/** A session that is open. */
function opened(): PgSession {
  const session = new PgSession();
  const [request] = [...session.write(startup())];
  expect(request).toMatchObject({ kind: "open", args: [{ user: "u", database: "d" }] });
  expect([...session.read(frameOf("R", Buffer.from([0, 0, 0, 10])))]).toMatchObject([{ kind: "handshake" }]);
  expect([...session.read(Buffer.concat([frameOf("R", Buffer.alloc(4)), ready]))]).toMatchObject([
    { kind: "answer", value: { messages: "RZI" } },
  ]);
  return session;
}

/** Bytes one at a time: wherever they are cut, requests and answers are the same. */
function bytewise<T>(read: (chunk: Buffer) => Iterable<T>, bytes: Buffer): T[] {
  return [...bytes].flatMap((_, at) => [...read(bytes.subarray(at, at + 1))]);
}

test("an answer is what a person reads, and its bytes are made again from it", () => {
  const session = opened();
  const query = frameOf("Q", text("SELECT a; SELECT b"));
  const [request] = bytewise((chunk) => session.write(chunk), query);
  expect(request).toMatchObject({ kind: "call", name: "SELECT", args: [{ text: "SELECT a; SELECT b" }] });
  const notice = frameOf("N", new BodyWriter().raw("M").text("so").byte(0).body());
  const parameter = frameOf("S", new BodyWriter().text("TimeZone").text("UTC").body());
  const bytes = Buffer.concat([
    columns("a", "a"),
    row("1", null),
    row("ü", new Uint8Array([255, 0])),
    done("SELECT 2"),
    notice,
    columns("b"),
    done("SELECT 0"),
    parameter,
    ready,
  ]);
  const [answer] = bytewise((chunk) => session.read(chunk), bytes) as { value: object; bytes: Buffer }[];
  expect(answer?.bytes).toEqual(bytes);
  expect(answer?.value).toMatchObject({
    messages: "TDCNTCSZI",
    tables: [
      {
        columns: ["a", "a"],
        rows: [
          ["1", null],
          ["ü", new Uint8Array([255, 0])],
        ],
        command: "SELECT 2",
      },
      { columns: ["b"], command: "SELECT 0" },
    ],
    others: [{ message: "so" }, { name: "TimeZone", value: "UTC" }],
  });
  expect(session.encode(answer?.value, request ?? null)).toEqual(bytes);
});

test("an answer serves a connection that knows the statement, and one that does not", () => {
  const session = opened();
  const prepared = [parse("n", "SELECT $1"), bind("", "n", "7"), execute(""), sync];
  const [first] = [...session.write(Buffer.concat(prepared))];
  const [second] = [...session.write(Buffer.concat(prepared.slice(1)))];
  expect(first?.args).toEqual([{ text: "SELECT $1", values: ["7"], name: "n" }]);
  expect(second?.args).toEqual(first?.args);
  const rows = [bound, row("7"), done("SELECT 1"), ready];
  const [long, short] = [Buffer.concat([parsed, ...rows]), Buffer.concat(rows)];
  const [answer] = [...session.read(long)] as { value: object }[];
  expect(session.encode(answer?.value, first ?? null)).toEqual(long);
  expect(session.encode(answer?.value, second ?? null)).toEqual(short);
});

test("requests that end with Flush are answered message by message, and not at all after an error", () => {
  const session = opened();
  const begin = [parse("", "SELECT 1"), bind("c", ""), flush];
  const asked = [...session.write(Buffer.concat([...begin, execute("c", 2), flush, execute("c", 2), flush, sync]))];
  expect(asked.map(({ name }) => name)).toEqual(["SELECT", "FETCH SELECT", "FETCH SELECT", "SYNC"]);
  expect([...session.read(parsed)]).toEqual([]);
  expect([...session.read(bound)]).toMatchObject([{ value: { messages: "12" } }]);
  const failed = { kind: "answer", failure: { message: "no", code: "42601" } };
  expect([...session.read(failure("no"))]).toMatchObject([failed]);
  expect([...session.read(ready)]).toMatchObject([{ value: { messages: "" } }, { value: { messages: "ZI" } }]);
});

test("data for COPY is one request with the data, after the one that the server answers with its readiness", () => {
  const session = opened();
  expect([...session.write(frameOf("Q", text("COPY t FROM STDIN")))]).toMatchObject([{ kind: "call", name: "COPY t" }]);
  expect([...session.read(frameOf("G", Buffer.from([0, 0, 0])))]).toMatchObject([{ value: { messages: "G" } }]);
  const data = [frameOf("d", Buffer.from("1\n")), frameOf("d", Buffer.from("2\n")), frameOf("c", Buffer.alloc(0))];
  const sent = [...session.write(Buffer.concat(data))];
  expect(sent.map(({ kind }) => kind)).toEqual(["part", "part", "call"]);
  expect(sent[2]?.args).toEqual([{ data: "1\n2\n" }]);
  expect([...session.read(Buffer.concat([done("COPY 2"), ready]))]).toMatchObject([{ value: { command: "COPY 2" } }]);
});

test("what comes without a request is incoming, and what cannot be read is an error", () => {
  const session = opened();
  const bytes = frameOf("A", new BodyWriter().int32(7).text("news").text("it").body());
  const [incoming] = [...session.read(bytes)];
  expect(incoming).toMatchObject({
    kind: "incoming",
    value: { others: [{ channel: "news", payload: "it", process: 7 }] },
  });
  expect(session.encode((incoming as { value: unknown }).value, null)).toEqual(bytes);
  const odd = Buffer.from([65, 0, 0, 0, 1, 9]);
  expect(() => [...session.read(odd)]).toThrow("a message of 1 bytes");
});

test("an answer that redaction could not read is said to be missing", () => {
  expect(() => opened().encode("UNSCANNED_2000000", null)).toThrow("redaction has left it out");
});

test("a stream of changes is not read", () => {
  const session = new PgSession();
  const first = startup({ user: "u", replication: "database" });
  expect([...session.write(first)]).toMatchObject([{ kind: "unknown", bytes: first }]);
});

test.each([
  ["/* of the day */ SELECT a FROM person WHERE id = $1", "SELECT person"],
  ['insert into "app"."note" values (1)', "INSERT app"],
  ["UPDATE app.account SET x = 1", "UPDATE app.account"],
  ["CREATE TABLE IF NOT EXISTS t (a int)", "CREATE t"],
  ["DELETE FROM ONLY t", "DELETE t"],
  ["SELECT extract(year FROM 19900203)", "SELECT"],
  ["SELECT 'grace.hopper@example.com'", "SELECT"],
  ["BEGIN", "BEGIN"],
])("%j is named %s", (statement, name) => {
  expect(nameOf({ text: statement })).toBe(name);
});
