import type { ScrubHint } from "@reenact/capture";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampleKey } from "./detect/keys/sample-key.test.fixture.ts";
import type { Policy } from "./policy.ts";
import { PROVIDER_KEYS } from "./policy/provider-keys.ts";
import { FIXTURES } from "./policy/rule-fixtures.test.ts";
import { createScrubber } from "./scrubber.ts";

const key = Buffer.alloc(32, 11);
const known = [{ name: "K", value: "zebra-crossing-77" }];
const POLICIES: Record<string, Policy> = {
  default: {},
  masks: { actions: { EMAIL: "mask", AUTH: "mask", JWT: "mask", KEY: "drop", CARD: "drop" } },
  places: {
    paths: {
      deny: ["**/diagnosis", "b/c"],
      allow: ["open"],
      shapes: [
        { path: "contact/email", as: "email" },
        { path: "contact/ip", as: "ipv6" },
        { path: "contact/card", as: "digits" },
      ],
    },
  },
};
const scrubbers = Object.entries(POLICIES).map(
  ([name, policy]) => [name, createScrubber({ key, known, policy })] as const,
);

/** A positive value of a rule, with the name that announces it where it has one. */
interface Positive {
  readonly name: string;
  readonly text: string;
}

const fixtures: readonly Positive[] = Object.values(FIXTURES).flatMap(([finds]) =>
  finds.map((fixture) => {
    const [, name = "", text = fixture] = /^(\w+) > ([^]*)$/.exec(fixture) ?? [];
    return { name, text };
  }),
);
const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const jwt = fc
  .record({
    head: fc.record({ alg: fc.constantFrom("HS256", "RS256", "none"), kid: fc.string({ maxLength: 9 }) }),
    claims: fc.dictionary(
      fc.constantFrom(
        "sub",
        "email",
        "exp",
        "name",
        "scope",
        "admin",
        "alice@example.com",
        "phone",
        "password",
        "4111111111111111",
      ),
      fc.oneof(
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant("alice@example.com"),
        fc.constant(4111111111111111),
      ),
    ),
    signature: fc.stringMatching(/^[A-Za-z0-9_-]{0,43}$/),
    parts: fc.constantFrom(3, 3, 3, 5),
  })
  .map(({ head, claims, signature, parts }) => ({
    name: "",
    text:
      parts === 3
        ? `${base64url(head)}.${base64url(claims)}.${signature}`
        : `${base64url({ ...head, enc: "A256GCM" })}..${signature}aaaaaaaaaa.${signature}b.${signature}c`,
  }));
const providerKey = fc
  .tuple(fc.constantFrom(...PROVIDER_KEYS), fc.infiniteStream(fc.nat(2 ** 20)))
  .map(([format, draws]) => ({
    name: "",
    text: sampleKey(format, (alphabet) => alphabet[(draws.next().value as number) % alphabet.length] as string),
  }));
const byName = fc.record({
  name: fc.constantFrom(
    "password",
    "x-api-key",
    "authorization",
    "cookie",
    "set-cookie",
    "token",
    "client_secret",
    "pass",
    "session_id",
  ),
  text: fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 24 }),
    fc.constantFrom(
      "Bearer abc",
      "a=b; c=d",
      "Basic YWxpY2U6c2VjcmV0MTIz",
      "a1B2c3D4e5F6g7H8i9J0k1L2m3",
      "hunter2! hunter2!",
    ),
  ),
});
const positive: fc.Arbitrary<Positive> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...fixtures) },
  { weight: 2, arbitrary: providerKey },
  { weight: 2, arbitrary: jwt },
  { weight: 2, arbitrary: byName },
);
const glue = fc.constantFrom(
  " ",
  ", ",
  "\n",
  "",
  "; ",
  " and ",
  ": ",
  "=",
  '"',
  "/",
  "|",
  "\\n",
  " — ",
  ".",
  "-",
  "_",
  "@",
  "%",
  "&",
);
const joined = fc.array(fc.tuple(positive, glue), { minLength: 1, maxLength: 3 }).map((all) => ({
  name: all[0]?.[0].name ?? "",
  text: all.map(([{ text }, by]) => text + by).join(""),
}));
const value = fc.oneof({ weight: 2, arbitrary: positive }, { weight: 1, arbitrary: joined });

