import { describe, expect, test, vi } from "vitest";
import { createScrubber } from "./scrubber.ts";

const key = Buffer.alloc(32, 7);
const scrubber = createScrubber({ key, known: [{ name: "DB_PASSWORD", value: "hunter2hunter2" }] });
const scrub = (text: string, hint = {}): string => scrubber.scrub(text, hint).text;
/** Tokens as their types only. */
const shape = (text: string, hint = {}): string => scrub(text, hint).replace(/_[a-z]{4}_[a-z]{16}/g, "");
const ALNUM = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6";

describe("a stream of events", () => {
  const secret = `ghp_${ALNUM.slice(0, 36)}`;
  const pieces = secret.match(/.{1,6}/g)!;
  const stream = (choice: (n: number) => object) =>
    pieces
      .map((content, n) => `data: ${JSON.stringify({ choices: [{ ...choice(n), delta: { content } }] })}\n\n`)
      .join("");
  /** As whoever shows it joins it. */
  const joined = (text: string) =>
    [...text.matchAll(/^data: (.*)$/gm)]
      .map(([, data]) => (JSON.parse(data!) as { choices: [{ delta: { content: string } }] }).choices[0].delta.content)
      .join("");

  test.each(["text/event-stream", "text/plain", "application/json", "application/octet-stream", "text/html", ""])(
    "is read as one under %s",
    (mime) => {
      expect(
        joined(
          scrub(
            stream(() => ({ index: 0 })),
            { mime },
          ),
        ),
      ).toMatch(/^KEY_/);
    },
  );

  test("whose pieces leave the number of their choice out now and then", () => {
    const out = scrub(
      stream((n) => (n % 3 === 0 ? {} : { index: 0 })),
      { mime: "text/event-stream" },
    );
    expect(joined(out)).toMatch(/^KEY_/);
  });
});

describe("tokens", () => {
  test("have the type, the key's four letters and sixteen letters", () => {
    expect(scrub("alice@example.com")).toMatch(/^EMAIL_[a-z]{4}_[a-z]{16}$/);
    expect(scrub("alice@example.com")).toContain(`_${scrubber.kid}_`);
  });

  test("come from the value alone: spelling, nesting and process make no difference", () => {
    const token = scrub("alice@example.com");
    expect(scrub("ALICE@Example.COM")).toBe(token);
    expect(createScrubber({ key }).scrub("alice@example.com").text).toBe(token);
    const nested = JSON.stringify({ a: JSON.stringify({ b: JSON.stringify(["x alice@example.com"]) }) });
    expect(scrub(nested)).toContain(token);
    expect(scrub("https://x.example/?to=alice%40example.com")).toContain(token);
    expect(scrub("4111 1111 1111 1111")).toBe(scrub("4111-1111-1111-1111"));
  });

  test("differ under another key", () => {
    expect(createScrubber({ key: Buffer.alloc(32, 8) }).scrub("alice@example.com").text).not.toBe(
      scrub("alice@example.com"),
    );
  });
});

describe("what is found", () => {
  test.each([
    ["write to alice+x@mail.example.co.uk.", "write to EMAIL."],
    ["cards 4111111111111111, 3782 822463 10005", "cards CARD, CARD"],
    [`use sk-proj-${ALNUM} now`, "use KEY now"],
    ["AKIA2E4WCHFFQZ7LNPBD", "KEY"],
    [`ghp_${ALNUM.slice(0, 36)}`, "KEY"],
    ["the password hunter2hunter2!", "the password SECRET!"],
    ["postgres://joe:s3cr%21t@db/x", "postgres://AUTH:AUTH@db/x"],
    ["export MY_API_KEY=abc123def456", "export MY_API_KEY=AUTH"],
    [`-----BEGIN PRIVATE KEY-----\nMIIE\nabc=\n-----END PRIVATE KEY-----\n`, "PEM\n"],
    [String.raw`-----BEGIN PRIVATE KEY-----\nMIIE\nabc=\n-----END PRIVATE KEY-----\n`, String.raw`PEM\n`],
    ["-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r", "PEM"],
  ])("%s", (text, expected) => {
    expect(shape(text)).toBe(expected);
  });

  test("a JSON Web Token keeps three parts and its claims' names", () => {
    const claims = Buffer.from('{"sub":"1234","name":"John","exp":1516239022}').toString("base64url");
    const parts = scrub(
      `${Buffer.from('{"alg":"HS256","kid":"k"}').toString("base64url")}.${claims}.SflKxwRJSMeKKF2QT4fw`,
    ).split(".");
    expect(parts).toHaveLength(3);
    expect(JSON.parse(Buffer.from(parts[1] as string, "base64url").toString())).toEqual({
      sub: "redacted",
      name: "redacted",
      exp: 1516239022,
    });
    expect(parts[2]).toMatch(/^JWT_/);
  });
});

