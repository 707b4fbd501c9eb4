import { decodeValue, encodeValue, VALUE_LINES_MIME, VALUE_MIME } from "@reenact/envelope";
import { describe, expect, test } from "vitest";
import { createScrubber } from "../scrubber.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 7) });
const KEY = "ghp_x7Kq2mNp9RtVw4YzBc6DfGh8JkLs3QaEuT5o";
const SECRETS = [
  KEY,
  "sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1gFWFOEjXkQ",
];
const PERSONAL = ["alice@example.com", "4111 1111 1111 1111", "+44 20 7946 0404"];

/** A text in pieces of `size` characters. */
const cut = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, n) => text.slice(n * size, (n + 1) * size));
const said = (value: string): string => `so it is: ${value} and no other`;

/** Streams of pieces, with the content type under which they come. */
const STREAMS: Readonly<Record<string, readonly [mime: string, of: (pieces: readonly string[]) => string]>> = {
  gemini: [
    "application/json",
    (pieces) =>
      `[${pieces.map((text) => JSON.stringify({ candidates: [{ content: { parts: [{ text }], role: "model" } }] })).join("\n,\r\n")}]`,
  ],
  "AI SDK 4": ["text/plain; charset=utf-8", (pieces) => pieces.map((text) => `0:${JSON.stringify(text)}\n`).join("")],
  "AI SDK 4, arguments": [
    "text/plain",
    (pieces) =>
      `b:{"toolCallId":"c1","toolName":"t"}\n` +
      pieces.map((argsTextDelta) => `c:${JSON.stringify({ toolCallId: "c1", argsTextDelta })}\n`).join(""),
  ],
  "AI SDK 5": [
    "text/event-stream",
    (pieces) =>
      pieces.map((delta) => `data: ${JSON.stringify({ type: "text-delta", id: "0", delta })}\n\n`).join("") +
      "data: [DONE]\n\n",
  ],
  "AI SDK 5, arguments": [
    "text/event-stream",
    (pieces) =>
      pieces
        .map(
          (inputTextDelta) =>
            `data: ${JSON.stringify({ type: "tool-input-delta", toolCallId: "c", inputTextDelta })}\n\n`,
        )
        .join(""),
  ],
  "Cohere, first": [
    "application/stream+json",
    (pieces) =>
      pieces.map((text) => `${JSON.stringify({ is_finished: false, event_type: "text-generation", text })}\n`).join(""),
  ],
  Ollama: [
    "application/x-ndjson",
    (pieces) =>
      pieces.map((response) => `${JSON.stringify({ model: "m", response, done: false })}\n`).join("") +
      '{"model":"m","response":"","done":true}\n',
  ],
  "NDJSON, any names": [
    "application/x-ndjson",
    (pieces) => pieces.map((w, n) => `${JSON.stringify({ n, body: { w } })}\n`).join(""),
  ],
  "NDJSON as plain text": ["text/plain", (pieces) => pieces.map((w) => `${JSON.stringify({ w })}\n`).join("")],
  "NDJSON, one of two": [
    "application/x-ndjson",
    (pieces) =>
      pieces
        .map(
          (w, n) => `${JSON.stringify({ id: "a", w })}\n${JSON.stringify({ id: "b", w: `other ${"abc"[n % 3]} ` })}\n`,
        )
        .join(""),
  ],
  "bare strings": ["application/x-ndjson", (pieces) => pieces.map((text) => `${JSON.stringify(text)}\n`).join("")],
  "events of bare strings": [
    "text/event-stream",
    (pieces) => pieces.map((text) => `data: ${JSON.stringify(text)}\n\n`).join(""),
  ],
  "events of other names": [
    "text/event-stream",
    (pieces) => pieces.map((tok) => `data: ${JSON.stringify({ kind: "tok", tok })}\n\n`).join(""),
  ],
  "list of texts": ["application/json", (pieces) => JSON.stringify(pieces)],
  "list of objects": [
    "application/json",
    (pieces) =>
      JSON.stringify(
        pieces.map((w) => ({ w })),
        null,
        2,
      ),
  ],
};

/** The longest run of characters of `value` that stands in `text`. */
function longest(value: string, text: string): number {
  let best = 0;
  for (let from = 0; from < value.length; from++)
    while (from + best + 1 <= value.length && text.includes(value.slice(from, from + best + 1))) best++;
  return best;
}

