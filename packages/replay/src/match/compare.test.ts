import { gzipSync } from "node:zlib";
import type { Dialect, Operation } from "@reenact/capture";
import type { SentRequest } from "@reenact/capture/recorder";
import type { StepRecord } from "@reenact/envelope";
import { dialects } from "@reenact/node";
import { createScrubber } from "@reenact/redaction";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RecordedStep } from "../tape/tape.ts";
import { readAsked } from "./asked.ts";
import { compare, type Comparison } from "./compare.ts";
import { ValueAlignment } from "./value-alignment.ts";

const CHAT = "https://api.openai.com/v1/chat/completions";
const JSON_TYPE: readonly [string, string] = ["content-type", "application/json"];
const KEY = Buffer.alloc(32, 1);
const scrubber = createScrubber({ key: KEY });
const openai = dialects.find(({ name }) => name === "openai") as Dialect;

interface Sent {
  method?: string;
  url?: string;
  headers?: readonly (readonly [string, string])[];
  body?: string | Uint8Array | null;
}

const content = ({ method = "POST", url = CHAT, headers = [], body = null }: Sent): SentRequest => ({
  method,
  url,
  headers: headers.some(([name]) => name === "content-type") ? headers : [JSON_TYPE, ...headers],
  body,
});

function recognised(sent: Sent): Operation | null {
  const body = typeof sent.body === "string" ? sent.body : null;
  return openai.recognise({ method: "POST", url: new URL(sent.url ?? CHAT), headers: new Map(), body });
}

/** The step that a recorder would have made of a request. */
function recorded(sent: Sent, key: Buffer = KEY): RecordedStep {
  const asked = readAsked(content(sent), recognised(sent), createScrubber({ key }));
  const { method, headers: all } = content(sent);
  const headers = all.map(([name, value]): [string, string] => [
    name,
    createScrubber({ key }).scrub(value, { key: name }).text,
  ]);
  const body = asked.bytes
    ? { base64: Buffer.from(asked.bytes).toString("base64") }
    : headers.some(([name]) => name === "content-encoding")
      ? { base64: Buffer.from(sent.body as Uint8Array).toString("base64") }
      : { $: "input.value" };
  const request = {
    method,
    url: asked.url,
    headers,
    ...(sent.body === undefined || sent.body === null ? {} : { body }),
  };
  const record = {
    op: recognised(sent)?.op ?? "http:POST x",
    exchange: { via: "fetch", request, end: "complete" },
    digests: asked.digests,
    redacted: { counts: asked.redacted ? { X: 1 } : {} },
  };
  return {
    index: 0,
    record: record as unknown as StepRecord,
    kind: "LLM",
    name: "chat",
    input: asked.text,
    output: null,
    spanId: "",
  };
}

function compared(before: Sent, after: Sent, options: { live?: boolean; recordedKey?: Buffer } = {}): Comparison {
  const operation = recognised(after);
  const alignment = new ValueAlignment(() => options.live === true);
  const asRecorded = (text: string): string => text;
  const asked = readAsked(content(after), operation, scrubber, asRecorded);
  return compare(asked, recorded(before, options.recordedKey), { alignment, scrubber, asRecorded, operation });
}

const chat = (more: object = {}): string =>
  JSON.stringify({
    model: "m",
    messages: [
      { role: "system", content: "s" },
      { role: "user", content: "u" },
    ],
    ...more,
  });

const CALL_A = "call_a1B2c3D4e5F6g7H8i9J0k1L2";
const CALL_B = "call_Z9y8X7w6V5u4T3s2R1q0P9o8";

