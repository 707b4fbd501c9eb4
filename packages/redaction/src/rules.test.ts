import fs from "node:fs";
import { expect, test } from "vitest";
import { policySchema } from "./policy.ts";
import { PROVIDER_KEYS } from "./provider-keys.ts";
import { RULES } from "./rules.ts";

const text = fs.readFileSync(new URL("../RULES.md", import.meta.url), "utf8");
const sections = new Map(
  text
    .split(/^## /m)
    .slice(1)
    .map((s) => [s.slice(0, s.indexOf("\n")).trim(), s]),
);

test.each(RULES.map((rule) => rule.type))("RULES.md describes %s", (type) => {
  const section = sections.get(type) ?? "";
  for (const entry of ["Example:", "Validation:", "Default:", "Limits:"])
    expect(section, `${type} lacks "${entry}"`).toContain(`**${entry}**`);
});

test("RULES.md names no rule that is not there, and every provider key", () => {
  for (const name of sections.keys()) if (/^[A-Z]+$/.test(name)) expect(RULES.map((r) => r.type)).toContain(name);
  const key = sections.get("KEY") ?? "";
  for (const { prefix } of PROVIDER_KEYS) expect(key).toContain(`\`${prefix}\``);
});

test("the policy can switch off every rule and nothing else", () => {
  const off = RULES.map((rule) => rule.type);
  expect(policySchema.parse({ off }).off).toEqual(off);
  expect(() => policySchema.parse({ off: ["OTHER"] })).toThrow();
  expect(() => policySchema.parse({ unknown: 1 })).toThrow();
});
