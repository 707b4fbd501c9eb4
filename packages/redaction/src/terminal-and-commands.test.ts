import { decodeValue, encodeValue, VALUE_MIME } from "@reenact/envelope";
import { describe, expect, test } from "vitest";
import { createScrubber } from "./scrubber.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 7) });
const mimeOf = (text: string): object => (/^[{[]/.test(text) ? { mime: "application/json" } : {});
const scrubbed = (text: string): string => {
  const once = scrubber.scrub(text, mimeOf(text)).text;
  expect(scrubber.scrub(once, mimeOf(once)).text).toBe(once);
  return once;
};
const KEY = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
const VALUE = "aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY3zA";
const TOKEN = /[A-Z]+_[a-z]{4}_[a-z]{16}/g;
const shown = (text: string): string => scrubbed(text).replace(TOKEN, "*");

describe("what steers a terminal", () => {
  const coloured: [text: string, left: string][] = [
    [`\u001b[32m${KEY}\u001b[0m`, "\u001b[32m*\u001b[0m"],
    ["\u001b[1m\u001b[38;5;9m4111111111111111\u001b[m.", "\u001b[1m\u001b[38;5;9m*\u001b[m."],
    ["\u001b[90m155-27-8663\u001b[39m", "\u001b[90m*\u001b[39m"],
    ["DB_PASSWORD\u001b[0m=\u001b[32mHunter2!xyz\u001b[0m", "DB_PASSWORD\u001b[0m=\u001b[32m*\u001b[0m"],
    ["to \u001b[4mada@example.org\u001b[24m.", "to \u001b[4m*\u001b[24m."],
    [
      "\u001b]8;;https://x.test\u001b\\10.1.2.3\u001b]8;;\u001b\\",
      "\u001b]8;;https://x.test\u001b\\*\u001b]8;;\u001b\\",
    ],
    // a search that marks what it found
    [`\u001b[1;31mghp_\u001b[m${KEY.slice(4)}`, "\u001b[1;31m*"],
  ];
  test.each(coloured)("%j", (text, left) => {
    expect(shown(text)).toBe(left);
    expect(JSON.parse(shown(JSON.stringify({ out: text })))).toEqual({ out: left });
    for (const written of ["\\u001b", "\\x1B", "\\033", "^["])
      if (!text.includes("]8"))
        expect(shown(text.replaceAll("\u001b", written))).toBe(left.replaceAll("\u001b", written));
  });

  // of sequences whose escape characters were taken out, as headers and pasted logs have them
  test.each([
    [`[32m${KEY}[0m`, "[32m*[0m"],
    [`[m${KEY}`, "[m*"],
    ["[1;31mAKIA3XKBNQ7ZPLTV5RWD[0m done", "[1;31m*[0m done"],
    ["[1m[38;5;9m4111111111111111[0m.", "[1m[38;5;9m*[0m."],
    ["[90m155-27-8663[39m", "[90m*[39m"],
    ["[36mada@example.org[0m", "[36m*[0m"],
    ["[33m203.0.113.126[39m", "[33m*[39m"],
    ["[31mGB82 WEST 1234 5698 7654 32[0m", "[31m*[0m"],
    [`[1;31mghp_[0m${KEY.slice(4)}`, "[1;31m*"],
  ])("without escape characters: %j", (text, left) => {
    expect(scrubbed(`[2K${KEY}`)).toMatch(/^\[2KKEY_[a-z]{4}_[a-z]{16}$/);
    expect(shown(text)).toBe(left);
    expect(JSON.parse(shown(JSON.stringify({ out: text })))).toEqual({ out: left });
  });

  test.each([
    "\u001b[32mok\u001b[0m 12 passed",
    "[32m✓[39m ok [2m(12)[22m[33m 4607[2mms[22m",
    "rate(http_requests_total[5m])",
    "^[[A",
    String.raw`/^[[\w.]+@/`,
    String.raw`C:\e\x1b`,
  ])("%j stays", (text) => expect(shown(text)).toBe(text));
});

test.each([
  [String.raw`\u0022155-27-8663\u0022`, String.raw`\u0022*\u0022`],
  [String.raw`\u003e155-27-8663\u003c`, String.raw`\u003e*\u003c`],
  [String.raw`\x224782-0228-8969-7793\x22`, String.raw`\x22*\x22`],
  [String.raw`a\u000a${KEY}\x0a`, String.raw`a\u000a*\x0a`],
  [String.raw`a\u0020${KEY}`, String.raw`a\u0020*`],
  [String.raw`a\x3d${KEY}\u0026b`, String.raw`a\x3d*\u0026b`],
  [String.raw`\u003cada@example.org\u003e`, String.raw`\u003c*\u003e`],
  [String.raw`{"a":"\\u0022+49 30 1234567\\u0022"}`, String.raw`{"a":"\\u0022*\\u0022"}`],
])("written delimiters part values: %s", (text, left) => expect(shown(text)).toBe(left));

test.each([
  ["[10.93.85.67]", "[*]"],
  ["[155-27-8663]", "[*]"],
  ["[4111-1111-1111-1111]", "[*]"],
  ['{"ssn": 155-27-8663}', '{"ssn": *}'],
  ['{"phone": 015112345678}', '{"phone": *}'],
  ['{"a":[0,-1.5e+3,10.93],"b":-0.1E-2}', '{"a":[0,-1.5e+3,10.93],"b":-0.1E-2}'],
])("what only looks like a number of JSON is read as text: %s", (text, left) => expect(shown(text)).toBe(left));

test.each([
  [`Cookie: theme=dark; sessionid=${VALUE}`, "Cookie: theme=dark; sessionid=*"],
  [`> Cookie: flag; li_at=AQEDAR4xvbn3kx9zAAABi; xs=${VALUE}\r\nHost: x`, "> Cookie: flag; li_at=*; xs=*\r\nHost: x"],
  [`curl -H 'Cookie: a=1; auth_session=${VALUE}' https://x.io`, "curl -H 'Cookie: a=1; auth_session=*' https://x.io"],
  [`curl -b "theme=dark; sid=${VALUE}" https://x.io`, 'curl -b "theme=dark; sid=*" https://x.io'],
  [`Set-Cookie: sid=${VALUE}; Path=/; Max-Age=86400`, "Set-Cookie: sid=*; Path=/; Max-Age=86400"],
  [`{'Cookie': 'a=1; sid=${VALUE}'}`, "{'Cookie': 'a=1; sid=*'}"],
  ["Cookie: we use them; see a=b", "Cookie: we use them; see a=b"],
])("each cookie of a header in a text: %s", (text, left) => expect(shown(text)).toBe(left));

test("the state of a browser", () => {
  const state = { cookies: [{ name: "session", value: `${VALUE}==`, domain: "x.io" }] };
  expect(JSON.parse(shown(JSON.stringify(state)))).toEqual({
    cookies: [{ name: "session", value: "*", domain: "x.io" }],
  });
});

describe("arguments as a list", () => {
  test.each([
    [
      ["node", "app.js", "--password", "Hunter2!xyz"],
      ["node", "app.js", "--password", "*"],
    ],
    [
      ["--api-key", VALUE, "--port", "8080"],
      ["--api-key", "*", "--port", "8080"],
    ],
    [
      ["curl", "-u", "bob:Hunter2!xyz", "https://x"],
      ["curl", "-u", "*", "https://x"],
    ],
    [
      ["curl", "-uadmin:Hunter2!xyz", "https://x"],
      ["curl", "*", "https://x"],
    ],
    [
      ["mysql", "-uroot", "-pHunter2!xyz"],
      ["mysql", "-uroot", "*"],
    ],
    [
      ["sshpass", "-p", "Hunter2!x yz", "ssh", "h"],
      ["sshpass", "-p", "*", "ssh", "h"],
    ],
    [
      ["curl", "-H", `Authorization: Bearer ${VALUE}`],
      ["curl", "-H", "Authorization: Bearer *"],
    ],
    [
      ["curl", "-b", `sid=${VALUE}`],
      ["curl", "-b", "*"],
    ],
    [
      ["http", "-a", "bob:Hunter2!xyz", "x.io"],
      ["http", "-a", "*", "x.io"],
    ],
    [
      ["ssh", "-p", "Hunter2!xyz"],
      ["ssh", "-p", "Hunter2!xyz"],
    ],
    [
      ["--token-file", "./token.txt", "--max-tokens", "4096"],
      ["--token-file", "./token.txt", "--max-tokens", "4096"],
    ],
    [
      ["- the password", "- is long"],
      ["- the password", "- is long"],
    ],
  ])("%j", (argv, left) => expect(JSON.parse(shown(JSON.stringify({ argv })))).toEqual({ argv: left }));

  test.each([
    ["command", "args", "curl", ["-u", "bob:Hunter2!xyz", "https://x"], ["-u", "*", "https://x"]],
    ["command", "args", "/usr/bin/mysql", ["-uroot", "-pHunter2!xyz"], ["-uroot", "*"]],
    ["path", "spawnargs", "redis-cli", ["-a", "Hunter2!xyz"], ["-a", "*"]],
    [
      "command",
      "args",
      "aws",
      ["configure", "set", "aws_secret_access_key", "wJalrXUtnFEMIbPxRfiCY7Q2mNpKEYaaaabbb1"],
      ["configure", "set", "aws_secret_access_key", "*"],
    ],
    [
      "command",
      "args",
      "redis-cli",
      ["CONFIG", "SET", "requirepass", "Hunter2!xyz"],
      ["CONFIG", "SET", "requirepass", "*"],
    ],
    ["command", "args", "git", ["log", "--author", "key"], ["log", "--author", "key"]],
    ["command", "args", "ssh", ["-p", "Hunter2!xyz"], ["-p", "Hunter2!xyz"]],
  ])("beside the program: %s, %s, %s", (name, list, program, args, left) => {
    const value = { [name]: program, [list]: args };
    const expected = { [name]: program, [list]: left };
    expect(JSON.parse(shown(JSON.stringify(value)))).toEqual(expected);
    expect(JSON.parse(shown(JSON.stringify({ [list]: args, [name]: program })))).toEqual(expected);
    const typed = scrubber.scrub(encodeValue([value]).text, { mime: VALUE_MIME }).text;
    expect(JSON.stringify(decodeValue(typed)).replace(TOKEN, "*")).toBe(JSON.stringify([expected]));
  });

  test("an argument that comes later is read with those before it", () => {
    const argv = [...Array.from({ length: 300 }, (_, i) => `https://x.test/${i}`), "curl", "-u"];
    const own = createScrubber({ key: Buffer.alloc(32, 7) });
    for (const list of [argv, [...argv, "bob:Hunter2!xyz"]])
      expect(own.scrub(JSON.stringify({ argv: list }), { mime: "application/json" }).text).not.toContain("Hunter2");
  });
});

test.each([
  ["ENV API_TOKEN wpaFvKHGxCuqcfA9IbgIoZ/kZK2zP7/2VYzsgoshHOI=", "ENV API_TOKEN *"],
  ["./deploy --api-key wpaFvKHGxCuqcfA9IbgIoZ/kZK2zP7/2VYzsgosh== --x", "./deploy --api-key * --x"],
  ["the api key is wpaFvKHGxCuqcfA9IbgIoZ/kZK2zP7/2VYzsgoshHOI=.", "the api key is *."],
  ["run --token NAME=value1234", "run --token NAME=value1234"],
])("base64 with its padding: %s", (text, left) => expect(shown(text)).toBe(left));

test.each([
  ["ssh root@81.11.49.195", "ssh root@*"],
  ["scp x deploy@203.0.113.9:/tmp", "scp x deploy@*:/tmp"],
  ["root@10.0.3.7's password:", "root@*'s password:"],
  ["actions/checkout@4.1.0, a@1.2.3.4.5", "actions/checkout@4.1.0, a@1.2.3.4.5"],
])("an address behind a user: %s", (text, left) => expect(shown(text)).toBe(left));

test.each([
  ["sk_prod_QbncDpvgaOAe7JMJ_s3_LGwyArxGvU7i0bfHHWOaNRNfEi7BcLDHruWIgxhUZx8j", "*"],
  [`${KEY}/${VALUE}==`, "*"],
  ["AKIAQ7ZK3M5N2P4R6T8V-backup.txt", "*-backup.txt"],
  ["AKIAQ7ZK3M5N2P4R6T8V/20240101/us-east-1/s3/aws4_request", "*/20240101/us-east-1/s3/aws4_request"],
  ["AKIAQ7ZK3M5N2P4R6T8V-EMAIL_abcd_abcdefghijklmnop", "*-*"],
])("a key goes to its end: %s", (text, left) => expect(shown(text)).toBe(left));
