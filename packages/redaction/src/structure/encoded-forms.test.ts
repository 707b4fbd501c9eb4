import { describe, expect, test } from "vitest";
import { createScrubber } from "../scrubber.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 7), known: [{ name: "K", value: "zebra-crossing-77" }] });
const KEY = "ghp_x7Kq2mNp9RtVw4YzBc6DfGh8JkLs3QaEuT5o";
const PEM = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7x9Qe\n".repeat(26)}-----END PRIVATE KEY-----`;
const hex = (text: string): string => Buffer.from(text).toString("hex");
const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** Both readings come to the same, and nothing of a secret is left in any form that is read. */
function scrubbed(text: string, mime?: string): string {
  const hint = mime === undefined ? {} : { mime };
  const out = scrubber.scrub(text, hint).text;
  expect(scrubber.scrub(out, hint).text).toBe(out);
  return out;
}

describe("hexadecimal digits of a text", () => {
  test.each([
    ["alone", hex(KEY)],
    ["in capitals", hex(KEY).toUpperCase()],
    ["behind 0x, in a sentence", `it is 0x${hex(KEY)}, so`],
    ["behind a name", `token-hex: ${hex(`key=${KEY}`)}`],
    ["in JSON", JSON.stringify({ payload: hex(JSON.stringify({ password: "hunter2-x9" })), n: 1 })],
    ["in a query", `https://h.example/a?x=${hex("ada@example.com and more")}`],
    ["a known value", hex("it is zebra-crossing-77")],
  ])("%s", (_, text) => {
    const out = scrubbed(text);
    for (const run of out.matchAll(/(?:[0-9a-f]{2}){12,}/gi)) {
      const inside = Buffer.from(run[0], "hex").toString();
      expect(inside).toMatch(/_[a-z]{4}_[a-z]{16}/);
      expect(inside).not.toMatch(/x7Kq2mNp|hunter2|ada@|zebra/);
    }
    expect(out).not.toBe(text);
  });

  test("ids, digests and texts without a secret stay", () => {
    for (const text of [
      "4bf92f3577b34da6a3ce929d0e0e4736",
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      hex("a text in which nothing stands"),
      "0x00a1b2c3d4e5f60718293a4b5c6d7e8f90",
    ])
      expect(scrubbed(text)).toBe(text);
  });
});

test.each([
  ["one line", JSON.stringify([["password", "hunter2-x9"]])],
  [
    "pretty",
    JSON.stringify(
      [
        ["id", "7"],
        ["password", "hunter2-x9"],
      ],
      null,
      2,
    ),
  ],
  [
    "pretty, in a text",
    `It says:\n${JSON.stringify(
      [
        ["id", "7"],
        ["password", "hunter2-x9"],
      ],
      null,
      2,
    )}\nbye`,
  ],
  ["pretty, name and value", `It says:\n${JSON.stringify([{ name: "password", value: "hunter2-x9" }], null, 4)}`],
  ["pretty, in a string", JSON.stringify({ content: JSON.stringify([["password", "hunter2-x9"]], null, 2) })],
  [
    "pretty, in a string within a text",
    JSON.stringify({ content: `so:\n${JSON.stringify([["password", "hunter2-x9"]], null, 2)}` }),
  ],
])("a list of pairs: %s", (_, text) => {
  expect(scrubbed(text)).not.toContain("hunter2");
});

test("a private key in an escaped value of a URL, however long", () => {
  const text = `GET https://h.example/put?pem=${encodeURIComponent(PEM)}&n=1`;
  const out = scrubbed(text);
  expect(out).not.toContain("MIIEvQ");
  expect(out).toMatch(/&n=1$/);
  expect(scrubbed(`x ${encodeURIComponent(`a=${"b".repeat(600)} ${KEY}`)} y`)).not.toContain(KEY);
});

test("JSON under the content type of a form", () => {
  const form = "application/x-www-form-urlencoded";
  const out = scrubbed(JSON.stringify({ password: "hunter2-x9&y", token: "a=b c9-Xk2-77", list: [KEY], n: 1 }), form);
  expect(out).not.toMatch(/hunter2|c9-Xk2|x7Kq2mNp/);
  expect(JSON.parse(out)).toMatchObject({ n: 1 });
  expect(scrubbed(`password=hunter2-x9&a=1`, form)).toMatch(/^password=AUTH_\w+&a=1$/);
  expect(scrubbed(`{"password":"hunter2-x9"`, form)).not.toContain("hunter2");
});

