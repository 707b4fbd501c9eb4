import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CollectorErrorCode } from "./collector-error.ts";
import { metricsOf } from "./metrics/collector-metrics.ts";
import { destination } from "./config-schema.ts";
import { variables } from "./config.ts";
import { FILTER_FIELDS } from "./query/filter-fields.ts";

const text = readFileSync(join(import.meta.dirname, "../OPERATIONS.md"), "utf8");
const rows = text.split("\n").filter((line) => line.startsWith("| "));

test("every setting stands in a table, and every one there is a setting", () => {
  const settings = Object.values(variables()).map((path) => path.join("."));
  const own = Object.keys(destination.shape);
  const named = (from: string, to: string) => {
    const part = text.slice(text.indexOf(from), text.indexOf(to));
    const cells = part.split("\n").flatMap((line) => /^\| ((?:`[^`]+`(?:, )?)+) \|/.exec(line)?.[1] ?? []);
    return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  };
  expect(named("## Settings", "**Keys.**").toSorted()).toEqual(settings.toSorted());
  expect(named("**Destinations.**", "How answers are handled").toSorted()).toEqual(own.toSorted());
});

test("every metric is named", () => {
  const counts = { requests: 0, refused: {}, spans: 0, rejectedSpans: 0, pendingBytes: 0 };
  const journal = {
    commits: 0,
    entries: 0,
    lostCommits: 0,
    storedBytes: 0,
    freeBytes: 1,
    refusing: null,
    damagedBytes: 0,
  };
  const metrics = metricsOf({
    version: "0",
    ready: true,
    storeMissing: false,
    catalogMissing: { phase: "rebuilding", why: null, progress: { packs: 1, of: 2, runs: 3, unreadable: 0 } },
    received: counts,
    journal,
    runs: { open: 0, sealing: 0, spans: 0 },
    sealed: { runs: 0, packs: 0, storedBytes: 0, failures: 0 },
    swept: { runs: 0, failures: 0 },
    forwards: [],
  });
  for (const { name, kind } of metrics) {
    expect(text).toContain(`\`${name}\``);
    expect(name.endsWith("_total"), name).toBe(kind === "counter");
  }
});

test("every warning and error that can be logged is explained", () => {
  const sources = globSync("**/*.ts", { cwd: import.meta.dirname }).filter(
    (name) => !/\.(test|fixture)\.ts$/.test(name),
  );
  const events = sources.flatMap((name) => {
    const source = readFileSync(join(import.meta.dirname, name), "utf8");
    const direct = [...source.matchAll(/log\(\s*(?:"(?:warn|error)"|level|[a-z]+ [^"]*),\s*"([a-z]+\.[a-z-]+)"/g)];
    const given = [...source.matchAll(/event: "([a-z]+\.[a-z-]+)"/g)];
    return [...direct, ...given].map(([, event]) => event!);
  });
  expect(events.length).toBeGreaterThan(20);
  const explained = rows.join("\n");
  expect(events.filter((event) => !explained.includes(`\`${event}\``))).toEqual([]);
});

test("every filter field and every code that ends a start is named", () => {
  for (const field of Object.keys(FILTER_FIELDS)) expect(text).toContain(`\`${field}`);
  const codes = ["BAD_CONFIG", "PORT_BUSY", "UNSAFE_BIND", "BAD_DATA_FOLDER"] satisfies CollectorErrorCode[];
  for (const code of codes) expect(text).toContain(`\`${code}\``);
});