describe("fields of a model's request", () => {
  const weather = { type: "function", function: { name: "weather" } };
  const time = { type: "function", function: { name: "time" } };
  const thought = (signature: string) => ({
    messages: [
      { role: "assistant", content: [{ type: "thinking", thinking: "t", signature }] },
      { role: "user", content: "u" },
    ],
  });

  test.each([
    ["stream_options", {}, { stream_options: { include_usage: true } }, "params", "/stream_options"],
    ["store", { store: true }, { store: false }, "params", "/store"],
    ["user", { user: "a" }, { user: "b" }, "params", "/user"],
    ["metadata", { metadata: { run: "1" } }, { metadata: { run: "2" } }, "params", "/metadata/run"],
    ["a signature", thought("s1"), thought("s2"), "params", "/messages/0/content/0/signature"],
    ["order of tools", { tools: [weather, time] }, { tools: [time, weather] }, "params", "/tools"],
    ["a new tool", { tools: [weather] }, { tools: [weather, time] }, "changed", "/tools/1"],
    ["model", {}, { model: "n" }, "params", "/model"],
    ["temperature", {}, { temperature: 0 }, "params", "/temperature"],
    [
      "the system prompt",
      {},
      {
        messages: [
          { role: "system", content: "t" },
          { role: "user", content: "u" },
        ],
      },
      "system",
      "/messages/0/content",
    ],
    [
      "the last message",
      {},
      {
        messages: [
          { role: "system", content: "s" },
          { role: "user", content: "v" },
        ],
      },
      "changed",
      "/messages/1/content",
    ],
  ])("%s", (_, before, after, verdict, pointer) => {
    const found = compared({ body: chat(before) }, { body: chat(after) });
    expect([found.verdict, found.differences[0]?.pointer]).toEqual([verdict, pointer]);
  });

  test("the one that decides the verdict comes first, all others behind it", () => {
    const found = compared(
      { body: chat({ aaa: 1 }) },
      {
        body: chat({
          aaa: 2,
          messages: [
            { role: "system", content: "s" },
            { role: "user", content: "v" },
          ],
        }),
      },
    );
    expect(found.verdict).toBe("changed");
    expect(found.differences.map(({ pointer }) => pointer)).toEqual(["/messages/1/content", "/aaa"]);
  });

  test("an older message that differs under the same last one is history", () => {
    const turns = (first: string): Sent => ({
      body: chat({ messages: [first, "b", "c"].map((text) => ({ role: "user", content: text })) }),
    });
    expect(compared(turns("a"), turns("x"))).toMatchObject({
      verdict: "history",
      differences: [{ pointer: "/messages/0/content", recorded: "a", now: "x" }],
    });
  });

  test("key order, white space and escapes are no difference", () => {
    const other =
      '{ "messages": [{"content":"\\u0073","role":"system"}, {"content":"u","role":"user"}], "model": "m" }';
    expect(compared({ body: chat() }, { body: other })).toEqual({ verdict: "equivalent", differences: [], notes: [] });
  });
});

describe("ids", () => {
  const api = (body: object, url = "https://api.example/x"): Sent => ({ url, body: JSON.stringify(body) });

  test.each([
    ["a body", api({ id: CALL_A }), api({ id: CALL_B }), "/id"],
    ["a URL", api({}, `https://api.example/runs/${CALL_A}`), api({}, `https://api.example/runs/${CALL_B}`), ""],
  ])("of a provider's form are compared as they stand in %s", (_, before, after, pointer) => {
    expect(compared(before, after)).toMatchObject({ verdict: "changed", differences: [{ pointer }] });
  });

  test("that a live step has minted are compared by place, one to one", () => {
    const two = (a: string, b: string): Sent => api({ a, b });
    expect(compared(two(CALL_A, CALL_A), two(CALL_B, CALL_B), { live: true }).differences).toEqual([]);
    expect(compared(two(CALL_A, CALL_A), two(CALL_A, CALL_B), { live: true }).differences).toHaveLength(1);
  });
});

