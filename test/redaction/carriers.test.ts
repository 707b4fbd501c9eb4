import { readFileSync } from "node:fs";
import { createScrubber } from "@reenact/redaction";
import { expect, test } from "vitest";
import { type Draw, drawing, formsOf } from "../redaction-proof/canary.ts";

// Texts in which secrets and personal values stand in practice, one a line behind its name: `«…»` is a value that must go, and
// `⟦mixed 32⟧` (letters of both cases and digits), `⟦hex 40⟧`, `⟦of alphabet 9⟧`, `⟦base64 …⟧`, `⟦base64url …⟧` and `⟦uri …⟧` are
// made anew in each run. innocent.txt holds texts that look like them and must stay as they are.
const SEED = Number(process.env["TEST_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const draw = drawing(SEED);
const lines = (name: string): string[] =>
  readFileSync(new URL(`corpora/${name}`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
const ESCAPES: Readonly<Record<string, string>> = {
  e: "\u001b",
  _: "\u00a0",
  z: "\u200b",
  n: "\n",
  r: "\r",
  t: "\t",
  0: "\0",
};
const unescaped = (line: string): string => line.replace(/\\(.)/gs, (_, mark: string) => ESCAPES[mark] ?? mark);
const [UPPER, LOWER, DIGITS] = ["ABCDEFGHJKLMNPQRSTUVWXYZ", "abcdefghijkmnopqrstuvwxyz", "23456789"];

const from = (alphabet: string, length: number, take: Draw): string =>
  Array.from({ length }, () => alphabet[take(alphabet.length)]).join("");

function made(kind: string, argument: string): string {
  const value = argument.replaceAll(/[«»]/g, "");
  const [alphabet = "", length] = argument.split(" ");
  switch (kind) {
    case "mixed": {
      // one of each kind in front: a value of letters alone is no claim of a rule
      // and few digits, every other time: a form that only finds what looks drawn would miss some
      const rest = from(UPPER + LOWER + (draw(2) === 0 ? DIGITS : ""), Number(argument) - 3, draw);
      return from(UPPER, 1, draw) + from(LOWER, 1, draw) + from(DIGITS, 1, draw) + rest;
    }
    case "hex":
      return from("0123456789abcdef", Number(argument), draw);
    case "of":
      return from(alphabet, Number(length), draw);
    case "base64":
    case "base64url":
      return Buffer.from(value).toString(kind);
    case "uri":
      return encodeURIComponent(value);
    default:
      throw new Error(`no such kind: ${kind}`);
  }
}

interface Carrier {
  readonly name: string;
  readonly mime: string | undefined;
  readonly text: string;
  readonly values: readonly string[];
}

function carrierOf(line: string): Carrier {
  const [head = "", source = ""] = line.split("\t");
  const [, name = head, mime] = /^(.*) \(([a-z]+\/[^()]+)\)$/.exec(head) ?? [];
  const values = new Set<string>();
  let text = unescaped(source);
  for (let again = true; again;) {
    again = false;
    text = text.replaceAll(/⟦(\w+) ([^⟦⟧]*)⟧/g, (_, kind: string, argument: string) => {
      again = true;
      for (const [, value = ""] of argument.matchAll(/«([^«»]*)»/g)) values.add(value);
      return made(kind, argument);
    });
  }
  for (const [, value = ""] of text.matchAll(/«([^«»]*)»/g)) values.add(value);
  return { name, mime, text: text.replaceAll(/[«»]/g, ""), values: [...values] };
}

const scrubber = createScrubber({ key: Buffer.alloc(32, 5) });
const carriers = lines("carriers.tsv").map(carrierOf);

test("the texts are many, and each holds a value", () => {
  expect(carriers.length).toBeGreaterThan(590);
  for (const { name, values } of carriers) expect(values, name).not.toEqual([]);
});

test.each(carriers.map((carrier) => [carrier.name, carrier] as const))("%s", (_, { text, values, mime }) => {
  const hint = mime === undefined ? {} : { mime };
  const once = scrubber.scrub(text, hint).text;
  const inJson = scrubber.scrub(JSON.stringify({ output: text }), { mime: "application/json" }).text;
  for (const value of values)
    for (const form of formsOf(value).filter(({ length }) => length > 2)) {
      expect(once, `TEST_SEED=${SEED}: ${text}`).not.toContain(form);
      expect(inJson, `TEST_SEED=${SEED}, in JSON: ${text}`).not.toContain(form);
    }
  expect(scrubber.scrub(once, hint).text, `TEST_SEED=${SEED}: twice`).toBe(once);
});

test.each(lines("innocent.txt").map(unescaped))("%s stays", (text) => {
  expect(scrubber.scrub(text).text).toBe(text);
  const json = JSON.stringify({ output: text });
  expect(scrubber.scrub(json, { mime: "application/json" }).text).toBe(json);
});
