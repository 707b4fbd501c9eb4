import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createScrubber } from "../scrubber.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 5) });
const MAIL = "jane@example.com";
const places = (text: string, mime?: string, key?: string) =>
  (scrubber.scrub(text, { mime, key }).places ?? []).map(({ at, rule, n }) => `${rule} ${at} ${n}`);
const json = (value: unknown): string[] => places(JSON.stringify(value), "application/json");

describe("in JSON", () => {
  test("names and places on the way, escaped as a JSON pointer asks", () => {
    expect(json({ messages: [{ role: "user" }, { content: `${MAIL} and joe@example.com` }] })).toEqual([
      "email /messages/1/content 2",
    ]);
    expect(json({ "a/b": { "c~d": [[MAIL]] }, "x\ty": MAIL })).toEqual(["email /a~1b/c~0d/0/0 1", "email /x\ty 1"]);
    expect(json([{ password: "hunter2!x" }, { password: 12345678 }])).toEqual([
      "auth.name /0/password 1",
      "auth.name /1/password 1",
    ]);
    expect(places(` { "a" : "b" , "c" : [ 1 , "${MAIL}" ] }`, "application/json")).toEqual(["email /c/1 1"]);
  });

  test("a name that was replaced itself is shown as its token", () => {
    const found = json({ [MAIL]: { note: "joe@example.com" } });
    expect(found).toHaveLength(2);
    for (const row of found) expect(row).toMatch(/^email \/EMAIL_[a-z]{4}_[a-z]{16}(?:\/note)? 1$/);
  });

  test("a text without a content type, and JSON in a string", () => {
    expect(places(JSON.stringify({ to: MAIL }))).toEqual(["email /to 1"]);
    expect(json({ arguments: JSON.stringify({ to: MAIL }) })).toEqual(["email /arguments 1"]);
  });
});

test("in streams, forms, URLs and texts", () => {
  const event = (text: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`;
  const stream = `${event("mail jane@exam")}${event("ple.com now")}${event("or joe@example.com")}data: [DONE]\n\n`;
  expect(places(stream, "text/event-stream")).toEqual([
    "email /0/choices/0/delta/content 1",
    "email /2/choices/0/delta/content 1",
  ]);
  expect(places(`{"a":"x"}\n{"a":"${MAIL}"}\n`, "application/x-ndjson")).toEqual(["email /1/a 1"]);
  expect(places(`user=x&mail=jane%40example.com`, "application/x-www-form-urlencoded")).toEqual(["email /mail 1"]);
  expect(places(`https://h.example/a?token=abcdef123456&m=${MAIL}`, undefined, "url")).toEqual([
    "auth.name /token 1",
    "email /m 1",
  ]);
  expect(places(`write to ${MAIL}`, "text/plain")).toEqual(["email  1"]);
  expect(places(`write to {${MAIL}`, "application/json")).toEqual(["email  1"]);
});

test("what was denied, and what could not be scanned, say so", () => {
  const strict = createScrubber({ key: Buffer.alloc(32, 5), policy: { paths: { deny: ["note"] }, capUnits: 1024 } });
  const { places: rows } = strict.scrub(JSON.stringify({ note: "flu", text: "x".repeat(2000) }), {
    mime: "application/json",
  });
  expect(rows).toEqual([
    { at: "/note", rule: "path.deny", type: "FIELD", n: 1, marks: expect.stringMatching(/^[a-z]{8}$/) },
    { at: "/text", rule: "scan.failed", type: "UNSCANNED", n: 1 },
  ]);
});

test("places hold no value and add up to the counts, of whatever JSON", () => {
  const mail = fc.stringMatching(/^[a-z]{3,9}@[a-z]{3,9}\.example$/);
  const name = fc.oneof(mail, fc.constantFrom("a", "b/c", 'q"', "é\\"));
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      mail,
      fc.string(),
      fc.integer(),
      fc.array(tie("any")),
      fc.dictionary(name, tie("any")),
    ),
  })).any;
  fc.assert(
    fc.property(fc.dictionary(name, value), fc.constantFrom(undefined, 2), (body, indent) => {
      const text = JSON.stringify(body, null, indent);
      const out = scrubber.scrub(text, { mime: "application/json" });
      const rows = out.places ?? [];
      expect(rows.reduce((sum, { n }) => sum + n, 0)).toBe(Object.values(out.counts).reduce((a, b) => a + b, 0));
      for (const { at } of rows) {
        expect(at).not.toMatch(/[a-z]@[a-z]+\.example/);
        // the pointer leads to a place of the scrubbed text
        let here: unknown = JSON.parse(out.text);
        for (const step of at.split("/").slice(1))
          here = (here as Record<string, unknown>)[step.replaceAll("~1", "/").replaceAll("~0", "~")];
        expect(here).toBeDefined();
      }
    }),
  );
});

test("the pass over a text is linear", () => {
  const time = (n: number): number => {
    const text = JSON.stringify(Array.from({ length: n }, (_, i) => ({ to: `u${i}@example.com`, [`k${i}`]: '\\"x' })));
    const out = scrubber.scrub(text, { mime: "application/json" });
    const start = process.cpuUsage().user;
    expect(out.places).toHaveLength(n);
    return (process.cpuUsage().user - start) / 1000;
  };
  time(2000);
  const [short, long] = [time(4000), time(16_000)];
  expect(long).toBeLessThan(Math.max(short, 4) * 4 * 3);
});