describe("headers", () => {
  const sent = (...headers: [string, string][]): Sent => ({ body: chat(), headers });

  test.each([
    ["a beta", sent(["anthropic-beta", "a"]), sent(["anthropic-beta", "b"]), "/anthropic-beta"],
    ["an added one", sent(), sent(["x-tenant", "acme"]), "/x-tenant"],
    ["a removed one", sent(["x-tenant", "acme"]), sent(), "/x-tenant"],
    [
      "a credential",
      sent(["authorization", "Bearer key-one-12345"]),
      sent(["Authorization", "Bearer key-two-12345"]),
      "/authorization",
    ],
    ["a cookie", sent(["cookie", "sid=abcdefgh; a=1"]), sent(["cookie", "sid=hgfedcba; a=1"]), "/cookie"],
    ["one of two values", sent(["x-a", "1"], ["x-a", "2"]), sent(["x-a", "1"], ["x-a", "3"]), "/x-a"],
    [
      "a media type",
      sent(["content-type", "application/json"]),
      sent(["content-type", "application/json; charset=utf-8"]),
      "/content-type",
    ],
  ])("%s differs", (_, before, after, pointer) => {
    expect(compared(before, after)).toMatchObject({ verdict: "params", differences: [{ of: "header", pointer }] });
  });

  test("those that SDKs and transports set are notes, with their names", () => {
    const of = (n: string): Sent =>
      sent(["user-agent", `sdk/${n}`], ["x-stainless-package-version", n], ["traceparent", n], ["content-length", n]);
    const { verdict, differences, notes } = compared(of("1"), of("2"));
    expect([verdict, differences]).toEqual(["equivalent", []]);
    expect(notes.join()).toMatch(/user-agent.*x-stainless-package-version.*traceparent.*content-length/);
  });

  test("case of names and order among names are no difference, a signature of the same scheme neither", () => {
    const signed = (s: string): [string, string] => [
      "authorization",
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=${s.repeat(64)}`,
    ];
    expect(compared(sent(["X-A", "1"], signed("a")), sent(signed("b"), ["x-a", "1"])).differences).toEqual([]);
  });
});

describe("addresses", () => {
  const at = (url: string, method = "POST"): Sent => ({ url, method, body: "{}" });

  test.each([
    ["path", at("https://h.example/a"), at("https://h.example/b"), "changed", "URL"],
    ["query", at("https://h.example/a?x=1"), at("https://h.example/a?x=2"), "changed", "URL"],
    ["scheme", at("https://h.example/a"), at("http://h.example/a"), "changed", "URL"],
    ["method", at("https://h.example/a", "PUT"), at("https://h.example/a", "DELETE"), "changed", "method"],
  ])("another %s", (_, before, after, verdict, of) => {
    expect(compared(before, after)).toMatchObject({ verdict, differences: [{ of }] });
  });

  test("a model's call to another host is a difference, to another port of this machine a note", () => {
    const model = (origin: string): Sent => ({ url: `${origin}/v1/chat/completions`, body: chat() });
    expect(compared(model("https://api.openai.com"), model("https://api.groq.com"))).toMatchObject({
      verdict: "params",
      differences: [{ of: "URL", recorded: "https://api.openai.com", now: "https://api.groq.com" }],
    });
    const port = compared(model("http://127.0.0.1:1111"), model("http://localhost:2222"));
    expect([port.verdict, port.differences, port.notes.length]).toEqual(["equivalent", [], 1]);
  });

  test("parameters of the URL in another order are a note", () => {
    const { differences, notes } = compared(at("https://h.example/a?x=1&y=2"), at("https://h.example/a?y=2&x=1"));
    expect([differences, notes]).toEqual([[], [expect.stringContaining("order of the parameters")]]);
  });
});

describe("other bodies", () => {
  const zipped = (value: unknown, url = "https://h.example/runs/batch"): Sent => ({
    url,
    headers: [["content-encoding", "gzip"]],
    body: gzipSync(JSON.stringify(value)),
  });

  test("what is in a compressed body is compared, whatever its path", () => {
    expect(compared(zipped({ a: 1 }), zipped({ a: 1 })).differences).toEqual([]);
    expect(compared(zipped({ a: 1 }), zipped({ a: 2 }))).toMatchObject({
      verdict: "changed",
      differences: [{ pointer: "/a", recorded: 1, now: 2 }],
    });
  });

  test("telemetry is known by what is in it, and named", () => {
    const batch = (n: number) => zipped({ post: [{ dotted_order: `2026${n}` }] });
    expect(compared(batch(1), batch(2))).toEqual({
      verdict: "equivalent",
      differences: [],
      notes: ["telemetry for LangSmith differs (http:POST x)"],
    });
    // what cannot be read is compared
    const bytes = (n: number): Sent => ({
      url: "https://h.example/v1/traces",
      headers: [["content-type", "application/x-protobuf"]],
      body: Buffer.of(255, 254, n),
    });
    expect(compared(bytes(1), bytes(2)).verdict).toBe("changed");
  });

  test("a form is compared by its parts, a list of pairs by its names", () => {
    const form = (boundary: string, purpose: string): Sent => ({
      url: "https://h.example/files",
      headers: [["content-type", `multipart/form-data; boundary=${boundary}`]],
      body: Buffer.concat([
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\n${purpose}\r\n`),
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`),
        Buffer.of(255, 254),
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]),
    });
    expect(compared(form("aaa", "x"), form("bbb", "x")).differences).toEqual([]);
    expect(compared(form("aaa", "x"), form("bbb", "y")).differences).toMatchObject([{ pointer: "/purpose" }]);
    const pairs = (body: string): Sent => ({
      url: "https://h.example/f",
      headers: [["content-type", "application/x-www-form-urlencoded"]],
      body,
    });
    const order = "the order of the form's fields in the body differs (http:POST x)";
    const encoding = "the encoding of the form's fields in the body differs (http:POST x)";
    expect(compared(pairs("a=1&b=2"), pairs("a=1&b=2"))).toMatchObject({ differences: [], notes: [] });
    expect(compared(pairs("a=1&b=2"), pairs("b=2&a=1"))).toMatchObject({ differences: [], notes: [order] });
    expect(compared(pairs("a=1+2&b=2"), pairs("a=1%202&b=2"))).toMatchObject({ differences: [], notes: [encoding] });
    expect(compared(pairs("a=1&a=2&b=3"), pairs("b=3&a=1&a=2"))).toMatchObject({ differences: [], notes: [order] });
    expect(compared(pairs("a=1&a=2&b=3"), pairs("b=3&a=2&a=1")).differences).toMatchObject([
      { pointer: "/a" },
      { pointer: "/a" },
    ]);
    expect(compared(pairs("a=1&b=2"), pairs("a=1&b=3")).differences).toMatchObject([{ pointer: "/b" }]);
  });
});

describe("redacted values", () => {
  const mail = (who: string): Sent => ({
    body: chat({ messages: [{ role: "user", content: `write to ${who}@example.com` }] }),
  });

  test("are compared by value under the key of the recording, by place under another", () => {
    expect(compared(mail("alice"), mail("bob")).verdict).toBe("changed");
    expect(compared(mail("alice"), mail("alice")).verdict).toBe("equivalent");
    const other = Buffer.alloc(32, 2);
    expect(compared(mail("alice"), mail("alice"), { recordedKey: other }).verdict).toBe("equivalent");
  });
});

const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const tree = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("node"), { maxLength: 4 }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie("node"), { maxKeys: 4 }),
  ),
})).node;

test("any two bodies that differ as values are found to differ, equal ones never", () => {
  const sent = (value: unknown): Sent => ({ url: "https://h.example/x", body: JSON.stringify({ value }) });
  const shuffled = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(shuffled)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .toReversed()
              .map(([k, v]) => [k, shuffled(v)]),
          )
        : value;
  const sorted = (value: unknown): string =>
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === "object" && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
        : each,
    );
  fc.assert(
    fc.property(tree, tree, (a, b) => {
      expect(compared(sent(a), sent(shuffled(a))).differences).toEqual([]);
      const isSame = sorted(a) === sorted(b);
      expect(compared(sent(a), sent(b)).differences.length === 0).toBe(isSame);
    }),
    { numRuns: 300 },
  );
});
