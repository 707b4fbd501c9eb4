import type { Operation } from "@reenact/capture";
import type { SentRequest } from "@reenact/capture/recorder";
import type { StepRecord } from "@reenact/envelope";
import { createScrubber, StreamDigest } from "@reenact/redaction";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { markedDifference } from "../effects/same-content.ts";
import type { RecordedStep } from "../tape/tape.ts";
import { readAsked } from "./asked.ts";
import { compare } from "./compare.ts";
import { compareMarks } from "./compare-marks.ts";
import { ValueAlignment } from "./value-alignment.ts";

const KEY = Buffer.alloc(32, 1);
const NO_OPERATION: Operation | null = null;
const scrubberOf = (key = KEY) => createScrubber({ key });

const sent = (body: string, url = "http://127.0.0.1/a"): SentRequest => ({
  method: "POST",
  url,
  headers: [["content-type", "application/json"]],
  body,
});

function step(request: SentRequest, key = KEY): RecordedStep {
  const scrubber = scrubberOf(key);
  const asked = readAsked(request, NO_OPERATION, scrubber);
  const record = {
    op: "http:POST x",
    exchange: {
      via: "fetch",
      request: { method: "POST", url: asked.url, headers: request.headers, body: { $: "input.value" } },
      end: "complete",
    },
    digests: asked.digests,
    redacted: {
      policy: scrubber.policy,
      rules: scrubber.rules,
      kid: scrubber.kid,
      counts: {},
      places: asked.places?.(),
    },
  } as unknown as StepRecord;
  return { index: 0, record, kind: "HTTP", name: "a", input: asked.text, output: null, spanId: "" };
}

function differences(before: SentRequest, after: SentRequest, key = KEY) {
  const alignment = new ValueAlignment(() => false);
  const scrubber = scrubberOf();
  const asRecorded = (text: string): string => text;
  const asked = readAsked(after, NO_OPERATION, scrubber, asRecorded);
  const found = compare(asked, step(before, key), { alignment, scrubber, asRecorded, operation: NO_OPERATION });
  return { pointers: found.differences.map(({ pointer }) => pointer), byPlace: alignment.byPlace };
}

describe("redacted values of which the record shows the same", () => {
  test.each([
    ["a secret number", `{"a":{"pin":12345678}}`, `{"a":{"pin":12345679}}`, "/a/pin"],
    ["two numbers exchanged", `{"pin":11223344,"password":55667788}`, `{"pin":55667788,"password":11223344}`, "/pin"],
    ["a card in groups", `{"t":"card 4012888888881881"}`, `{"t":"card 4012 8888 8888 1881"}`, "/t"],
    ["an address in capitals", `["ida@example.com"]`, `["Ida@Example.com"]`, "/0"],
    ["the last of many", `{"t":"a@b.ch, c@d.ch"}`, `{"t":"a@b.ch, C@d.ch"}`, "/t"],
  ])("%s", (_, before, after, pointer) => {
    expect(differences(sent(before), sent(after)).pointers[0]).toBe(pointer);
    expect(differences(sent(before), sent(before)).pointers).toEqual([]);
  });

  test("in a URL", () => {
    const [one, other] = ["http://a.example/?to=ida%40example.com", "http://a.example/?to=Ida%40example.com"];
    expect(differences(sent("{}", one), sent("{}", other)).pointers).toHaveLength(1);
    // the escape is no part of the spelling
    expect(differences(sent("{}", one), sent("{}", one.replace("%40", "@"))).pointers).toEqual([]);
  });

  test("escapes, white space and the order of keys are no difference", () => {
    const before = `{"pin":12345678,"mail":"ida@example.com"}`;
    expect(differences(sent(before), sent(`{ "mail": "ida\\u0040example.com", "pin": 12345678 }`)).pointers).toEqual(
      [],
    );
  });

  test("what came back as the record has it is not read as another value", () => {
    const before = sent(`{"mail":"Ida@example.com","pin":12345678}`);
    const served = sent(step(before).input ?? "");
    expect(differences(before, served).pointers).toEqual([]);
  });

  test("another key compares numbers by their places, and counts them", () => {
    const before = sent(`{"pin":12345678}`);
    expect(differences(before, sent(`{"pin":12345679}`), Buffer.alloc(32, 2))).toEqual({ pointers: [], byPlace: 1 });
    expect(differences(before, before).byPlace).toBe(0);
  });

  test("any two different numbers are told apart, and equal ones are not", () => {
    const digits = fc.integer({ min: 10_000_000, max: 89_999_999 });
    fc.assert(
      fc.property(digits, digits, (a, b) => {
        const found = differences(sent(`{"pin":${a}}`), sent(`{"pin":${b}}`)).pointers;
        expect(found).toEqual(a === b ? [] : ["/pin"]);
      }),
    );
  });
});

describe("marks", () => {
  test.each([
    [undefined, "a", null],
    ["a b", "a b", "same"],
    ["a b", "b a", "spelling"],
    ["a b", "b", "same"],
    ["a b", "c", "spelling"],
    ["a", "#c", "number"],
  ] as const)("%s and %s: %s", (recorded, now, result) => expect(compareMarks(recorded, now)).toBe(result));

  test("hold nothing of a value, and none stands for a mask or what is left out", () => {
    const places = step(sent(`{"pin":12345678,"mail":"ida@example.com"}`)).record.redacted?.places ?? [];
    expect(places.map(({ marks }) => marks)).toEqual([
      expect.stringMatching(/^#[a-z]{8}$/),
      expect.stringMatching(/^[a-z]{8}$/),
    ]);
    for (const action of ["mask", "drop"] as const) {
      const out = createScrubber({ key: KEY, policy: { actions: { EMAIL: action } } }).scrub("to ida@example.com");
      expect(out.marks).toEqual([]);
    }
  });
});

describe("outputs", () => {
  const facts = (text: string, key = KEY) => {
    const digest = new StreamDigest(scrubberOf(key));
    digest.write(text);
    return digest.end();
  };

  test("that show the same are told apart by their marks", () => {
    const [one, other] = [facts(`{"pin":12345678}\n`), facts(`{"pin":12345679}\n`)];
    expect(one.sha256).toBe(other.sha256);
    expect(markedDifference(one, other)).toBe("number");
    expect(markedDifference(one, one)).toBeNull();
    expect(markedDifference(facts("a@b.ch\n"), facts("A@b.ch\n"))).toBe("spelling");
  });

  test("of another key are not compared by marks", () => {
    expect(markedDifference(facts("a@b.ch\n"), facts("A@b.ch\n", Buffer.alloc(32, 2)))).toBeNull();
  });

  test("with too many values have no marks", () => {
    expect(facts("a@b.ch\n".repeat(256)).marks?.split(" ")).toHaveLength(257);
    expect(facts("a@b.ch\n".repeat(257)).marks).toBeUndefined();
  });
});
