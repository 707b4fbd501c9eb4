// What is replaced in real texts: recorded requests of other projects' agents, and the sources, pages and lock file of
// this repository. A replacement is right where its form proves it, or where somebody has looked at it and put it below.
import { readdirSync, readFileSync } from "node:fs";
import { isIP } from "node:net";

const ROOT = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, ROOT), "utf8");
const LONGEST = 400_000;
/** RULES.md is made of examples. */
const SOURCE = /^(?!.*(?:\.test\.|node_modules|\/dist\/|RULES\.md)).*\.(?:ts|mjs|md|json)$/;

function files(folder) {
  return readdirSync(new URL(folder, ROOT), { recursive: true })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((name) => SOURCE.test(name))
    .toSorted();
}

function* texts() {
  for (const line of read("test/redaction-proof/corpora/requests.jsonl").trim().split("\n")) yield line;
  yield read("package-lock.json");
  for (const folder of ["packages", "collector/src", "examples"])
    for (const name of files(folder)) yield read(name).slice(0, LONGEST);
}

const PROVED = {
  EMAIL: (value) => /^[^\s@]+(?:@|%40|(?: [([]at[)\]] ))[\w-]+(?:\.| [([]dot[)\]] )[\w.-]*[a-z]{2,}$/i.test(value),
  IP: (value) => isIP(value) !== 0,
  MAC: (value) => /^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(value),
  PEM: (value) => value.includes("PRIVATE KEY-----") || value.length > 40,
  JWT: (value) => value.startsWith("eyJ"),
  SSN: (value) => /^\d{3}-\d\d-\d{4}$/.test(value),
  CARD: (value) => /^\d{4}[ -]\d{4,6}[ -]\d{4,5}/.test(value),
  KEY: (value) => /^(?:[A-Za-z0-9]{2,12}[-_])+[A-Za-z0-9_-]{16,}$/.test(value),
  BIRTH_DATE: (value) => /^(?:(?:19|20)\d\d-\d\d-\d\d|\d\d\/\d\d\/(?:19|20)\d\d)$/.test(value),
  PHONE: (value) => /^\+\d[\d ()-]{7,}$/.test(value),
};

/** Looked at: invented examples in comments and pages of this repository. */
const LOOKED_AT = new Set(
  readFileSync(new URL("./corpora/looked-at.txt", import.meta.url), "utf8")
    .trim()
    .split("\n"),
);

/** How much of what is replaced is right; `wrong`: the rest, with its rule. */
export function precisionOf(scrubber) {
  const wrong = [];
  let all = 0;
  for (const text of texts()) {
    for (const { type, rule, start, end } of scrubber.inspect(
      text,
      text.startsWith("{") ? { mime: "application/json" } : {},
    ).hits) {
      all++;
      const value = text.slice(start, end);
      if (PROVED[type]?.(value) !== true && !LOOKED_AT.has(value))
        wrong.push(`${rule}: ${JSON.stringify(text.slice(Math.max(0, start - 30), end + 10))}`);
    }
  }
  return { right: all - wrong.length, all, wrong };
}
