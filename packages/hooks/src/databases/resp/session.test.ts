import { expect, test } from "vitest";
import { nameOf, readableCommand } from "./command.ts";
import { RespReader } from "./reader.ts";
import { RespSession } from "./session.ts";
import type { RedisValue } from "./value.ts";
import { writeValue } from "./writer.ts";

const asked = (...commands: readonly (readonly (string | Uint8Array)[])[]): Buffer =>
  Buffer.concat(commands.map((command) => writeValue(command)));
const from = (text: string): Buffer => Buffer.from(text.replaceAll("\n", "\r\n"), "latin1");

/** Bytes one at a time: wherever they are cut, requests and answers are the same. */
function bytewise<T>(read: (chunk: Buffer) => Iterable<T>, bytes: Buffer): T[] {
  return [...bytes].flatMap((_, at) => [...read(bytes.subarray(at, at + 1))]);
}

const VALUES: readonly (readonly [string, RedisValue])[] = [
  ["+OK\n", { status: "OK" }],
  ["-WRONGTYPE no\n", { error: "WRONGTYPE no" }],
  [":-7\n", -7],
  [":9223372036854775807\n", 9_223_372_036_854_775_807n],
  ["$4\na\r\0b\n", "a\r\0b"],
  ["$2\n\xff\xfe\n", new Uint8Array([255, 254])],
  ["$0\n\n", ""],
  ["$-1\n", { nothing: "string" }],
  ["*-1\n", { nothing: "array" }],
  ["*0\n", []],
  ["*3\n:1\n*2\n$1\na\n*0\n_\n", [1, ["a", []], null]],
  ["#t\n", true],
  [",inf\n", { number: "inf" }],
  ["(3492890328409238509324850943850943825024385\n", { big: "3492890328409238509324850943850943825024385" }],
  ["=8\ntxt:some\n", { verbatim: "txt:some" }],
  ["!9\nSYNTAX no\n", { failure: "SYNTAX no" }],
  ["%2\n$1\nb\n:1\n$1\na\n*1\n:2\n", { map: { b: 1, a: [2] } }],
  ["%2\n$1\n2\n:1\n$1\n1\n:2\n", { mapEntries: ["2", 1, "1", 2] }],
  ["%0\n", { mapEntries: [] }],
  ["~2\n$1\na\n$1\nb\n", { set: ["a", "b"] }],
  [">2\n$7\nmessage\n:1\n", { push: ["message", 1] }],
];

test.each(VALUES)("%j is read wherever it is cut, and its bytes are made again", (text, value) => {
  const bytes = from(text);
  expect([...new RespReader().read(bytes)]).toEqual([{ value, bytes }]);
  const reader = new RespReader();
  expect(bytewise((chunk) => reader.read(chunk), Buffer.concat([bytes, bytes]))).toEqual([
    { value, bytes },
    { value, bytes },
  ]);
  expect(writeValue(value)).toEqual(bytes);
});

test.each(["?1\r\n", "$x\r\n", "*-2\r\n", "$\r\n", "+no end\n"])("%j is an error", (text) => {
  expect(() => [...new RespReader().read(Buffer.from(text))]).toThrow(RangeError);
});

test("a command is a request, and so is all that is written in one go", () => {
  const session = new RespSession();
  const one = asked(["get", "user:42"]);
  expect(bytewise((chunk) => session.write(chunk), one)).toMatchObject([
    { kind: "call", name: "GET user:*", args: ["get", "user:42"], bytes: one },
  ]);
  expect([...session.read(from("$3\nAda\n"))]).toMatchObject([{ kind: "answer", value: { reply: "Ada" } }]);
  const several = asked(["MULTI"], ["INCR", "n"], ["HGETALL", "h"], ["EXEC"]);
  const [request] = session.write(several);
  expect(request).toMatchObject({ kind: "call", name: "MULTI INCR n, HGETALL h", bytes: several });
  const bytes = from("+OK\n+QUEUED\n+QUEUED\n*2\n:1\n*0\n");
  const [answer] = bytewise((chunk) => session.read(chunk), bytes);
  expect(answer).toMatchObject({ kind: "answer", bytes });
  expect(session.encode((answer as { value: unknown }).value)).toEqual(bytes);
});

test("an error fails a command and a transaction; of a pipeline it is one answer among others", () => {
  const session = new RespSession();
  const failure = { message: "WRONGTYPE no", code: "WRONGTYPE" };
  const read = (text: string): unknown[] => [...session.read(from(text))];
  expect([...session.write(asked(["INCR", "a"]))]).toHaveLength(1);
  expect(read("-WRONGTYPE no\n")).toMatchObject([{ failure, value: { reply: { error: "WRONGTYPE no" } } }]);
  expect([...session.write(asked(["INCR", "a"], ["INCR", "b"]))]).toHaveLength(1);
  const [pipeline] = read("-WRONGTYPE no\n:1\n");
  expect(pipeline).not.toHaveProperty("failure");
  expect(pipeline).toMatchObject({ value: { replies: [{ error: "WRONGTYPE no" }, 1] } });
  expect([...session.write(asked(["MULTI"], ["NOSUCH"], ["EXEC"]))]).toHaveLength(1);
  expect(read("+OK\n-ERR unknown\n-EXECABORT no\n")).toMatchObject([{ failure: { code: "EXECABORT" } }]);
});