describe("what is left alone", () => {
  test.each([
    "chatcmpl-AbCdEfGh1234567890abcdefghijk",
    "call_oIHaXyZ1234567890abcdef toolu_01A09q90qw90lq917835lq9 msg_01Aq9w938a90dw8q req_011CSHoEeqs5C35K2UUqR7Fy",
    "550e8400-e29b-41d4-a716-446655440000 4bf92f3577b34da6a3ce929d0e0e4736 00f067aa0ba902b7",
    "2026-01-02T03:04:05.678Z 1700000000000 1.0 0.4111111111111111 9007199254740993",
    "41111111111111112 id-4111111111111111 a4111111111111111",
    "icon@2x.png pkg@1.2.3 git@github.com:a/b.git @scope/name user@localhost",
    "max_tokens: 4096x8192 tokenizer=abc12345678 author: Jane99 Doe1234567 next_page_token=abc12345678",
    "password: string, api_key=$API_KEY token=<your-token-123> secret: process.env.SECRET",
    "sk-loading-indicator-container AKIAIOSFODNN7EXAMPLE sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
  ])("%s", (text) => {
    expect(scrub(text)).toBe(text);
  });

  test("JSON numbers, media, sealed reasoning, vectors", () => {
    // what looks like a Google key inside a picture
    const picture = `${Buffer.from(ALNUM.repeat(6)).toString("base64")}/AIza${ALNUM.slice(0, 35)}/AAAA`;
    const body = JSON.stringify({
      n: 4111111111111111,
      image_url: `data:image/png;base64,${picture}`,
      source: { type: "base64", data: picture },
      signature: `AIza${ALNUM.slice(0, 35)}`,
      encrypted_content: picture,
      embedding: picture,
      logprobs: {
        content: [{ token: "Hello", bytes: [72], logprob: -0.1, top_logprobs: [{ token: "Hi", logprob: -1 }] }],
      },
      usage: { max_tokens: 5, token_count: "7" },
    });
    expect(scrub(body, { mime: "application/json" })).toBe(body);
  });
});

describe("by name", () => {
  test.each([
    ["Authorization", "Bearer abc", "Bearer AUTH"],
    ["proxy-authorization", "Basic dXNlcjpwYXNz", "Basic AUTH"],
    ["x-api-key", "abc", "AUTH"],
    ["Cookie", "a=1; sid=xyz", "a=AUTH; sid=AUTH"],
    ["set-cookie", "sid=xyz; Path=/; HttpOnly", "sid=AUTH; Path=/; HttpOnly"],
    ["http.request.header.authorization", "Bearer abc", "Bearer AUTH"],
    ["content-type", "application/json", "application/json"],
    ["x-goog-api-key", "hunter2hunter2", "SECRET"],
  ])("%s: %s", (name, value, expected) => {
    expect(shape(value, { key: name })).toBe(expected);
  });

  test("members, pairs, lists of pairs, query, form", () => {
    const json =
      '{"password":"x","nested":{"client_secret":["a","b"]},"max_tokens":"9","h":[["x-api-key","k"],["a","b"]],"v":[{"name":"TOKEN","value":"t"}],"required":["token","city"]}';
    expect(shape(json, { mime: "application/json" })).toBe(
      '{"password":"AUTH","nested":{"client_secret":["AUTH","AUTH"]},"max_tokens":"9","h":[["x-api-key","AUTH"],["a","b"]],"v":[{"name":"TOKEN","value":"AUTH"}],"required":["token","city"]}',
    );
    expect(shape("https://h/p?api_key=k&q=v#access_token=t", { key: "url" })).toBe(
      "https://h/p?api_key=AUTH&q=v#access_token=AUTH",
    );
    expect(shape("user=joe&password=a+b&q=1", { mime: "application/x-www-form-urlencoded" })).toBe(
      "user=joe&password=AUTH&q=1",
    );
  });

  test("typed values, whose members name places in the outer list", () => {
    expect(shape('[{"password":1,"city":2},"x","Graz"]', { mime: "application/json" })).toBe(
      '[{"password":1,"city":2},"AUTH","Graz"]',
    );
  });
});

