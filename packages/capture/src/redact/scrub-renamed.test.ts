import { encodeValue } from "@reenact/envelope";
import { expect, test } from "vitest";
import { type BothForms, hiddenInBoth } from "./scrub-renamed.ts";

class Account {
  p: unknown;
  constructor(p: unknown) {
    this.p = p;
  }
  toJSON(): unknown {
    return { id: 7, password: this.p };
  }
}
class Shown {
  password: unknown;
  constructor(password: unknown) {
    this.password = password;
  }
  toJSON(): unknown {
    return { shown: this.password };
  }
}
const TOKEN = "AUTH_abcd_abcdefghijklmnop";
/** As a scrubber would that knows the name `password`. */
const scrubbed = (text: string, isTyped: boolean): string => {
  if (!isTyped) return text.replace(/("password":)"[^"]*"/g, `$1"${TOKEN}"`).replace(/("password":)\d+/g, "$199999999");
  const nodes = JSON.parse(text) as unknown[];
  const at = /"password":(\d+)/.exec(text)?.[1];
  if (at !== undefined) nodes[Number(at)] = typeof nodes[Number(at)] === "number" ? 99999999 : TOKEN;
  return JSON.stringify(nodes);
};
function forms(value: unknown): BothForms {
  const original = { typed: encodeValue(value).text, json: JSON.stringify(value) };
  return hiddenInBoth(original, { typed: scrubbed(original.typed, true), json: scrubbed(original.json, false) });
}

test.each([
  ["a member that toJSON names", new Account("hunter2-x9")],
  ["a member that toJSON renames", new Shown("hunter2-x9")],
  ["deeper", { list: [new Map(), { of: new Account("hunter2-x9") }] }],
  ["an error", Object.assign(new Error("no"), { code: "hunter2-x9", toJSON: () => ({ password: "hunter2-x9" }) })],
])("%s is hidden in both forms", (_, value) => {
  const { typed, json } = forms(value);
  expect(typed + json).not.toContain("hunter2");
  expect(typed).toContain(TOKEN);
  expect(json).toContain(TOKEN);
});

test("a number stays one", () => {
  expect(forms(new Account(12345678))).toEqual({
    typed: expect.stringContaining("99999999"),
    json: '{"id":7,"password":99999999}',
  });
});

test("other values stay what they are", () => {
  const value = { user: "hunter2-x9", password: "hunter2-x9" };
  const { json } = forms(value);
  expect(json).toBe(`{"user":"hunter2-x9","password":"${TOKEN}"}`);
});
