import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Detector } from "../detect/detector.ts";
import { DETECTORS } from "../detect/detectors.ts";
import { LEAF_DETECTORS } from "../detect/leaf-detectors.ts";
import { FAMILIES } from "../detect/national/families.ts";
import { NATIONAL_RULES, ruleOfFamily } from "../detect/national/family-rules.ts";
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
const families = new Map(FAMILIES.map((family) => [ruleOfFamily(family.id), family]));
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

/** Rules of the tables of formats are named by their table. */
function rulesOf({ rules }: Pick<Detector, "rules">): string {
  const own = rules.filter((id) => !families.has(id) && !keys.has(id));
  const tables = [
    ...(NATIONAL_RULES.some((id) => rules.includes(id)) ? ["NATIONAL_ID"] : []),
    ...(rules.some((id) => keys.has(id)) ? ["KEY"] : []),
  ];
  return [...own.map(code), ...tables.map((type) => `the table of ${type}`)].join(", ");
}

const DETECTOR_HEAD = "| detector | finds | a candidate passes | rules | reads |\n|---|---|---|---|---|";

function detectorTable(): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  const rows = [...DETECTORS, ...LEAF_DETECTORS.map((each) => ({ ...each, reach: Infinity }))].map((each) => {
    const reach = each.reach === Infinity ? "the leaf" : each.reach.toLocaleString("en");
    return `| ${each.name} | ${cell(each.finds)} | ${cell(each.validator)} | ${rulesOf(each)} | ${reach} |`;
  });
  return `<!-- detectors -->\n\n${DETECTOR_HEAD}\n${rows.join("\n")}\n`;
}

function withTables(source: string): string {
  const withDetectors = source.replace(/<!-- detectors -->\n(?:\n\|[^]*?\n(?=\n|$))?/, detectorTable);
  return withDetectors.replace(/<!-- table:([A-Z_]+) -->\n(?:\n\|[^]*?\n(?=\n|$))?/g, (mark: string, type: string) => {
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

test("each rule has a detector, and each detector a name of its own", () => {
  const detectors = [...DETECTORS, ...LEAF_DETECTORS];
  expect(new Set(detectors.flatMap(({ rules }) => rules))).toEqual(new Set(RULES.map(({ id }) => id)));
  expect(new Set(detectors.map(({ name }) => name)).size).toBe(detectors.length);
});

test("the policy can switch off every rule's type and nothing else", () => {
  expect(policySchema.parse({ off: [...TYPES] }).off).toEqual(TYPES);
  expect(() => policySchema.parse({ off: ["OTHER"] })).toThrow();
  expect(() => policySchema.parse({ unknown: 1 })).toThrow();
});
