import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { ScrubHint } from "@reenact/capture";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactingExporter } from "./fence/redacting-exporter.ts";
import type { Policy } from "./policy.ts";
import { createScrubber, type InspectingScrubber } from "./scrubber.ts";

const key = Buffer.alloc(32, 8);
const JANE = /Jane Roe/g;
const POLICIES: Record<string, Policy> = {
  none: {},
  paths: {
    paths: {
      allow: ["note", "messages/*/name", "**/open"],
      deny: ["**/diagnosis", "user_id", "messages/*/secret"],
      shapes: [{ path: "contact", as: "email" }],
    },
  },
  detectors: {
    detectors: [
      {
        name: "names",
        type: "NAME",
        find: (t) => [...t.matchAll(JANE)].map((m) => ({ start: m.index, end: m.index + 8 })),
      },
    ],
    patterns: [{ type: "EMPLOYEE_ID", pattern: "\\bE-[0-9]{6}\\b" }],
  },
  media: { media: "drop", actions: { EMAIL: "mask", PHONE: "drop" }, off: ["IP"] },
};

const NAMES = [
  "note",
  "password",
  "id",
  "user_id",
  "token",
  "secret",
  "pass",
  "session_id",
  "data",
  "signature",
  "cookie",
  "authorization",
  "version",
  "phone",
  "ssn",
  "first_name",
  "street",
  "created_at",
  "diagnosis",
  "contact",
  "open",
  "x-api-key",
  "url",
  "pin",
];
const VALUES = [
  "hunter2!",
  "alice@example.com",
  "4111111111111111",
  "155278663",
  "5550128",
  "10.1.2.3",
  "Mia",
  "Am Hof",
  "482913",
  "Jane Roe",
  "E-123456",
  "a1B2c3D4e5F6g7H8i9J0k1L2m3",
  "Xy7#kkLw2mQ",
  "flu",
  "Bearer abcDEF1234567890xyz",
  "sid=a1b2c3d4e5",
  "call 5550128",
  "-----BEGIN PRIVATE KEY-----",
  "MIIEpAIBAAKCAQEA7bq3Yt1mXq0c1vTz4b6R",
  "authorization",
  "--password",
  "curl",
  "/?token=a1b2c3d4e5",
  Buffer.from(JSON.stringify({ password: "hunter2!", mail: "alice@example.com" })).toString("base64"),
];
const LONG = " and so on, as it was said before".repeat(20);
const leaf = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...VALUES) },
  { weight: 1, arbitrary: fc.constantFrom(...VALUES).map((value) => value + LONG) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 2 ** 31 }) },
  { weight: 1, arbitrary: fc.boolean() },
);
const name = fc.constantFrom(...NAMES);
const tree: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 4 }, leaf, tie("object"), tie("list"), tie("inner")),
  object: fc.dictionary(name, tie("any"), { maxKeys: 3 }),
  list: fc.array(tie("any"), { maxLength: 4 }),
  inner: tie("any").map((value) => JSON.stringify(value)),
}))["any"];
const wrapped = fc
  .tuple(tree, fc.nat(7))
  .map(([value, depth]) => Array.from({ length: depth }).reduce((text) => JSON.stringify({ args: text }), value));
const conversation = fc.tuple(fc.array(tree, { maxLength: 6 }), name, name).map(([list, one, other]) => ({
  [one]: "x",
  name: one,
  messages: list,
  lines: list.filter((item) => typeof item === "string"),
  value: list,
  [other]: "hunter2!",
}));

type Asked = readonly [text: string, hint: ScrubHint];
const JSON_HINT = { mime: "application/json" };
const asked: fc.Arbitrary<Asked> = fc.oneof(
  fc.tuple(
    fc.constantFrom(...VALUES),
    name.map((key): ScrubHint => ({ key })),
  ),
  fc.tuple(
    fc.constantFrom(...VALUES).map((value) => value + LONG),
    name.map((key): ScrubHint => ({ key })),
  ),
  fc.tuple(
    fc.constantFrom(...VALUES),
    fc.constantFrom<ScrubHint>({}, JSON_HINT, { mime: "application/x-www-form-urlencoded" }),
  ),
  fc.tuple(
    fc.oneof(tree, wrapped).map((value) => JSON.stringify(value)),
    fc.constantFrom<ScrubHint>({}, JSON_HINT, { key: "note" }),
  ),
  fc.tuple(
    conversation.map((value) => JSON.stringify(value)),
    fc.constant<ScrubHint>(JSON_HINT),
  ),
  fc.tuple(
    fc
      .array(tree, { maxLength: 3 })
      .map((all) => all.map((value) => `data: ${JSON.stringify({ delta: value })}\n\n`).join("")),
    fc.constant<ScrubHint>({ mime: "text/event-stream" }),
  ),
  fc.tuple(
    fc
      .array(fc.tuple(name, fc.constantFrom(...VALUES)), { maxLength: 3 })
      .map((all) => new URLSearchParams(all).toString()),
    fc.constant<ScrubHint>({ mime: "application/x-www-form-urlencoded" }),
  ),
);

