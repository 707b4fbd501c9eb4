import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createScrubber, type InspectingScrubber } from "@reenact/redaction";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scale } from "../scale.ts";
import { canaryValue, drawing, shapelessValue } from "./canary.ts";

const key = Buffer.alloc(32, 6);
const KNOWN = [{ name: "K", value: "zebra-crossing-77" }];
const make = (): InspectingScrubber => createScrubber({ key, known: KNOWN });
const scrubber = make();
const runs = { numRuns: scale(150, 600, 6000) };
const TIMEOUT = 600_000;

const value = fc.integer({ min: 0, max: 2 ** 31 }).map((seed) => canaryValue(drawing(seed)));
const secret = fc.integer({ min: 0, max: 2 ** 31 }).map((seed) => shapelessValue(drawing(seed)));
const noise = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 10 }),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom(
    " ",
    "\n",
    '"',
    "\\",
    "é",
    "{",
    "[",
    "=",
    ":",
    "@",
    "-",
    "%",
    "&",
    "zebra-crossing-77",
    "\ud800",
    "Authorization",
    "Bearer ",
  ),
);
const encoded = fc.tuple(noise, value).map((parts) => Buffer.from(parts.join(" ").toWellFormed()).toString("base64"));
const text = fc
  .array(fc.oneof(noise, value, encoded, fc.constant(" ")), { maxLength: 7 })
  .map((parts) => parts.join(" "));
const name = fc.constantFrom("a", "password", "id", "content", "token", "data", "text", "x-api-key", "cookie", "value");
const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    text,
    secret,
    fc.double({ noNaN: true }),
    fc.boolean(),
    fc.constant(null),
    tie("list"),
    tie("object"),
    tie("inner"),
    text.map((t) => Buffer.from(t.toWellFormed()).toString("base64")),
  ),
  list: fc.array(tie("any"), { maxLength: 4 }),
  object: fc.dictionary(name, tie("any"), { maxKeys: 4 }),
  inner: tie("any").map((v) => JSON.stringify(v)),
}))["any"];
const hint = fc.constantFrom(
  {},
  { mime: "application/json" },
  { mime: "text/event-stream" },
  { mime: "application/x-ndjson" },
  { mime: "application/x-www-form-urlencoded" },
  { mime: "application/octet-stream" },
  { key: "authorization" },
  { key: "set-cookie" },
  { key: "url" },
);
const body = fc.oneof(
  text,
  json.map((v) => JSON.stringify(v)),
  fc.array(json, { maxLength: 3 }).map((all) => all.map((v) => `data: ${JSON.stringify(v)}\n\n`).join("")),
  fc
    .array(fc.tuple(name, text), { maxLength: 3 })
    .map((all) => new URLSearchParams(all.map(([k, v]) => [k, v.toWellFormed()])).toString()),
);

describe("over random bodies", () => {
  test("redacting twice changes nothing", { timeout: TIMEOUT }, () => {
    const policies = [
      make(),
      createScrubber({
        key,
        policy: { actions: { EMAIL: "mask", AUTH: "mask" }, paths: { deny: ["a/**"], allow: ["id"] } },
      }),
    ];
    fc.assert(
      fc.property(body, hint, fc.nat(1), (source, how, which) => {
        const own = policies[which] as InspectingScrubber;
        const once = own.scrub(source, how).text;
        expect(own.scrub(once, how).text).toBe(once);
      }),
      runs,
    );
  });

  test("order does not matter: what was seen before changes nothing", { timeout: TIMEOUT }, () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(body, hint), { minLength: 2, maxLength: 5 }), (all) => {
        const [forth, back] = [make(), make()];
        const there = all.map(([source, how]) => forth.scrub(source, how).text);
        const again = all.toReversed().map(([source, how]) => back.scrub(source, how).text);
        expect(again.toReversed()).toEqual(there);
      }),
      { numRuns: Math.ceil(runs.numRuns / 3) },
    );
  });

  test(
    "valid JSON stays valid, of the same structure, and every byte outside an edit stays",
    { timeout: TIMEOUT },
    () => {
      const skeleton = (v: unknown): unknown =>
        Array.isArray(v)
          ? v.map(skeleton)
          : typeof v === "object" && v !== null
            ? Object.values(v).map(skeleton)
            : typeof v;
      fc.assert(
        fc.property(json, fc.constantFrom(0, 1), (v, indent) => {
          const source = JSON.stringify(v, null, indent);
          const { text: out, edits } = scrubber.scrub(source, { mime: "application/json" });
          expect(skeleton(JSON.parse(out))).toEqual(skeleton(JSON.parse(source)));
          let rebuilt = "";
          let from = 0;
          for (const { start, end, with: put } of edits) {
            expect(start).toBeGreaterThanOrEqual(from);
            rebuilt += source.slice(from, start) + put;
            from = end;
          }
          expect(rebuilt + source.slice(from)).toBe(out);
        }),
        runs,
      );
    },
  );

  test("findings stand where the edits are, with a type and a rule", () => {
    fc.assert(
      fc.property(body, hint, (source, how) => {
        const { text: out, hits } = scrubber.inspect(source, how);
        expect(out).toBe(scrubber.scrub(source, how).text);
        for (const { type, rule, start, end } of hits) {
          expect(type).toMatch(/^[A-Z][A-Z_]*$/);
          expect(rule).not.toBe("");
          expect(0 <= start && start <= end && end <= source.length).toBe(true);
        }
      }),
      { numRuns: Math.ceil(runs.numRuns / 2) },
    );
  });
});

