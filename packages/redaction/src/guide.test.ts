import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Policy, readDestinationPolicy, readPolicy } from "./policy.ts";
import { createScrubber } from "./scrubber.ts";

const guide = readFileSync(new URL("../GUIDE.md", import.meta.url), "utf8");
const key = Buffer.alloc(32, 5);

interface Config {
  redaction: Policy;
  destinations?: { url: string; redaction: Policy }[];
}

const projects = guide
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    title: section.slice(0, section.indexOf("\n")),
    config: JSON.parse(/```json\n([^]*?)```/.exec(section)?.[1] ?? "null") as Config,
    tables: [...section.matchAll(/^\| (Text|To `([^`]*)`) \| Becomes \|\n\| --- \| --- \|\n((?:\|.*\|\n?)+)/gm)].map(
      ([, , to, rows = ""]) => ({ to, rows: [...rows.matchAll(/^\| `(.*)` \| `(.*)` \|$/gm)] }),
    ),
  }));

test("the guide has three projects with texts", () => {
  expect(projects.map(({ title }) => title)).toEqual(["A bank", "A clinic", "A chat bot on telephone numbers"]);
});

/** What a receiver gets was redacted for the store before. */
const become = (text: string, policies: readonly Policy[]): string =>
  policies
    .reduce((given, policy) => {
      const scrubber = createScrubber({ key, policy });
      const hint = given.startsWith("{") ? { mime: "application/json" } : {};
      const { text: out } = scrubber.scrub(given, hint);
      expect(scrubber.scrub(out, hint).text).toBe(out);
      return out;
    }, text)
    .replace(/_[a-z]{4}_[a-z]{16}/g, "_…");

describe.each(projects)("$title", ({ config, tables }) => {
  test("its configuration is one", () => {
    expect(Object.keys(config).filter((name) => !["redaction", "destinations"].includes(name))).toEqual([]);
    expect(readPolicy(config.redaction)).toEqual({ policy: config.redaction });
    for (const { redaction } of config.destinations ?? [])
      expect(readDestinationPolicy(redaction)).toEqual({ policy: redaction });
  });

  test("texts become what it says", () => {
    expect(tables.flatMap(({ rows }) => rows).length).toBeGreaterThan(3);
    for (const { to, rows } of tables) {
      const further = config.destinations?.find(({ url }) => url === to)?.redaction;
      if (to !== undefined) expect(further).toBeDefined();
      const policies = further === undefined ? [config.redaction] : [config.redaction, further];
      for (const [, text = "", becomes] of rows) expect(become(text, policies)).toBe(becomes);
    }
  });
});
