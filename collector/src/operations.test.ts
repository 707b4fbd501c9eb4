import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { CollectorErrorCode } from "./collector-error.ts";
import { metricsOf } from "./metrics/collector-metrics.ts";
import { collectorConfig, destination } from "./config-schema.ts";
import { variables } from "./config.ts";
import { FILTER_FIELDS } from "./query/filter-fields.ts";
import { STATUS } from "./receive/status.ts";

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

function everyMetric() {
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
  return metricsOf({
    version: "0",
    ready: true,
    storeMissing: false,
    catalogMissing: true,
    rebuilt: { packs: 1, of: 2, runs: 3, unreadable: 0 },
    received: counts,
    journal,
    runs: { open: 0, sealing: 0, spans: 0 },
    sealed: { runs: 0, packs: 0, storedBytes: 0, failures: 0 },
    swept: { runs: 0, failures: 0 },
    forwards: [],
  });
}

test("every metric is named", () => {
  for (const { name, kind } of everyMetric()) {
    expect(text).toContain(`\`${name}\``);
    expect(name.endsWith("_total"), name).toBe(kind === "counter");
  }
});

test("the rules of alerts.yaml are those of the table, on metrics that there are", () => {
  const { groups } = parse(readFileSync(join(import.meta.dirname, "../helm/alerts.yaml"), "utf8")) as {
    groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
  };
  const rules = groups.flatMap((each) => each.rules);
  const asked = ({ expr }: { expr: string }) => [...new Set(expr.match(/\b(?:reenact|process)_[a-z_0-9]+/g))];
  const kinds = new Map(everyMetric().map(({ name, kind }) => [name, kind]));
  for (const rule of rules) {
    const [metric, ...more] = asked(rule);
    expect([rule.alert, more, kinds.has(metric!)]).toEqual([rule.alert, [], true]);
    // a counter is never compared as it is
    expect([rule.alert, rule.expr.startsWith("increase(")]).toEqual([rule.alert, kinds.get(metric!) === "counter"]);
    const metrics = rule.annotations.summary.match(/\breenact_[a-z_]+/g) ?? [];
    expect(metrics.filter((name) => !kinds.has(name))).toEqual([]);
  }
  const table = text.slice(text.indexOf("| Metric | Alert when"), text.indexOf("Further counters and gauges"));
  const alerting = [...table.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name!);
  expect(alerting.length).toBeGreaterThan(15);
  expect([...new Set(rules.flatMap(asked))]).toEqual(alerting);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);

  const { limits } = collectorConfig.parse({});
  const { maxBehindBytes } = destination.parse({ name: "a", url: "http://127.0.0.1" });
  const bytes = [2 * limits.freeDiskBytes, Math.round(0.9 * limits.pendingBytes), maxBehindBytes / 2];
  expect(rules.flatMap(({ expr }) => /[<>] (\d{6,})$/.exec(expr)?.[1] ?? []).map(Number)).toEqual(bytes);
  const statuses = [...JSON.stringify(rules).matchAll(/status=~\\"([A-Za-z|]+)/g)].flatMap(([, some]) =>
    some!.split("|"),
  );
  expect(statuses.filter((status) => !(status in STATUS))).toEqual([]);
  expect(statuses).toHaveLength(5);
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