type Carrier = (value: Positive, other: Positive) => readonly [text: string, hint: ScrubHint];
const named = ({ name }: Positive): string => name || "note";
const JSON_HINT = { mime: "application/json" };
const body = (one: Positive, other: Positive): object => ({
  [named(one)]: one.text,
  list: [other.text, { [named(other)]: other.text }],
  contact: { email: one.text, ip: other.text, card: one.text },
  b: { c: { d: one.text, n: 41 } },
});
const pieces = (text: string): string[] => text.match(/[^]{1,5}/g) ?? [];
const CARRIERS: Record<string, Carrier> = {
  "a leaf": (one) => [one.text, { key: one.name }],
  text: (one, other) => [`So ${one.text}\nthen ${other.text}.`, {}],
  JSON: (one, other) => [JSON.stringify(body(one, other)), JSON_HINT],
  "JSON in JSON": (one, other) => [
    JSON.stringify({ args: JSON.stringify({ in: JSON.stringify(body(one, other)) }) }),
    JSON_HINT,
  ],
  "name and value": (one, other) => [
    JSON.stringify({
      headers: [
        [named(one), one.text],
        [named(other), other.text],
      ],
      a: [{ name: named(one), value: one.text }],
    }),
    JSON_HINT,
  ],
  "a command": (one) => [JSON.stringify({ argv: ["curl", "-u", one.text, "--password", one.text] }), JSON_HINT],
  events: (one, other) => [
    pieces(one.text)
      .map((delta) => `data: ${JSON.stringify({ delta })}\n\n`)
      .join("") + `data: ${JSON.stringify(body(one, other))}\n\n`,
    { mime: "text/event-stream" },
  ],
  lines: (one, other) => [
    `${JSON.stringify(body(one, other))}\n${JSON.stringify({ x: one.text })}\n`,
    { mime: "application/x-ndjson" },
  ],
  form: (one, other) => [
    new URLSearchParams([
      [named(one), one.text],
      [named(other), other.text],
    ]).toString(),
    { mime: "application/x-www-form-urlencoded" },
  ],
  multipart: (one, other) => [
    [one, other]
      .map((part) => `--b\r\nContent-Disposition: form-data; name="${named(part)}"\r\n\r\n${part.text}\r\n`)
      .join("") + "--b--\r\n",
    { mime: "multipart/form-data; boundary=b" },
  ],
  CSV: (one, other) => [
    `id,${named(one)},diagnosis\n1,"${one.text.replaceAll('"', '""')}",flu\n2,"${other.text.replaceAll('"', '""')}",cold\n`,
    { mime: "text/csv" },
  ],
  base64: (one, other) => [
    JSON.stringify({ data: Buffer.from(`${one.text} ${other.text}`).toString("base64") }),
    JSON_HINT,
  ],
  "base64 in a text": (one) => [`see ${Buffer.from(`it is ${one.text}`).toString("base64")} there`, {}],
  "a header": (one) => [one.text.replaceAll("\n", " "), { key: one.name || "x-note" }],
  URL: (one, other) => [
    `https://h.example/${encodeURIComponent(one.text)}/x?${new URLSearchParams([[named(other), other.text]]).toString()}#${encodeURIComponent(one.text)}`,
    { key: "url" },
  ],
  "a URL in a text": (one, other) => [
    `GET https://h.example/a?${new URLSearchParams([
      [named(one), one.text],
      ["q", other.text],
    ]).toString()} took 3 ms`,
    {},
  ],
  "a typed value": (one, other) => [
    JSON.stringify([
      { [named(one)]: 1, m: 2, b: 4 },
      one.text,
      ["Map", 3, 1],
      other.text,
      ["Buffer", Buffer.from(one.text).toString("base64")],
    ]),
    JSON_HINT,
  ],
};

describe.each(scrubbers)("redacting twice is redacting once, with the policy %s", (_, scrubber) => {
  test.each(Object.entries(CARRIERS))("%s", (_name, carry) => {
    fc.assert(
      fc.property(value, value, (one, other) => {
        const [text, hint] = carry(one, other);
        const once = scrubber.scrub(text, hint).text;
        expect(scrubber.scrub(once, hint).text, `${JSON.stringify(hint)} ${JSON.stringify(text)}`).toBe(once);
      }),
      { numRuns: Number(process.env["RUNS"] ?? 60) },
    );
  });
});

test.each(fixtures.map(({ name, text }) => [name, text] as const))(
  "each fixture in each carrier: %s > %s",
  (name, text) => {
    for (const [of, carry] of Object.entries(CARRIERS))
      for (const [policy, scrubber] of scrubbers) {
        const [source, hint] = carry({ name, text }, { name: "", text: "alice@example.com" });
        const once = scrubber.scrub(source, hint).text;
        expect(scrubber.scrub(once, hint).text, `${of}, ${policy}: ${source}`).toBe(once);
      }
  },
);

test("a token whose header keeps nothing is known by that when it is read again", () => {
  const text = "password=%24ecret9xK=eyJhbGciOiJIUzI1NiIsImtpZCI6IiJ9.eyJwYXNzd29yZCI6IiJ9.";
  for (const [, scrubber] of scrubbers) {
    const once = scrubber.scrub(text).text;
    expect(scrubber.scrub(once).text).toBe(once);
  }
});

const damagedKey = "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----";
const twoTokens =
  "eyJhbGciOiJIUzI1NiIsImtpZCI6IiJ9.e30._eyJhbGciOiJIUzI1NiIsImtpZCI6IiJ9." +
  "eyJuYW1lIjoiIiwiYWxpY2VAZXhhbXBsZS5jb20iOiIgICIsInBhc3N3b3JkIjo0MTExMTExMTExMTExMTExLCJzY29wZSI6In4iLCJzdWIiOjQxMTExMTExMTExMTExMTF9.";

test.each<[of: string, text: string, hint: ScrubHint]>([
  ["what counts as plain only beside a value", `a1B2c3D4e5F6g7H8i9J0k1L2m3/${damagedKey}-`, { key: "pass" }],
  ["the same in JSON", JSON.stringify({ pass: `a1B2c3D4e5F6g7H8i9J0k1L2m3/${damagedKey}-` }), JSON_HINT],
  ["a token that stands within another", `note=${twoTokens}`, { mime: "application/x-www-form-urlencoded" }],
  ["the same in a URL", `https://h.example/x?note=${twoTokens}`, { key: "url" }],
])("what is left beside a token is read until nothing changes: %s", (_of, text, hint) => {
  for (const [name, scrubber] of scrubbers) {
    const once = scrubber.scrub(text, hint).text;
    expect(scrubber.scrub(once, hint).text, name).toBe(once);
  }
});
