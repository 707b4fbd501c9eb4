import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createScrubber } from "./scrubber.ts";
import { isSecretName } from "./names/secret-name.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 3), known: [{ name: "K", value: "zebra-crossing-77" }] });
const runs = { numRuns: 300 };
const VALUES = [
  "alice@example.com",
  "4111 1111 1111 1111",
  "5555555555554444",
  "zebra-crossing-77",
  "sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0aaaa.SflKxwRJSMeKKF2QT4fwpMeJf36P",
  "https://u:pw1@h/?token=abc",
  "password=abc123def",
  "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n",
  "Bearer abc",
  "Authorization Bearer abcDEF1234567890xyz",
  "dG86IGFsaWNlQGV4YW1wbGUuY29tLCBmcm9tIG1l",
  "FR40303265045",
];
const noise = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    " ",
    '"',
    "\\",
    "\n",
    "\ud800",
    "é",
    "日本",
    "=",
    ":",
    "@",
    "-",
    "_",
    "4111",
    "EMAIL_",
    ":2001:db8::8a2e:370:7334",
    "phone 555 0128",
    "Authorization",
    "dG86IGFsaWNlQ",
    "%24",
    "+",
    "\u0000",
    "{",
    "[",
  ),
);
const text = fc.array(fc.oneof(noise, fc.constantFrom(...VALUES)), { maxLength: 8 }).map((parts) => parts.join(""));
const names = fc.constantFrom("a", "password", "id", "content", "token", "data", "text", "x-api-key", "cookie");
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    text,
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    tie("list"),
    tie("object"),
    tie("inner"),
  ),
  list: fc.array(tie("any"), { maxLength: 4 }),
  object: fc.dictionary(names, tie("any"), { maxKeys: 4 }),
  inner: tie("any").map((v) => JSON.stringify(v)),
}))["any"];
const hints = fc.constantFrom(
  {},
  { mime: "application/json" },
  { mime: "text/event-stream" },
  { mime: "application/x-www-form-urlencoded" },
  { mime: "application/x-ndjson" },
  { key: "authorization" },
  { key: "set-cookie" },
  { key: "url" },
);

function checkEdits(source: string, hint: object): string {
  const { text: out, edits } = scrubber.scrub(source, hint);
  let rebuilt = "";
  let from = 0;
  for (const edit of edits) {
    expect(edit.start).toBeGreaterThanOrEqual(from);
    expect(edit.end).toBeGreaterThanOrEqual(edit.start);
    expect(edit.end).toBeLessThanOrEqual(source.length);
    rebuilt += source.slice(from, edit.start) + edit.with;
    from = edit.end;
  }
  expect(rebuilt + source.slice(from)).toBe(out);
  return out;
}

describe("over random texts", () => {
  test("edits are sorted, apart, and make the text: every other byte stays", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          value.map((v) => JSON.stringify(v)),
        ),
        hints,
        (source, hint) => void checkEdits(source, hint),
      ),
      runs,
    );
  });

  test("a second pass changes nothing", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          value.map((v) => JSON.stringify(v)),
        ),
        hints,
        (source, hint) => {
          const once = scrubber.scrub(source, hint).text;
          expect(scrubber.scrub(once, hint).text).toBe(once);
        },
      ),
      runs,
    );
  });

  test("valid JSON stays valid, with the same structure and numbers", () => {
    /** A whole number under a secret name is fifteen nines at most, then zeros: each program reads these exactly. */
    const masked = (was: unknown): number =>
      Number(String(was).replace(/\d+/, ({ length }) => "9".repeat(Math.min(length, 15)).padEnd(length, "0")));
    /** What may stand where `was` stood: texts may be any. */
    const fits = (was: unknown, now: unknown, key = ""): boolean => {
      if (typeof was !== typeof now || Array.isArray(was) !== Array.isArray(now)) return false;
      if (Array.isArray(was) && Array.isArray(now))
        return was.length === now.length && was.every((item, i) => fits(item, now[i], key));
      if (typeof was === "object" && was !== null && now !== null) {
        const [before, after] = [Object.entries(was), Object.entries(now as object)];
        return before.length === after.length && before.every(([name, item], i) => fits(item, after[i]?.[1], name));
      }
      if (typeof was === "string" || Object.is(was, now)) return true;
      return isSecretName(key) && Number.isInteger(was) && now === masked(was);
    };
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (v, indent) => {
        const source = JSON.stringify(v, null, indent);
        const out = checkEdits(source, { mime: "application/json" });
        expect(fits(JSON.parse(source), JSON.parse(out)), out).toBe(true);
      }),
      { ...runs, examples: [[{ a: { token: -2456507251041397 } }, 0]] },
    );
  });

  test("no planted value is left at any nesting, always under one token", () => {
    const plant = "carol.planted@example.org";
    const token = scrubber.scrub(plant).text;
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 7 }),
        fc.string({ maxLength: 6 }),
        fc.boolean(),
        (depth, around, escape) => {
          let source = JSON.stringify({ k: `${around} ${plant} ${around}` });
          if (escape) source = source.replace("carol", "\\u0063arol");
          for (let i = 0; i < depth; i++) source = JSON.stringify({ args: source });
          const out = scrubber.scrub(source).text;
          expect(out).not.toContain("planted@");
          expect(out).toContain(token);
        },
      ),
      runs,
    );
  });
});

test("a URL keeps its host and loses its user and its password, alone, in a text and in JSON", () => {
  const unit = fc.constantFrom(..."abcXYZ019-._~!$&()*+,;=:%", "%40", "%2F", "%25", "token");
  const word = fc.oneof(
    fc.constantFrom(
      "x-access-token",
      "gitlab-ci-token",
      "apikey",
      "access_token",
      "password",
      "ghs_Qw3rTy7uIoP1aSdF5gHjK9lZxCv2BnM4qWeR",
    ),
    fc.string({ unit, minLength: 1, maxLength: 20 }),
  );
  const user = word.map((text) => text.replaceAll(":", "") || "u").filter((text) => text !== "git");
  const password = fc.oneof(
    word,
    fc.tuple(word, word).map((both) => both.join("=")),
  );
  const path = fc.constantFrom("", "/", "/o/r.git", ":5432/app");
  fc.assert(
    fc.property(user, password, path, (name, secret, rest) => {
      const url = `https://${name}:${secret}@db.acme.io${rest}`;
      const out = scrubber.scrub(url).text;
      expect(out).toMatch(new RegExp(`^https://[A-Z]+_[a-z_]{21}:[A-Z]+_[a-z_]{21}@db\\.acme\\.io${rest}$`));
      expect(scrubber.scrub(`git clone ${url} x`).text).toBe(`git clone ${out} x`);
      expect(scrubber.scrub(`{"a":["${url}"]}`).text).toBe(`{"a":["${out}"]}`);
    }),
    runs,
  );
});
