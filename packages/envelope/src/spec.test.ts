import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ATTR } from "./schema/attributes.ts";
import { EnvelopeError } from "./envelope-error.ts";
import { JournalWriter } from "./journal/journal-writer.ts";
import { parseJournal } from "./journal/parse-journal.ts";

const spec = readFileSync(join(import.meta.dirname, "../SPEC.md"), "utf8");
const source = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8");

test("every error code has a row in SPEC.md, and every row a code", () => {
  const codes = [...source("envelope-error.ts").matchAll(/^ {2}\| "([A-Z_]+)"/gm)].map(([, code]) => code);
  const rows = [...spec.matchAll(/^\| `([A-Z_]{6,})` \|/gm)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(10);
  expect(new Set(rows)).toEqual(new Set(codes));
  expect(rows).toHaveLength(codes.length);
});

test("every attribute is in SPEC.md", () => {
  for (const name of Object.values(ATTR)) expect(spec).toContain(`\`${name}\``);
});

test("the worked example is what the code writes, byte by byte", () => {
  const rows = [...spec.matchAll(/^\| ([0-9]+) \| `([^`]+)` \| `(\{.*\})` \|/gm)];
  const written = rows.map(([, position, text, event]) => ({
    position: Number(position),
    text: text!,
    event: JSON.parse(event!) as object,
  }));
  const segments = [...spec.matchAll(/^segment ([0-9]+): `(.*)`$/gm)].map(([, from, events]) => ({
    from: Number(from),
    events: events!,
  }));
  expect(segments.map(({ events }) => events).join("")).toBe(written.map(({ text }) => text).join(""));
  const journal = new JournalWriter();
  for (const [at, { from, events }] of segments.entries()) {
    const until = segments[at + 1]?.from ?? written.length;
    const expected = written.slice(from, until).map(({ event }) => event);
    expect(parseJournal(events)).toEqual(expected);
    for (const each of parseJournal(events)) journal.append(each);
    expect(journal.cut()).toEqual({ from, events });
  }
  const totals = journal.totals();
  expect(spec).toContain(`\`{"events": ${totals.count}, "sha256": "${totals.sha256}"}\``);
});

test("the light entry loads neither zod nor canonicalize", () => {
  const program = `
    import { register } from "node:module";
    const seen = [];
    const { registerHooks } = await import("node:module");
    registerHooks({ load(url, context, next) { seen.push(url); return next(url, context); } });
    await import(${JSON.stringify(join(import.meta.dirname, "index.ts"))});
    console.log(JSON.stringify(seen.filter((url) => url.includes("node_modules"))));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  expect([stdout.trim(), stderr.includes("Error")]).toEqual(["[]", false]);
});

test("a foreign error becomes one of ours with its cause", () => {
  const cause = new Error("disk");
  const error = EnvelopeError.from(cause, "DAMAGED", "spans");
  expect([error.code, error.message, error.cause, error.next]).toEqual([
    "DAMAGED",
    "spans: disk",
    cause,
    expect.stringContaining("fetch"),
  ]);
  expect(EnvelopeError.from(error, "BAD_JSON", "x")).toBe(error);
});
