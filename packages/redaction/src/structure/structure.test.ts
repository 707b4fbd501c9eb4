import { crc32 } from "node:zlib";
import { decodeValue, encodeValue } from "@reenact/envelope";
import { describe, expect, test } from "vitest";
import { createScrubber } from "../scrubber.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 9), known: [{ name: "K", value: "zebra-crossing-77" }] });
const MAIL = "alice.plant@example.com";
const TOKEN = scrubber.scrub(MAIL).text;
const base64 = (text: string, encoding: "base64" | "base64url" = "base64"): string =>
  Buffer.from(text, "utf8").toString(encoding);
const json = (value: unknown): string => scrubber.scrub(JSON.stringify(value), { mime: "application/json" }).text;

describe("base64 of text", () => {
  test.each(["base64", "base64url"] as const)("%s: the text inside is redacted, and it stays base64", (encoding) => {
    const out = scrubber.scrub(base64(`write to ${MAIL} ÿ?>`, encoding)).text;
    expect(Buffer.from(out, encoding).toString()).toBe(`write to ${TOKEN} ÿ?>`);
    expect(scrubber.scrub(out).text).toBe(out);
  });

  test("in JSON members, short and long, wrapped, under names of media", () => {
    const long = `${"so it is. ".repeat(60)}${MAIL}`;
    for (const text of [MAIL, long]) {
      const { data, content } = JSON.parse(json({ data: base64(text), content: base64(text) })) as Record<
        string,
        string
      >;
      expect(Buffer.from(data ?? "", "base64").toString()).toBe(text.replace(MAIL, TOKEN));
      expect(Buffer.from(content ?? "", "base64").toString()).toBe(text.replace(MAIL, TOKEN));
    }
    const wrapped = base64(long).replace(/(.{76})/g, "$1\r\n");
    expect(Buffer.from(scrubber.scrub(wrapped).text, "base64").toString()).toBe(long.replace(MAIL, TOKEN));
  });

  test("in the middle of a text, short and long, escaped, under any name", () => {
    const run = base64(`to: ${MAIL}, from me`);
    const clean = base64(`to: ${TOKEN}, from me`);
    for (const around of [
      (it: string) => `payload=${it}`,
      (it: string) => `${"so it is. ".repeat(90)}"${it}"\n and ${it}, both`,
      (it: string) => `a:${it};`,
    ]) {
      expect(scrubber.scrub(around(run)).text).toBe(around(clean));
      expect(scrubber.scrub(around(clean)).text).toBe(around(clean));
      expect(JSON.parse(json({ note: around(run) }))).toEqual({ note: around(clean) });
    }
    const id = `the id ${base64("\u0001\u0002".repeat(12))} and ${base64("no value in here at all")} stay`;
    expect(scrubber.scrub(id).text).toBe(id);
  });

  test("what was let be inside base64 is found outside it later", () => {
    const own = createScrubber({ key: Buffer.alloc(32, 9) });
    const inner = JSON.stringify({ note: base64(`to: ${MAIL}`) });
    own.scrub(JSON.stringify({ x: base64(inner) }), { mime: "application/json" });
    expect(own.scrub(inner, { mime: "application/json" }).text).not.toBe(inner);
  });

  test("a run that another value crosses goes whole", () => {
    const run = base64(`to: ${MAIL}, from me`);
    const out = scrubber.scrub(`password=${run}`).text;
    expect(out).not.toContain(run.slice(0, 12));
    expect(scrubber.scrub(out).text).toBe(out);
  });

  test("JSON inside it, but not base64 inside base64", () => {
    const inner = Buffer.from(scrubber.scrub(base64(JSON.stringify({ password: "hunter2!!" }))).text, "base64");
    expect(JSON.parse(inner.toString())).toEqual({ password: expect.stringMatching(/^AUTH_/) as string });
    const twice = base64(base64(MAIL));
    expect(scrubber.scrub(twice).text).toBe(twice);
  });

  test("data: URLs of text are read, those of pictures stay", () => {
    const out = scrubber.scrub(`data:text/plain;charset=utf-8;base64,${base64(MAIL)}`).text;
    expect(out).toBe(`data:text/plain;charset=utf-8;base64,${base64(TOKEN)}`);
    const picture = `data:image/png;base64,${Buffer.alloc(600, 7).toString("base64")}`;
    expect(scrubber.scrub(picture).text).toBe(picture);
  });

  test("words, ids and hashes are no base64 of text", () => {
    for (const plain of [
      "claude-3-5-sonnet-20241022",
      "chatcmpl-9abcDEF0123456789",
      "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    ])
      expect(scrubber.scrub(plain).text).toBe(plain);
  });
});

describe("names beside their values", () => {
  test.each([
    [{ headers: ["authorization", "Basic abc", "accept", "x"] }, /Basic abc/],
    [{ headers: [["x-api-key", "plain1"]] }, /plain1/],
    [{ Name: "X-Api-Key", Value: "plain1" }, /plain1/],
    [{ key: "api_key", value: { stringValue: "plain1" } }, /plain1/],
    [{ header: "cookie", value: "sid=plain1" }, /plain1/],
    [{ password: 12345678 }, /12345678/],
    [[{ password: 12345678 }], /12345678/],
  ])("%j", (value, secret) => {
    const out = json(value);
    expect(out).not.toMatch(secret);
    expect(typeof JSON.parse(out)).toBe("object");
    expect(json(JSON.parse(out))).toBe(out);
  });

  test("numbers stay numbers, and others stay as they are", () => {
    expect(json({ password: 12345678, pin: 1, max_tokens: 4096, temperature: 0.75 })).toBe(
      '{"password":99999999,"pin":1,"max_tokens":4096,"temperature":0.75}',
    );
  });
});

describe("typed values keep their shape", () => {
  const scrubbed = (value: unknown): unknown => decodeValue(json(JSON.parse(encodeValue(value).text)));

  test("a whole number, bytes, parameters", () => {
    expect(scrubbed({ n: 4111111111111111n })).toEqual({ n: 9999999999999999n });
    expect(String(scrubbed(Buffer.from(`to ${MAIL}`)))).toBe(`to ${TOKEN}`);
    const long = `${"x ".repeat(20_000)}${MAIL}`;
    expect(Buffer.from(scrubbed(new TextEncoder().encode(long)) as Uint8Array).toString()).toBe(
      long.replace(MAIL, TOKEN),
    );
    expect(String(scrubbed(new URLSearchParams({ api_key: "short", q: "x" })))).toMatch(/^api_key=AUTH_\w+&q=x$/);
    expect(scrubbed(new URL(`https://h.example/${encodeURIComponent(MAIL)}?token=abc`))).toBeInstanceOf(URL);
  });

  test("a map's secrets, and references that look like secret numbers", () => {
    expect(scrubbed(new Map([["password", "hunter2"]]))).toEqual(
      new Map([["password", expect.stringMatching(/^AUTH_/) as string]]),
    );
    expect(scrubbed({ password: 12345678 })).toEqual({ password: 99999999 });
    const many = { list: Array.from({ length: 3000 }, (_, i) => i + 0.5), password: "hunter2hunter2" };
    expect(scrubbed(many)).toEqual({ ...many, password: expect.stringMatching(/^AUTH_/) as string });
  });

  test("pictures in buffers stay", () => {
    const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.from(MAIL)]);
    expect(scrubbed(png)).toEqual(png);
  });
});

