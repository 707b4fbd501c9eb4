import { expect, test } from "vitest";
import { createScrubber } from "../scrubber.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 3) });
const scrubbed = (text: string): string => scrubber.scrub(text).text.replace(/_[a-z]{4}_[a-z]{16}/g, "");

test.each([
  ["user,password\nalice,hunter2\nbob,correcthorse\n", "user,password\nalice,AUTH\nbob,AUTH\n"],
  ['"user","password"\r\n"al,ice","hun""ter2"\r\n', '"user","password"\r\n"al,ice","AUTH"\r\n'],
  ["id;api_key;phone\n1;a8f5f167f44f4964e6c998dee827110c;5550128\n2;;\n", "id;api_key;phone\n1;AUTH;PHONE\n2;;\n"],
  ["username\tpassword\tnote\nroot\tS3cr3t!x\tx y\n", "username\tpassword\tnote\nroot\tAUTH\tx y\n"],
  ["| user | password |\n|---|---|\n| bob | letmein!9 |", "| user | password |\n|---|---|\n| bob | AUTH |"],
  [`name,pesel\n${"Mia,\n".repeat(30)}Bo,44051401359\n`, `name,pesel\n${"Mia,\n".repeat(30)}Bo,NATIONAL_ID\n`],
  [
    "INSERT INTO users (id, password, ssn) VALUES (1, 'hunter2', '155278663'), (2, 'it''s ok', NULL);",
    "INSERT INTO users (id, password, ssn) VALUES (1, 'AUTH', 'SSN'), (2, 'AUTH', NULL);",
  ],
  [
    "insert into `a` (`user`,`password`)\nvalues ('b','pw123')",
    "insert into `a` (`user`,`password`)\nvalues ('b','AUTH')",
  ],
  [
    "     1→Access key ID,Secret access key\n     2→AKIARBCWWPOTMKOXVYLN,Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7jKl0n\n",
    "     1→Access key ID,Secret access key\n     2→KEY,AUTH\n",
  ],
  ["1\tuser\tssn\n2\tmia\t155278663\n3\tbo\t\n", "1\tuser\tssn\n2\tmia\tSSN\n3\tbo\t\n"],
  ["> | a | cpf |\n> |---|---|\n> | b | 52998224725 |\n", "> | a | cpf |\n> |---|---|\n> | b | NATIONAL_ID |\n"],
  ["<stdout>phone,dob\n+49 151 12345678,1983-02-23\n</stdout>", "<stdout>phone,dob\nPHONE,BIRTH_DATE\n</stdout>"],
  [
    "┌───┬───┐\n│ (index) │ password │\n├───┼───┤\n│ 0       │ 'hunter2' │\n└───┴───┘\n",
    "┌───┬───┐\n│ (index) │ password │\n├───┼───┤\n│ 0       │ 'AUTH' │\n└───┴───┘\n",
  ],
  ["│ (index) │ Values │\n│ password │ 'hunter2-x' │\n", "│ (index) │ Values │\n│ password │ 'AUTH' │\n"],
  ["| Field | Value |\n|---|---|\n| API key | letmein!9 |\n", "| Field | Value |\n|---|---|\n| API key | AUTH |\n"],
  ["+user,password\n+alice,hunter2\n", "+user,password\n+alice,AUTH\n"],
  ["db.example:5432:shop:alice:hunter2\n*:*:*:bob:zebra99\n", "db.example:5432:shop:alice:AUTH\n*:*:*:bob:AUTH\n"],
])("what stands below a secret or personal name goes: %j", (text, expected) => {
  expect(scrubbed(text)).toBe(expected);
  expect(scrubbed(scrubber.scrub(text).text)).toBe(expected);
});

test.each([
  ["| Token | Meaning |\n|---|---|\n| ident | An identifier |\n| plus | A sign |"],
  ["token, secret, and so on.\nThis, that, other\n"],
  ["user,password\njoe,changeme\n"],
  ["key,value,token\na,b,c\n"],
  ["date,open,close,volume\n2024-01-01,1.2,3.4,5432\n"],
  ["1\t2\t3\n2\ttoken\tident\n3\tpassword\tstring\n"],
  ["src/a.ts:5432:foo:bar:baz"],
  ["INSERT INTO s (a, b) VALUES ('x', 'y')"],
  ["INSERT INTO s (user, password) VALUES ($1, $2)"],
])("the rest stays: %j", (text) => {
  expect(scrubber.scrub(text).text).toBe(text);
});

test.each([
  ["GET /a?ip=2001%3Adb8%3A%3A8a2e%3A370%3A7334&page=2", "GET /a?ip=IP&page=2"],
  ["see https://x.example/p?tel=%2B44%2020%207946%200404, then", "see https://x.example/p?tel=PHONE, then"],
  ["curl 'https://x.example/?card=4111%201111%201111%201111'", "curl 'https://x.example/?card=CARD'"],
  ["at https://x.example/u/M%C3%BCller%40example.com/x", "at https://x.example/u/EMAIL/x"],
  ["it is 50%25 of 100% and %zz", "it is 50%25 of 100% and %zz"],
])("an escaped value of a URL in a text is read: %j", (text, expected) => {
  expect(scrubbed(text)).toBe(expected);
  expect(scrubbed(JSON.stringify({ log: text }))).toBe(JSON.stringify({ log: expected }));
});