describe("a value has one token", () => {
  test("at any nesting, in every process with the key", { timeout: TIMEOUT }, () => {
    const values = fc.sample(value, 40);
    const program = `import { createScrubber } from "@reenact/redaction";
      const own = createScrubber({ key: Buffer.alloc(32, 6) });
      console.log(JSON.stringify(JSON.parse(process.argv[1]).map((v) => own.scrub(v).text)));`;
    const elsewhere = JSON.parse(
      execFileSync(
        process.execPath,
        [
          "--conditions=@reenact/source",
          "--disable-warning=ExperimentalWarning",
          "--input-type=module",
          "-e",
          program,
          JSON.stringify(values),
        ],
        { cwd: fileURLToPath(new URL("../..", import.meta.url)), encoding: "utf8" },
      ),
    ) as string[];
    for (const [i, one] of values.entries()) {
      const token = scrubber.scrub(one).text;
      expect(elsewhere[i]).toBe(token);
      let nested = JSON.stringify({ k: `to ${one}.` });
      for (let depth = 0; depth < 6; depth++) {
        expect(scrubber.scrub(nested, { mime: "application/json" }).text).toContain(token);
        nested = JSON.stringify({ args: nested });
      }
    }
  });
});

/** The pieces of a text, cut at the given places. */
function cut(whole: string, places: readonly number[]): string[] {
  const sorted = [...new Set(places.map((at) => at % (whole.length + 1)))].toSorted((a, b) => a - b);
  return [...sorted, whole.length].map((end, i) => whole.slice(i === 0 ? 0 : sorted[i - 1], end));
}

type Stream = { mime: string; write(pieces: string[]): string; read(out: string): string[] };

const STREAMS: Record<string, Stream> = {
  "events of chat": {
    mime: "text/event-stream",
    write: (pieces) =>
      `${pieces.map((content) => `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content } }] })}\n\n`).join("")}data: [DONE]\n\n`,
    read: (out) =>
      [...out.matchAll(/^data: (\{.*)$/gm)].map(
        ([, line = ""]) =>
          (JSON.parse(line) as { choices: { delta: { content: string } }[] }).choices[0]?.delta.content ?? "",
      ),
  },
  "events of messages": {
    mime: "text/event-stream",
    write: (pieces) =>
      pieces
        .map((t) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: t } }))
        .map((event) => `event: content_block_delta\r\ndata: ${JSON.stringify(event)}\r\n\r\n`)
        .join(""),
    read: (out) =>
      [...out.matchAll(/^data: (\{.*)\r$/gm)].map(
        ([, line = ""]) => (JSON.parse(line) as { delta: { text: string } }).delta.text,
      ),
  },
  "lines that say whether they are done": {
    mime: "application/x-ndjson",
    write: (pieces) =>
      pieces
        .map((content, i) => `${JSON.stringify({ message: { content }, done: i === pieces.length - 1 })}\n`)
        .join(""),
    read: (out) =>
      out
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { message: { content: string } }).message.content),
  },
};

describe.each(Object.entries(STREAMS))("redact(stream) = stream(redact): %s", (_, { mime, write, read }) => {
  const check = (whole: string, pieces: string[]): void => {
    const source = write(pieces);
    const out = scrubber.scrub(source, { mime }).text;
    const said = read(out);
    expect(said).toHaveLength(pieces.length);
    expect(said.join("")).toBe(scrubber.scrub(whole).text);
  };

  test("cut in two at every place", { timeout: TIMEOUT }, () => {
    for (const one of fc.sample(value, scale(4, 10, 60))) {
      const whole = `Please write to ${one}, "soon".\nBye`;
      for (let at = 0; at <= whole.length; at++) check(whole, cut(whole, [at]));
      check(whole, [...whole]);
    }
  });

  test("cut anywhere, any number of times", { timeout: TIMEOUT }, () => {
    const words = fc.array(fc.oneof(fc.constantFrom("write", "to", "and", "é", "日本", "\n", "soon."), value), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(words, fc.array(fc.nat(400), { maxLength: 9 }), (parts, places) => {
        const whole = `So ${parts.join(" ")} now`;
        check(whole, cut(whole, places));
      }),
      runs,
    );
  });
});