describe("multipart", () => {
  test("scans text parts and leaves files of other media", () => {
    const part = (name: string, type: string, body: string): string =>
      `--B\r\nContent-Disposition: form-data; name="${name}"\r\n${type === "" ? "" : `Content-Type: ${type}\r\n`}\r\n${body}\r\n`;
    const text = `${part("to", "", "alice@example.com")}${part("password", "", "x")}${part("f", "image/png", "\u0089PNG alice@example.com")}--B--\r\n`;
    const out = shape(text, { mime: "multipart/form-data; boundary=B" });
    expect(out).toContain("\r\n\r\nEMAIL\r\n--B");
    expect(out).toContain("\r\n\r\nAUTH\r\n--B");
    expect(out).toContain("\u0089PNG alice@example.com");
  });
});

describe("failing closed", () => {
  test("a leaf over the cap is replaced whole, its neighbours are not", () => {
    const small = createScrubber({ key, policy: { capUnits: 1024 } });
    const out = small.scrub(JSON.stringify({ a: "x".repeat(2000), b: "fine" }), { mime: "application/json" });
    expect(JSON.parse(out.text)).toEqual({ a: "UNSCANNED_2000", b: "fine" });
    expect(out.counts).toEqual({ UNSCANNED: 1 });
  });

  test("a fault is replaced whole and never thrown", () => {
    const out = scrubber.scrub("alice@example.com", {
      get mime(): string {
        throw new Error("broken");
      },
    });
    expect(out.text).toBe("UNSCANNED_17");
  });

  test("time over", () => {
    const late = createScrubber({ key, policy: { budgetMs: -1 } });
    const out = late.scrub(JSON.stringify({ a: "x".repeat(70_000) }), { mime: "application/json" });
    expect(JSON.parse(out.text)).toEqual({ a: "UNSCANNED_70000" });
  });

  test("time over among many short strings, and within one that holds many values", () => {
    const late = createScrubber({ key, policy: { budgetMs: -1 } });
    const many = Array.from({ length: 500 }, (_, n) => `mail${n}@example.com`);
    const out = JSON.parse(late.scrub(JSON.stringify(many), { mime: "application/json" }).text) as string[];
    expect(out.filter((each) => each.includes("@"))).toEqual([]);
    expect(out.filter((each) => each.startsWith("UNSCANNED_")).length).toBeGreaterThan(400);
    expect(late.scrub(many.join(" ")).text).toMatch(/^UNSCANNED_\d+$/);
  });
});

test("addKnown finds a value from then on, also in text seen before", () => {
  const own = createScrubber({ key });
  const text = `${"prose ".repeat(200)}my mother's maiden name`;
  expect(own.scrub(text).text).toBe(text);
  own.addKnown("maiden name", "NAME");
  expect(own.scrub(text).text).toMatch(/my mother's NAME_[a-z]{4}_[a-z]{16}$/);
});

test("policy: rules off, exact values allowed, another hash", () => {
  const own = createScrubber({ key, policy: { off: ["CARD"], allow: ["support@example.com"] } });
  expect(own.scrub("support@example.com 4111111111111111").text).toBe("support@example.com 4111111111111111");
  expect(own.rules).toMatch(/^[0-9a-f]{16}$/);
  expect(own.rules).not.toBe(scrubber.rules);
});

test("edits are offsets of the original", () => {
  const text = '{"a":"\\u00e9 alice@example.com"}';
  const { text: out, edits } = scrubber.scrub(text, { mime: "application/json" });
  expect(edits).toHaveLength(1);
  const edit = edits[0] as { start: number; end: number; with: string };
  expect(text.slice(edit.start, edit.end)).toBe("alice@example.com");
  expect(text.slice(0, edit.start) + edit.with + text.slice(edit.end)).toBe(out);
});

test("a long text is timed without a clock that a program could have drawn from", () => {
  const clocks = [vi.spyOn(process, "cpuUsage"), vi.spyOn(performance, "now"), vi.spyOn(Date, "now")];
  scrub(JSON.stringify(Array.from({ length: 500 }, (_, n) => `mail${n}@example.com`)), { mime: "application/json" });
  expect(clocks.map((clock) => clock.mock.calls.length)).toEqual([0, 0, 0]);
  for (const clock of clocks) clock.mockRestore();
});
