import { describe, expect, test } from "vitest";
import { VALUE_MIME, encodeValue } from "@reenact/envelope";
import { createScrubber } from "../scrubber.ts";
import { isKeyMember } from "./weak-name.ts";

const scrubber = createScrubber({ key: Buffer.alloc(32, 7) });
const SECRET = "Zebra-41!xQ7u";
const NAMES = [
  "pass",
  "clave",
  "parola",
  "mdp",
  "mdp_utilisateur",
  "geheim",
  "segredo",
  "xsrf",
  "activation_code",
  "x-hub-signature",
];

/** Where a name stands before a value. */
const FORMS: Readonly<Record<string, (name: string, value: string) => readonly [text: string, mime?: string]>> = {
  json: (name, value) => [JSON.stringify({ id: 1, [name]: value }), "application/json"],
  pairs: (name, value) => [
    JSON.stringify([
      ["accept", "x"],
      [name, value],
    ]),
    "application/json",
  ],
  typed: (name, value) => [encodeValue(new Map([["of", { [name]: value }]])).text, VALUE_MIME],
  form: (name, value) => [`a=1&${name}=${encodeURIComponent(value)}&b=2`, "application/x-www-form-urlencoded"],
  settings: (name, value) => [`A=1\n${name}=${value}\nB=2\n`],
  yaml: (name, value) => [`a: 1\n${name}: ${value}\nb: 2\n`],
  xml: (name, value) => [`<a><${name}>${value}</${name}></a>`],
  table: (name, value) => [`id,${name}\n1,${value}\n`],
  bars: (name, value) => [`| field | value |\n|---|---|\n| ${name} | ${value} |`],
};

describe.each(Object.entries(FORMS))("a name that says something else, too: %s", (_, form) => {
  test.each(NAMES)("%s goes where the value looks like nothing else", (name) => {
    const [text, mime] = form(name, SECRET);
    const left = scrubber.scrub(text, mime === undefined ? {} : { mime }).text;
    expect(left).not.toContain(SECRET);
    expect(left).not.toContain(encodeURIComponent(SECRET));
  });
  test.each(["3", "true", "passed", "Schaltjahr", "customer-id", "two words here"])("%s stays", (value) => {
    for (const name of NAMES) {
      const [text, mime] = form(name, value);
      expect(scrubber.scrub(text, mime === undefined ? {} : { mime }).text).toBe(text);
    }
  });
});

test.each(["PHPSESSID", "JSESSIONID", "connect.sid", "ASP.NET_SessionId", "_csrf"])("%s is a session", (name) => {
  expect(isKeyMember(name, "8ab3kd93kdmq02ld93jf8s7dk2")).toBe(true);
  expect(isKeyMember(name, "disabled")).toBe(false);
});

test.each(["pin", "pinCode", "card_pin", "otp_code", "twofa_code", "puk", "access_code", "código_pin"])(
  "digits under %s are a code, wherever it is set",
  (name) => {
    for (const form of ["json", "pairs", "form", "settings", "yaml", "table", "bars"]) {
      const [text, mime] = (FORMS[form] as (typeof FORMS)[string])(name, "731264");
      expect(scrubber.scrub(text, mime === undefined ? {} : { mime }).text, form).not.toContain("731264");
    }
  },
);

test("the digits on the back of a card go as a number, too", () => {
  expect(scrubber.scrub('{"cvv":123,"count":123}', { mime: "application/json" }).text).toBe('{"cvv":999,"count":123}');
});

test("what types and expressions of code are called stays", () => {
  for (const text of ["(secret: Uint8Array, salt: Uint8Array)", "const DIGEST_TOKEN = /DIGEST_[a-z]{4}_/;"])
    expect(scrubber.scrub(text).text).toBe(text);
});