/** One message of a binary event stream. */
function frame(headers: Record<string, string>, payload: string | Uint8Array): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(Buffer.byteLength(value));
      return Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([7]),
        length,
        Buffer.from(value),
      ]);
    }),
  );
  const body = Buffer.from(payload);
  const out = Buffer.alloc(12 + head.length + body.length + 4);
  out.writeUInt32BE(out.length, 0);
  out.writeUInt32BE(head.length, 4);
  out.writeUInt32BE(crc32(out.subarray(0, 8)), 8);
  head.copy(out, 12);
  body.copy(out, 12 + head.length);
  out.writeUInt32BE(crc32(out.subarray(0, out.length - 4)), out.length - 4);
  return out;
}

/** Payloads of a stream, whose lengths and checksums are checked on the way. */
function payloads(bytes: Buffer): string[] {
  const out: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const total = bytes.readUInt32BE(at);
    const one = bytes.subarray(at, at + total);
    expect(crc32(one.subarray(0, 8))).toBe(one.readUInt32BE(8));
    expect(crc32(one.subarray(0, total - 4))).toBe(one.readUInt32BE(total - 4));
    out.push(one.toString("utf8", 12 + one.readUInt32BE(4), total - 4));
    at += total;
  }
  return out;
}

describe("binary event streams", () => {
  const mime = "application/vnd.amazon.eventstream";
  const scrubbed = (bytes: Buffer): Buffer => {
    const { text } = scrubber.scrub(bytes.toString("latin1"), { mime });
    expect(scrubber.scrub(text, { mime }).text).toBe(text);
    return Buffer.from(text, "latin1");
  };

  test("a value that is split over frames; lengths and checksums are made anew", () => {
    const delta = (text: string): Buffer =>
      frame({ ":event-type": "contentBlockDelta" }, JSON.stringify({ contentBlockIndex: 0, delta: { text }, p: "é" }));
    const parts = ["Grüße an alice.", "plant@exam", "ple.com, fin"].map(delta);
    const out = payloads(scrubbed(Buffer.concat(parts))).map(
      (p) => (JSON.parse(p) as { delta: { text: string } }).delta.text,
    );
    expect(out).toHaveLength(3);
    expect(out.join("")).toBe(`Grüße an ${TOKEN}, fin`);
  });

  test("payloads in base64 inside JSON", () => {
    const chunk = (text: string): Buffer =>
      frame(
        { ":event-type": "chunk" },
        JSON.stringify({
          bytes: base64(JSON.stringify({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
          p: "abcdef",
        }),
      );
    const out = payloads(scrubbed(Buffer.concat([chunk("mail alice.pl"), chunk("ant@example.com now")]))).map((p) => {
      const { bytes } = JSON.parse(p) as { bytes: string };
      return (JSON.parse(Buffer.from(bytes, "base64").toString()) as { delta: { text: string } }).delta.text;
    });
    expect(out.join("")).toBe(`mail ${TOKEN} now`);
  });

  test("untouched frames stay byte for byte; a cut one and a header are covered", () => {
    const clean = frame({ ":event-type": "metadata" }, '{"usage":{"inputTokens":12}}');
    expect(scrubbed(clean)).toEqual(clean);
    const cut = Buffer.concat([clean, frame({}, JSON.stringify({ message: MAIL })).subarray(0, 60)]);
    expect(scrubbed(cut).toString("latin1")).not.toContain(MAIL);
    expect(payloads(scrubbed(frame({ ":exception-type": MAIL }, "{}")))).toEqual(["{}"]);
    expect(scrubbed(frame({ ":exception-type": MAIL }, "{}")).toString("latin1")).not.toContain(MAIL);
  });
});

describe("bytes of other kinds", () => {
  test("are scanned, but media", () => {
    const mime = "application/octet-stream";
    expect(scrubber.scrub(`\xfe\x00${MAIL}\x00`, { mime }).text).toBe(`\xfe\x00${TOKEN}\x00`);
    expect(scrubber.scrub(`\x89PNG${MAIL}`, { mime }).counts).toEqual({});
    expect(scrubber.scrub(`zebra-crossing-77 ${MAIL}`, { mime: "image/png" }).counts).toEqual({});
  });

  test("a request's target is read as a URL", () => {
    expect(scrubber.scrub(`/v1/x?api_key=short&user=${encodeURIComponent(MAIL)}`).text).toMatch(
      /^\/v1\/x\?api_key=AUTH_\w+&user=EMAIL_\w+$/,
    );
  });
});

test.each([
  ['Result:\n{"user":{"first_name":"Mia","password":"hunter2","street":"Am Markt 79"}}', ["Mia", "hunter2", "Markt"]],
  ['```json\n{\n  "first_name": "Mia"\n}\n```\nand\n```\n[{"otp":"hunter2"}]\n```', ["Mia", "hunter2"]],
  ['{"a":{"password":"hun\\"ter2"}}\n(exit code 0)', ["ter2"]],
  ['     1→{\n     2→  "password": "hunter2"\n     3→}\n', ["hunter2"]],
  ['<stdout>{"password":"hunter2"}</stdout>', ["hunter2"]],
  [`${"[a](b)\n{ a: 1 }\n".repeat(20)}{"password":"hunter2"}`, ["hunter2"]],
  ['> {\n>   "password": "hunter2"\n> }\n', ["hunter2"]],
  ['@@ -0,0 +1,3 @@\n+{\n+  "password": "hunter2"\n+}\n', ["hunter2"]],
])("JSON that begins a line of a text is read as JSON: %j", (text, values) => {
  const out = scrubber.scrub(text).text;
  for (const value of values) expect(out).not.toContain(value);
  expect(out.replace(/"[A-Z]+_[a-z]{4}_[a-z]{16}"/g, "")).toBe(
    text.replace(/"(?:Mia|hunter2|Am Markt 79|hun\\"ter2)"/g, ""),
  );
  expect(scrubber.scrub(out).text).toBe(out);
  expect(scrubber.scrub(JSON.stringify({ out: text })).text).toBe(JSON.stringify({ out }));
});

test("a line of .pgpass is one as a short member too", () => {
  for (const name of ["c", "content"]) expect(json({ [name]: "db:5432:shop:ada:hunter2" })).not.toContain("hunter2");
});

test("what only looks like JSON at the beginning of a line stays", () => {
  const text = 'f() \n{ a: 1 }\n["a": "b"]\n{"first_name":"Mia"\n';
  expect(scrubber.scrub(text).text).toBe(text);
});
