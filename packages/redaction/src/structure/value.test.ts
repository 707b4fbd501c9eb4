import { decodeValue, encodeValue, VALUE_MIME } from "@reenact/envelope";
import { describe, expect, test } from "vitest";
import { createScrubber } from "../scrubber.ts";

const key = Buffer.alloc(32, 9);
const scrubber = createScrubber({ key });
const SECRET = "hunter2-x9-Zebra4";
const AUTH = scrubber.scrub(SECRET, { key: "password" }).text;
const typed = (text: string, by = scrubber): string => by.scrub(text, { mime: VALUE_MIME }).text;
const scrubbed = (value: unknown, by = scrubber): unknown => decodeValue(typed(encodeValue(value).text, by));
const json = (value: unknown): unknown =>
  JSON.parse(scrubber.scrub(JSON.stringify(value), { mime: "application/json" }).text);

describe("what is shared", () => {
  test("a text under a secret and a plain name is divided; a number too", () => {
    expect(scrubbed({ password: SECRET, note: SECRET, pin_code: 12345678, token: 12345678, n: 12345678 })).toEqual({
      password: AUTH,
      note: SECRET,
      pin_code: 99999999,
      token: 99999999,
      n: 12345678,
    });
  });

  test("an array keeps its identity, and is secret everywhere", () => {
    const list = [SECRET];
    const out = scrubbed({ list, password: list }) as { list: unknown; password: unknown };
    expect(out.list).toEqual([AUTH]);
    expect(out.password).toBe(out.list);
  });

  test("two texts that come to one token are one node, as in what a replay encodes", () => {
    const { text } = encodeValue(["alice@example.com", "ALICE@example.com", new Map([["a", "alice@example.com"]])]);
    const out = typed(text);
    expect(encodeValue(decodeValue(out)).text).toBe(out);
  });

  test("cycles, long lists of links, and what is shared again and again", () => {
    const cycle: Record<string, unknown> = { password: [SECRET] };
    cycle["self"] = cycle;
    const back = scrubbed(cycle) as typeof cycle;
    expect(back["self"]).toBe(back);
    expect(back["password"]).toEqual([AUTH]);
    let links: unknown = SECRET;
    for (let i = 0; i < 20_000; i++) links = { next: links, password: i === 19_999 ? SECRET : i };
    expect((scrubbed(links) as { password: string }).password).toBe(AUTH);
    let doubled: unknown = [SECRET];
    for (let i = 0; i < 60; i++) doubled = { a: doubled, b: doubled, password: doubled };
    const text = typed(encodeValue(doubled).text);
    expect(text).not.toContain(SECRET);
    const watched = createScrubber({ key, policy: { paths: { deny: ["**/diagnosis"] } } });
    expect(typed(encodeValue(doubled).text, watched)).not.toContain(SECRET);
  });
});

test("headers are read under their names", () => {
  const headers = new Headers({
    authorization: `Bearer ${SECRET}`,
    "x-api-key": SECRET,
    "x-note": "for alice@example.com",
  });
  const out = typed(encodeValue({ error: Object.assign(new Error("x"), { headers }) }).text);
  for (const raw of [SECRET, "alice@example.com"]) expect(out).not.toContain(raw);
  const back = decodeValue(out) as { error: { headers: Headers } };
  expect([...back.error.headers.keys()]).toEqual(["authorization", "x-api-key", "x-note"]);
});

test("what the class of an error makes is read, under the name of the error and under its own", () => {
  class Told extends Error {
    get token(): string {
      return SECRET;
    }
    get hint(): string {
      return "call alice@example.com";
    }
    override toString(): string {
      return `refused for alice@example.com: ${this.message}`;
    }
    toJSON(): unknown {
      return { password: SECRET, list: [{ apiKey: SECRET }] };
    }
  }
  const { text } = encodeValue({ error: new Told("no"), of: [new Told("no")] });
  expect(text).toContain(SECRET);
  const out = typed(text);
  expect(out).not.toContain(SECRET);
  expect(out).not.toContain("alice@example.com");
  const back = decodeValue(out) as { error: Told };
  expect([back.error.token, JSON.stringify(back.error)]).toEqual([
    AUTH,
    JSON.stringify({ password: AUTH, list: [{ apiKey: AUTH }] }),
  ]);
  class Bare extends Error {
    get part(): string {
      return SECRET;
    }
    override toString(): string {
      return SECRET;
    }
    toJSON(): unknown {
      return { parts: [SECRET] };
    }
  }
  expect(typed(encodeValue({ password: new Bare("x") }).text)).not.toContain(SECRET);
  expect(typed(encodeValue(new Map([["client_secret", [new Bare(SECRET)]]])).text)).not.toContain(SECRET);
});

