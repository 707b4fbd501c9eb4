import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { FAMILIES } from "../detect/national/families.ts";
import { TYPES } from "../scan/hit.ts";
import { policySchema } from "../policy.ts";
import { PROVIDER_KEYS } from "./provider-keys.ts";
import { RULES } from "./rules.ts";

const file = new URL("../../RULES.md", import.meta.url);
const text = fs.readFileSync(file, "utf8");
const sections = new Map(
  text
    .split(/^## /m)
    .slice(1)
    .map((s) => [s.slice(0, s.indexOf("\n")).trim(), s]),
);

const code = (value: string): string => `\`${value.replaceAll("|", "\\|")}\``;
const families = new Map(FAMILIES.map((family) => [`id.${family.id.replace("/", ".")}`, family]));
const keys = new Map(PROVIDER_KEYS.map((format) => [`key.${format[0]}`, format]));

function row(id: string, finds: string): string {
  const family = families.get(id);
  const key = keys.get(id);
  if (family !== undefined) {
    const { length, shapes, words } = family;
    const said = words.split("|").map((word) => word.replace(/^=/, ""));
    const alone = shapes.length === 0 ? "" : shapes.map(code).join(", ");
    return `| ${code(id)} | ${finds} | ${length[0] === length[1] ? length[0] : length.join("–")} | ${alone} | ${said.join(", ")} |`;
  }
  if (key !== undefined)
    return `| ${code(id)} | ${finds} | ${[key[4] ?? "", `!${key[2]}`, key[3]]
      .filter((part) => part !== "")
      .map(code)
      .join(" ")} |`;
  return `| ${code(id)} | ${finds} |${id.startsWith("id.") ? "  | by name |  |" : ""}`;
}

const HEADS: Record<string, string> = {
  NATIONAL_ID: "| rule | number | length | alone | words |\n|---|---|---|---|---|",
  KEY: "| rule | of | form |\n|---|---|---|",
};

function withTables(source: string): string {
  return source.replace(/<!-- table:([A-Z_]+) -->\n(?:\n\|[^]*?\n(?=\n|$))?/g, (mark: string, type: string) => {
    const rows = RULES.filter((rule) => rule.type === type).map(({ id, finds }) => row(id, finds));
    return `${mark.slice(0, mark.indexOf("\n"))}\n\n${HEADS[type] ?? "| rule | finds |\n|---|---|"}\n${rows.join("\n")}\n`;
  });
}

test.each(TYPES.map((type) => [type]))("RULES.md describes %s", (type) => {
  const section = sections.get(type) ?? "";
  for (const entry of ["Example:", "Validation:", "Default:", "Limits:"])
    expect(section, `${type} lacks "${entry}"`).toContain(`**${entry}**`);
});

test("the tables of RULES.md are those of the code", async () => {
  await expect(withTables(text)).toMatchFileSnapshot(fileURLToPath(file));
});

test("RULES.md names every rule under its type, once, and none that is not there", () => {
  const named = [...text.matchAll(/^\| `([a-z0-9.-]+)` \|/gm)].map((match) => match[1]);
  expect(new Set(named)).toEqual(new Set(RULES.map((rule) => rule.id)));
  expect(named).toHaveLength(RULES.length);
  for (const { id, type } of RULES) expect(sections.get(type), id).toContain(`| \`${id}\` |`);
  for (const name of sections.keys()) if (/^[A-Z_]+$/.test(name)) expect(TYPES).toContain(name);
});

test("the policy can switch off every rule's type and nothing else", () => {
  expect(policySchema.parse({ off: [...TYPES] }).off).toEqual(TYPES);
  expect(() => policySchema.parse({ off: ["OTHER"] })).toThrow();
  expect(() => policySchema.parse({ unknown: 1 })).toThrow();
});