describe.each(Object.entries(STREAMS))("a value cut in a stream: %s", (name, [mime, of]) => {
  test.each([...SECRETS, ...PERSONAL])("%s", (value) => {
    for (const size of [1, 2, 3, 5, 8, 13, 21, 34]) {
      const source = of(cut(said(value), size));
      const out = scrubber.scrub(source, { mime }).text;
      const letters = out.replaceAll(/(?:eyJ[\w.-]+)?[A-Z]+_[a-z]{4}_[a-z]{16}/g, "");
      expect(longest(value, letters), `${name} ${size}\n${out}`).toBeLessThan(4);
      expect(out).toMatch(/_[a-z]{4}_[a-z]{16}/);
      expect(out.split("\n").length).toBe(source.split("\n").length);
      expect(scrubber.scrub(out, { mime }).text).toBe(out);
    }
  });

  test("untouched where nothing is cut", () => {
    const source = of(["the first one ", "is 12", " and 34.5", " of 2024", "-01-05", " at ", "10.1", ".2", "."]);
    expect(scrubber.scrub(source, { mime }).text).toBe(source);
  });
});

describe("values that a generator yields", () => {
  const yields = (values: readonly unknown[]): unknown[] =>
    scrubber
      .scrub(values.map((value) => encodeValue(value).text).join("\n"), { mime: VALUE_LINES_MIME })
      .text.split("\n")
      .map((text) => decodeValue(text));
  const token = scrubber.scrub(KEY).text;

  test.each<[string, (piece: string, n: number) => unknown]>([
    ["texts", (piece) => piece],
    ["objects", (delta) => ({ delta })],
    ["objects of any names", (w, n) => ({ type: "t", n, inner: [{ w }] })],
    ["maps", (w) => new Map([["w", w]])],
    [
      "instances",
      (w) =>
        new (class Chunk {
          w = w;
        })(),
    ],
    ["errors", (w) => new Error(w)],
  ])("%s", (_, of) => {
    for (const size of [1, 3, 7, 20, 39]) {
      const out = JSON.stringify(yields(cut(KEY, size).map(of)), (_key, value: unknown) =>
        value instanceof Map ? [...value] : value instanceof Error ? `${value.message} ${value.stack}` : value,
      );
      expect(longest(KEY, out.replaceAll(token, ""))).toBeLessThan(3);
      expect(out).toContain(token);
    }
  });

  test("bytes", () => {
    const out = yields(cut(`key ${KEY} end`, 9).map((piece) => Buffer.from(piece))) as Buffer[];
    expect(Buffer.concat(out).toString()).toBe(`key ${token} end`);
  });

  test("whole values beside each other stay what they are", () => {
    const rows = [
      { id: "a1", n: "1.5", mail: "ada@example.com" },
      { id: "a2", n: "2.5", mail: "bob@example.com" },
      { id: "a3", n: "3.25", mail: "eve@example.com" },
      undefined,
      7,
    ];
    const one = (text: string): string => scrubber.scrub(text).text;
    expect(yields(rows)).toEqual(rows.map((row) => (typeof row === "object" ? { ...row, mail: one(row.mail) } : row)));
  });

  test.each<[string, (pieces: readonly string[]) => unknown]>([
    ["an argument that is a list", (pieces) => [pieces]],
    ["a list in an argument", (pieces) => [{ id: 7, chunks: pieces }]],
    ["objects in a list in an argument", (pieces) => [{ id: 7, chunks: pieces.map((w) => ({ w })) }]],
    ["a set", (pieces) => new Set(pieces)],
  ])("%s", (_, of) => {
    const { text } = scrubber.scrub(encodeValue(of(cut(KEY, 7))).text, { mime: VALUE_MIME });
    expect(longest(KEY, text.replaceAll(token, ""))).toBeLessThan(4);
    expect(scrubber.scrub(text, { mime: "application/json" }).text).toBe(text);
  });

  test("a list of pieces is read as they are", () => {
    const pieces = cut(KEY, 8).map((delta) => ({ delta }));
    const { text } = scrubber.scrub(encodeValue(pieces).text, { mime: VALUE_MIME });
    expect((decodeValue(text) as { delta: string }[]).map(({ delta }) => delta).join("")).toBe(token);
  });
});
