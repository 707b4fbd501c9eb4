import { describe, expect, test } from "vitest";
import { encodeValue, VALUE_LINES_MIME, VALUE_MIME } from "@reenact/envelope";
import { createScrubber } from "../scrubber.ts";
import { StreamDigest } from "./stream-digest.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 8) });
const denying = createScrubber({ key: Buffer.alloc(32, 8), policy: { paths: { deny: ["*/shoe_size"] } } });
const ROWS = 3000;
const secret = (i: number): string => `x${i}-Zebra4-lock`;
const filler = "some words of a note";

/** Tables of more than two blocks. */
const TABLES: Record<string, string> = {
  CSV: `id,password,note\n${Array.from({ length: ROWS }, (_, i) => `${i},${secret(i)},${filler}`).join("\n")}\n`,
  "quoted CSV": `"id","password","note"\r\n${Array.from({ length: ROWS }, (_, i) => `"${i}","${secret(i)}","${filler}, more"`).join("\r\n")}\r\n`,
  "CSV with line ends in cells": `id,note,password\n${Array.from({ length: ROWS }, (_, i) => `${i},"${filler},\n${filler}",${secret(i)}`).join("\n")}\n`,
  TSV: `id\tpassword\tnote\n${Array.from({ length: ROWS }, (_, i) => `${i}\t${secret(i)}\t${filler}`).join("\n")}\n`,
  psql: ` id | password | note\n----+----------+------\n${Array.from({ length: ROWS }, (_, i) => ` ${i} | ${secret(i)} | ${filler}`).join("\n")}\n`,
  mysql: `+----+----------+\n| id | password | note |\n+----+----------+\n${Array.from({ length: ROWS }, (_, i) => `| ${i} | ${secret(i)} | ${filler} |`).join("\n")}\n`,
  "console.table": `│ (index) │ password │\n${Array.from({ length: ROWS }, (_, i) => `│ ${i} │ '${secret(i)}' │`).join("\n")}\n`,
  "numbered lines": Array.from(
    { length: ROWS },
    (_, i) => `${String(i + 1).padStart(6)}→${i === 0 ? "id,password,note" : `${i},${secret(i)},${filler}`}`,
  ).join("\n"),
  COPY: `COPY public.users (id, password, note) FROM stdin;\n${Array.from({ length: ROWS }, (_, i) => `${i}\t${secret(i)}\t${filler}`).join("\n")}\n\\.\n`,
  "a long row": `id,password,note\n${Array.from({ length: ROWS }, (_, i) => `${i},${secret(i)},${filler.repeat(i === 9 ? 600 : 1)}`).join("\n")}\n`,
  "a row with a comma too many": `id,password,note\n${Array.from({ length: ROWS }, (_, i) => `${i},${secret(i)},${i % 50 === 9 ? "a, b" : filler}`).join("\n")}\n`,
  "an empty line": `id,password,note\n${Array.from({ length: ROWS }, (_, i) => `${i % 99 === 9 ? "\n" : ""}${i},${secret(i)},${filler}`).join("\n")}\n`,
};

function printed(text: string, size: number, by = scrubber): string {
  const digest = new StreamDigest(by, 10 * 1024 * 1024);
  for (let at = 0; at < text.length; at += size) digest.write(text.slice(at, at + size));
  return digest.end().lines.join("\n");
}

describe.each(Object.entries(TABLES))("the head of a table names every row: %s", (name, text) => {
  test("of a text", () => {
    expect(left(scrubber.scrub(text).text)).toEqual([]);
  });

  test("of an output that is read in blocks", () => {
    expect(left(printed(text, 5000))).toEqual([]);
    expect(printed(text, 5000)).toBe(printed(text, 1e9));
    const before = text.slice(0, text.indexOf("password"));
    expect(printed(text, 70_000)).toContain(before.split("\n")[0]);
    expect(printed(text, 1e9).split("\n")).toHaveLength(text.replace(/\n$/, "").split("\n").length);
  });

  test("of a stream whose pieces are lines", () => {
    const lines = text.split(/(?<=\n)/).slice(0, 60);
    const events = lines.map((line) => `data: ${JSON.stringify({ v: line })}\n\n`).join("");
    expect(left(scrubber.scrub(events, { mime: "text/event-stream" }).text)).toEqual([]);
  });
});

/** The first values that are left. */
const left = (text: string): string[] => (text.match(/x\d+-Zebra4-lock/g) ?? []).slice(0, 3);