const part = (head: string, body: string): string =>
  `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
test.each([
  ["a field", part('name="password"', "hunter2-x9")],
  ["a name without quotes", part("name=password", "hunter2-x9")],
  ["a name in single quotes", part("name='password'", "hunter2-x9")],
  [
    "a file of JSON",
    part('name="f"; filename="a.json"\r\nContent-Type: application/json', '{"password":"hunter2-x9"}'),
  ],
  ["a file without a type", part('name="f"; filename="a.env"', "DB_PASSWORD=hunter2-x9")],
  [
    "a file as bytes",
    part('name="f"; filename="a"\r\nContent-Type: application/octet-stream', "DB_PASSWORD=hunter2-x9"),
  ],
  ["base64", part('name="f"\r\nContent-Transfer-Encoding: base64', base64('{"password":"hunter2-x9"}'))],
  ["quoted printable", part('name="f"\r\nContent-Transfer-Encoding: quoted-printable', "DB_PASSWORD=3Dhunter2-x9")],
  [
    "a part in a part",
    part(
      'name="g"\r\nContent-Type: multipart/mixed; boundary=c',
      '--c\r\nContent-Disposition: file; name="password"\r\n\r\nhunter2-x9\r\n--c--',
    ),
  ],
  ["a form in a part", part('name="g"\r\nContent-Type: application/x-www-form-urlencoded', "a=1&password=hunter2-x9")],
  ["events in a part", part('name="g"\r\nContent-Type: text/event-stream', 'data: {"password":"hunter2-x9"}\n\n')],
  ["an end that is missing", part('name="password"', "hunter2-x9").slice(0, -2)],
])("multipart: %s", (_, text) => {
  for (const mime of ["multipart/form-data; boundary=b", 'multipart/form-data; boundary="b"', "multipart/form-data"]) {
    const out = scrubbed(`${text}--b--\r\n`, mime);
    expect(out).not.toContain("hunter2");
    for (const run of out.matchAll(/[A-Za-z0-9+/]{24,}={0,2}/g))
      expect(Buffer.from(run[0], "base64").toString()).not.toContain("hunter2");
  }
});

describe("UTF-16", () => {
  const bytes = (text: string, big: boolean, mark: boolean): string => {
    const wide = Buffer.from(`${mark ? "\uFEFF" : ""}${text}`, "utf16le");
    return (big ? wide.swap16() : wide).toString("latin1");
  };
  const read = (latin: string, big: boolean): string => {
    const wide = Buffer.from(latin, "latin1");
    return (big ? wide.swap16() : wide).toString("utf16le");
  };
  test.each([
    [false, true, "application/json"],
    [true, true, "application/json"],
    [false, false, "application/json; charset=utf-16le"],
    [true, false, "application/json; charset=utf-16be"],
    [false, false, "application/json"],
    [true, false, "text/plain"],
    [false, true, ""],
  ])("big end first %s, mark %s, %s", (big, mark, mime) => {
    for (const text of [`{"password":"hunter2-x9","a":"é ${KEY}"}`, `key ${KEY}, DB_PASSWORD=hunter2-x9`]) {
      const out = read(scrubbed(bytes(text, big, mark), mime), big);
      expect(out).not.toMatch(/hunter2|x7Kq2mNp/);
      expect(out).toMatch(/_[a-z]{4}_[a-z]{16}/);
    }
  });
  test.each([false, true])("as a string of JSON, and cut amid a character: big end first %s", (big) => {
    const text = bytes(`key ${KEY}, DB_PASSWORD=hunter2-x9 `, big, false);
    for (const piece of [text, text.slice(0, -1), text.slice(1)]) {
      const out = scrubbed(JSON.stringify({ stdout: piece }), "application/json").replaceAll("\\u0000", "");
      expect(out).not.toMatch(/hunter2|x7Kq2mNp/);
    }
  });
});