describe("values that no text stands for", () => {
  test("a date becomes another one that is known again", () => {
    const at = new Date("1983-02-23T08:00:00Z");
    const out = scrubbed({ dob: at, date_of_birth: [new Date("1984-03-01")], at }) as Record<string, Date>;
    expect(out["dob"]?.toISOString()).toMatch(/^1900-.*\.999Z$/);
    expect((out["date_of_birth"] as unknown as Date[])[0]?.getTime()).not.toBe(out["dob"]?.getTime());
    expect(scrubbed({ at, created_at: at })).toEqual({ at, created_at: at });
    expect(scrubbed({ dob: out["dob"] })).toEqual({ dob: out["dob"] });
    expect(scrubbed({ dob: new Date(Number.NaN) })).toEqual({ dob: new Date(Number.NaN) });
  });

  test("numbers under personal names, as a text of the same digits", () => {
    const people = {
      ssn: 123456789,
      phone: 2025550128,
      zip: 94043,
      card_number: 4111111111111111,
      n: 4111111111111111,
    };
    const wanted = { ssn: 999999999, phone: 9999999999, zip: 99999, card_number: 9999999999999990 };
    expect(json(people)).toEqual({ ...wanted, n: 4111111111111111 });
    expect(scrubbed(people)).toEqual({ ...wanted, n: 4111111111111111 });
    expect(scrubbed(scrubbed(people))).toEqual(scrubbed(people));
    expect(json(json(people))).toEqual(json(people));
    expect(scrubbed({ ssn: [123456789n, Object(123456789)] })).toEqual({ ssn: [999999999n, Object(999999999)] });
    expect(json({ ssn: 12, phones: 3, zip: 1, card: 1234567890, year: 1983 })).toEqual({
      ssn: 12,
      phones: 3,
      zip: 1,
      card: 1234567890,
      year: 1983,
    });
  });

  test("an address and an expression stay ones", () => {
    const out = scrubbed({ password: new URL("https://h.example/x"), pattern: /to (alice@example\.com)/g }) as {
      password: URL;
      pattern: RegExp;
    };
    expect(out.password.href).toMatch(/^redacted:AUTH_/);
    expect(out.pattern).toBeInstanceOf(RegExp);
    // where any text can stand, it is the token
    expect(json({ password: out.password.href })).toEqual({ password: out.password.href.slice("redacted:".length) });
  });

  test("bytes have the verdict of their text, in JSON too", () => {
    const bytes = { password: Buffer.from(SECRET), note: Buffer.from("plain text"), ssn: Buffer.from("123456789") };
    const out = scrubbed(bytes) as typeof bytes;
    expect(String(out.password)).toBe(AUTH);
    expect(json(bytes)).toEqual(JSON.parse(JSON.stringify(out)));
    const view = { password: new TextEncoder().encode(SECRET) };
    expect(json(view)).toEqual(JSON.parse(JSON.stringify(scrubbed(view))));
    const pretty = JSON.stringify(bytes, null, 2);
    expect(scrubber.scrub(pretty, { mime: "application/json" }).text).toBe(JSON.stringify(out, null, 2));
  });
});

describe("names that stand elsewhere", () => {
  test("columns, pairs, flat lists, and what is left alone", () => {
    expect(json({ columns: ["id", "password"], rows: [[1, "a"]], data: [["password", "b"]] })).toEqual({
      columns: ["id", "password"],
      rows: [[1, expect.stringMatching(/^AUTH_/)]],
      data: [["password", expect.stringMatching(/^AUTH_/)]],
    });
    expect(json(["accept", "*/*", "authorization", `Bearer ${SECRET}`])).toEqual([
      "accept",
      "*/*",
      "authorization",
      expect.stringMatching(/^Bearer AUTH_/),
    ]);
    const schema = {
      password: { type: "string", format: "password", description: "At least 8 characters", minLength: 8 },
      token: { type: "string", pattern: "^[a-z0-9]{8}$", $ref: "#/definitions/Token2", version: "v1.2.3-beta4" },
    };
    expect(json(schema)).toEqual(schema);
    const words = { scopes: ["authorization", "profile", "cookie", "read"], columns: ["id", "city"], rows: [[1, "x"]] };
    expect(json(words)).toEqual(words);
    expect(json({ secrets: { first: SECRET } })).toEqual({ secrets: { first: expect.stringMatching(/^AUTH_/) } });
  });

  test("JSON in a line of a text", () => {
    const out = scrubber.scrub(`Known so far: {"password":["${SECRET}"]}, and {"a": [1]}.`).text;
    expect(out).toBe(`Known so far: {"password":["${AUTH}"]}, and {"a": [1]}.`);
    const code = 'f({ "a": 1 }, ["x", "y"], [[1, 2]]); // {"key": value}';
    expect(scrubber.scrub(code).text).toBe(code);
  });
});

test("a path of the policy is that of the value", () => {
  const own = createScrubber({ key, policy: { paths: { deny: ["**/diagnosis"], allow: ["0/email"] } } });
  const out = scrubbed([{ email: "a.b@example.com", of: new Map([["diagnosis", "flu"]]) }], own) as [
    { email: string; of: Map<string, string> },
  ];
  expect(out[0].email).toBe("a.b@example.com");
  expect(out[0].of.get("diagnosis")).toMatch(/^FIELD_/);
});

test("what is no typed text is read as what it is", () => {
  expect(typed("-1")).toBe("-1");
  expect(typed('{"password":"a"}')).toMatch(/^\{"password":"AUTH_/);
  expect(typed(`[{"a":9},"${SECRET}"`)).not.toBe("");
  for (const odd of ['["Map",1]', '["Later","alice@example.com"]', '[["x",7],"alice@example.com"]', "[1 ,2]"])
    expect(typed(odd)).not.toContain("alice@");
});