/** Two tables of as many columns, one right behind the other. */
const PAIRS: Record<string, string> = {
  "console.table": [
    ["┌─────────┬──────┬────────────┐", "│ (index) │ note │ birth_date │", "├─────────┼──────┼────────────┤"],
    ["│ 0       │ 'a'  │ '2001-02-03' │", "└─────────┴──────┴────────────┘"],
    ["┌─────────┬──────────┬───────┐", "│ (index) │ password │ shape │", "├─────────┼──────────┼───────┤"],
    ["│ 0       │ 'x1-Zebra4-lock' │ 'round' │", "└─────────┴──────────┴───────┘", ""],
  ]
    .flat()
    .join("\n"),
  mysql: [
    ["+----+------+------------+", "| id | note | birth_date |", "+----+------+------------+"],
    ["| 1  | a    | 2001-02-03 |", "+----+------+------------+"],
    ["+----+----------+-------+", "| id | password | shape |", "+----+----------+-------+"],
    ["| 1  | x1-Zebra4-lock | round |", "+----+----------+-------+", ""],
  ]
    .flat()
    .join("\n"),
};

test.each(Object.entries(PAIRS))("the head of one table names nothing in the next one: %s", (_, text) => {
  for (const read of [scrubber.scrub(text).text, printed(text, 1e9), printed(text, 100), printed(text, 20)]) {
    expect(left(read)).toEqual([]);
    expect(read).not.toContain("2001-02-03");
    expect(read).toContain("round");
    expect(read).toContain("password");
  }
});

test("a list of headers is no table, whatever its first header says", () => {
  const headers = [
    ["x-mirror", "x-password"],
    ["x-password", "x1-Zebra4-lock"],
    ["Host", "127.0.0.1:38735"],
    ["Connection", "keep-alive"],
  ];
  const { text } = scrubber.scrub(JSON.stringify({ headers }), { mime: "application/json" });
  expect(left(text)).toEqual([]);
  expect(JSON.parse(text)).toMatchObject({
    headers: [["x-mirror", "x-password"], ["x-password", expect.any(String)], headers[2], headers[3]],
  });
});

test("the head of a denied column, and of an insertion, names what stands in later blocks", () => {
  const sizes = Array.from({ length: ROWS }, (_, i) => `${i},size-${i},${filler}`).join("\n");
  expect(printed(`id,shoe_size,note\n${sizes}\n`, 5000, denying)).not.toMatch(/size-\d/);
  const tuples = Array.from({ length: ROWS }, (_, i) => `(${i}, '${secret(i)}', '${filler}')`).join(",\n");
  expect(left(printed(`INSERT INTO users (id, password, note) VALUES\n${tuples};\n`, 5000))).toEqual([]);
});

test("a row above 64 KiB that another thread reads stands below the head, too", async () => {
  const long = `1,${secret(1)},${filler.repeat(4000)}\n`;
  const asked: string[] = [];
  const digest = new StreamDigest({
    scrub: scrubber.scrub,
    scrubElsewhere: (text) => {
      asked.push(text);
      return Promise.resolve(scrubber.scrub(text).text);
    },
  });
  digest.write(`id,password,note\n${long}2,${secret(2)},last\n`);
  await new Promise(setImmediate);
  const { lines, bytes } = digest.end();
  expect(asked).toEqual([`id,password,note\n${long}`]);
  expect(left(lines.join("\n"))).toEqual([]);
  expect(lines[0]).toBe("id,password,note");
  expect(bytes).toBe(Buffer.byteLength(scrubber.scrub(`id,password,note\n${long}2,${secret(2)},last\n`).text));
});

describe("rows in lists, of which the first one holds the names", () => {
  const rows: unknown[][] = [
    ["Name", "Password", "SSN"],
    ["bob", secret(1), 123_456_789],
    ["al", secret(2), "987-65-4320"],
  ];
  const seen = (text: string, mime: string): string => scrubber.scrub(text, { mime }).text;

  test.each([
    ["JSON", seen(JSON.stringify({ range: "A1:C3", values: rows }), "application/json")],
    ["JSON in a text", seen(`got ${JSON.stringify(rows)}`, "text/plain")],
    ["a typed value", seen(encodeValue(rows).text, VALUE_MIME)],
    ["yielded texts", seen(rows.map((row) => encodeValue(row.join()).text).join("\n"), VALUE_LINES_MIME)],
    ["lines in a list", seen(JSON.stringify(rows.map((row) => row.join())), "application/json")],
  ])("%s", (_, text) => {
    expect(left(text)).toEqual([]);
    expect(text).not.toMatch(/123456789|987-65-4320/);
    expect(text).toContain("Name");
  });

  test.each([
    {
      values: [
        ["x", "token", "word"],
        ["a", "b", "c"],
      ],
    },
    {
      pairs: [
        ["type", "password"],
        ["id", "field"],
      ],
    },
    {
      points: [
        [1, 2],
        [123_456_789, 4],
      ],
    },
    {
      words: [
        ["token", "tokens", "tokenise"],
        ["password", "passwords", "pass"],
      ],
    },
  ])("other lists stay: %j", (value) => {
    expect(seen(JSON.stringify(value), "application/json")).toBe(JSON.stringify(value));
  });
});