test.each([2, 3])(
  "in version %i messages come between answers, and one answer a channel to a subscription",
  (version) => {
    const session = new RespSession();
    const list = version === 2 ? "*" : ">";
    const subscribed = (verb: string, channel: string, count: number): string =>
      `${list}3\n$${verb.length}\n${verb}\n$${channel.length}\n${channel}\n:${count}\n`;
    const message = `${list}3\n$7\nmessage\n$1\na\n$2\nhi\n`;
    const read = (text: string): unknown[] => [...session.read(from(text))];
    const ask = (...command: string[]): void => {
      expect([...session.write(asked(command))]).toHaveLength(1);
    };
    ask("SUBSCRIBE", "a", "b");
    expect(read(subscribed("subscribe", "a", 1) + message)).toMatchObject([
      { kind: "incoming", value: { reply: version === 2 ? ["message", "a", "hi"] : { push: ["message", "a", "hi"] } } },
    ]);
    expect(read(subscribed("subscribe", "b", 2))).toMatchObject([{ kind: "answer" }]);
    ask("PING");
    expect(read(`${message}+PONG\n${message}`)).toMatchObject([
      { kind: "incoming" },
      { kind: "answer", value: { reply: { status: "PONG" } } },
      { kind: "incoming" },
    ]);
    ask("UNSUBSCRIBE");
    expect(read(subscribed("unsubscribe", "a", 1))).toEqual([]);
    expect(read(subscribed("unsubscribe", "b", 0))).toMatchObject([{ kind: "answer" }]);
    ask("UNSUBSCRIBE");
    expect(read(`${list}3\n$11\nunsubscribe\n$-1\n:0\n`)).toMatchObject([{ kind: "answer" }]);
    ask("LRANGE", "a", "0", "-1");
    expect(read("*3\n$7\nmessage\n$1\na\n$2\nhi\n")).toMatchObject([
      { kind: "answer", value: { reply: ["message", "a", "hi"] } },
    ]);
    ask("SUBSCRIBE", "x", "y");
    expect(read("-NOPERM no\n")).toMatchObject([{ kind: "answer", failure: { code: "NOPERM" } }]);
  },
);

test("a command to which no answer comes is not read, and what was written before it is", () => {
  const session = new RespSession();
  const bytes = asked(["GET", "a"], ["CLIENT", "REPLY", "OFF"]);
  expect([...session.write(bytes)]).toMatchObject([
    { kind: "call", name: "GET a" },
    { kind: "unknown", name: "CLIENT" },
  ]);
  expect([...session.write(asked(["PSYNC", "?", "-1"]))]).toMatchObject([{ kind: "unknown" }]);
});

test("an answer that redaction could not read is said to be missing", () => {
  const session = new RespSession();
  expect(() => session.encode("UNSCANNED_2000000")).toThrow("redaction has left it out");
  expect(() => session.encode({ reply: { other: 1 } })).toThrow(TypeError);
});

test.each([
  [["GET", "user:42:cart"], "GET user:*:cart"],
  [["SET", "grace.hopper@example.com", "x"], "SET *"],
  [["EVAL", "return 1", "1", "k:1"], "EVAL k:*"],
  [["EVAL", "return 1", "0"], "EVAL"],
  [["XREAD", "COUNT", "2", "STREAMS", "s", "0"], "XREAD s"],
  [["XGROUP", "create", "s:1", "g", "0"], "XGROUP CREATE s:*"],
  [["CLIENT", "SETINFO", "LIB-NAME", "x"], "CLIENT SETINFO"],
  [["CONFIG", "SET", "requirepass", "secret"], "CONFIG SET"],
  [["PING"], "PING"],
])("%j is named %s", (command, name) => {
  expect(nameOf(command)).toBe(name);
});

const omitted = { omitted: "password" };

test.each([
  [
    ["AUTH", "secret"],
    ["AUTH", omitted],
  ],
  [
    ["auth", "me", "secret"],
    ["auth", "me", omitted],
  ],
  [
    ["HELLO", "3", "AUTH", "me", "secret", "SETNAME", "n"],
    ["HELLO", "3", "AUTH", "me", omitted, "SETNAME", "n"],
  ],
  [
    ["CONFIG", "SET", "requirepass", "secret"],
    ["CONFIG", "SET", "requirepass", omitted],
  ],
  [
    ["ACL", "SETUSER", "me", "on", ">secret", "~*"],
    ["ACL", "SETUSER", "me", "on", omitted, "~*"],
  ],
  [
    ["MIGRATE", "h", "1", "k", "0", "9", "AUTH2", "me", "secret"],
    ["MIGRATE", "h", "1", "k", "0", "9", "AUTH2", "me", omitted],
  ],
  [
    ["HSET", "k", "password", "secret", "a", "b"],
    ["HSET", "k", { password: "secret", a: "b" }],
  ],
  [
    ["MSET", "a", "1", "b", "2"],
    ["MSET", { a: "1", b: "2" }],
  ],
])("%j is shown as %j", (command, shown) => {
  expect(readableCommand(command)).toEqual(shown);
});