describe.each(Object.entries(POLICIES))("with the policy %s", (_, policy) => {
  const make = (): InspectingScrubber => createScrubber({ key, policy });

  test("what comes of a text depends neither on the order of texts nor on what was seen before", () => {
    fc.assert(
      fc.property(fc.array(asked, { minLength: 2, maxLength: 8 }), (all) => {
        const warm = make();
        warm.alreadyRedacted.watch();
        for (const [text, hint] of [...all, ...all.toReversed()]) {
          const fresh = make().scrub(text, hint);
          const { text: out, edits, counts } = warm.scrub(text, hint);
          expect({ out, edits, counts }, text).toEqual({ out: fresh.text, edits: fresh.edits, counts: fresh.counts });
        }
      }),
      { numRuns: 60 },
    );
  });

  test("an exporter behind a scrubber that has seen other texts writes what one behind a fresh scrubber does", () => {
    fc.assert(
      fc.property(
        fc.array(asked, { maxLength: 6 }),
        fc.dictionary(name, fc.constantFrom(...VALUES), { maxKeys: 5 }),
        (all, attributes) => {
          const exported = (scrubber: InspectingScrubber): unknown => {
            const exporter = new InMemorySpanExporter();
            const guarded = redactingExporter(exporter, scrubber);
            const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: guarded })] });
            provider.getTracer("t").startSpan("s", { attributes }).end();
            return exporter.getFinishedSpans()[0]?.attributes;
          };
          const warm = make();
          warm.alreadyRedacted.watch();
          for (const [text, hint] of all) warm.scrub(text, hint);
          for (const value of Object.values(attributes)) for (const each of NAMES) warm.scrub(value, { key: each });
          expect(exported(warm)).toEqual(exported(make()));
        },
      ),
      { numRuns: 25 },
    );
  });
});

test("a list that goes on in a later text is read with what stood in it before", () => {
  const filler = Array.from({ length: 60 }, (_, i) => `${i} ${"plain words of no meaning ".repeat(3)}`);
  const body = (lines: readonly unknown[], name: string, more: object = {}): string =>
    JSON.stringify({ [name]: lines, ...more });
  const pairs: [before: string, after: string][] = [
    [
      body([...filler, "-----BEGIN PRIVATE KEY-----", "MIIEpAIBAAKCAQEA7bq3Yt1mXq0c1vTz4b6R"], "lines"),
      body(
        [
          ...filler,
          "-----BEGIN PRIVATE KEY-----",
          "MIIEpAIBAAKCAQEA7bq3Yt1mXq0c1vTz4b6R",
          "Qx8vT2m9Lw4cZr6kPj1hYb3nUe5dGs7a",
        ],
        "lines",
      ),
    ],
    [body([...filler, "authorization"], "headers"), body([...filler, "authorization", "plain-words-here"], "headers")],
    [
      body(
        filler.map((text) => ({ text })),
        "value",
        { name: "note" },
      ),
      body(
        filler.map((text) => ({ text })),
        "value",
        { name: "password" },
      ),
    ],
    [
      body(
        filler.map((name_) => ({ name: name_ })),
        "columns",
        { rows: [["a"]] },
      ),
      body([...filler.map((name_) => ({ name: name_ })), { name: "password" }], "columns", { rows: [["a"]] }),
    ],
  ];
  for (const [before, after] of pairs) {
    const warm = createScrubber({ key });
    warm.scrub(before, JSON_HINT);
    expect(warm.scrub(after, JSON_HINT)).toEqual(createScrubber({ key }).scrub(after, JSON_HINT));
  }
});
