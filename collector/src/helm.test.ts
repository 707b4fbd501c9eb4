import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { createCollector } from "./app.ts";
import { CLOSE_GRACE } from "./close-stack.ts";
import { loadConfig, variables } from "./config.ts";
import { ROLES } from "./roles.ts";

type Tree = Readonly<Record<string, unknown>>;
interface Process {
  readonly enabled?: boolean;
  readonly roles: readonly string[];
  readonly folder?: { readonly size: string };
}
interface Values {
  readonly config: Tree;
  readonly processes: Readonly<Record<string, Process>>;
  readonly terminationGracePeriodSeconds: number;
  readonly preStopSeconds: number;
}

const FOLDER = join(import.meta.dirname, "../helm");
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");
const values = parse(read("values.yaml")) as Values;
const one = parse(read("one-process.yaml")) as Values;
const templates = globSync("templates/**/*.*", { cwd: FOLDER }).map(read).join("\n");
const all = `${templates}\n${["values.yaml", "one-process.yaml"].map(read).join("\n")}`;
const found = (pattern: RegExp, text: string) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))];

test("the collector takes the chart's settings, and knows each setting and variable that the chart names", () => {
  const several = {
    ...values.config,
    store: "s3://runs/here",
    journal: { url: "kafka://kafka:9092/spans" },
    catalog: { url: "postgres://reenact@postgres/reenact" },
  };
  for (const { roles } of Object.values(values.processes)) loadConfig({ env: {}, given: { ...several, roles } });
  loadConfig({ env: {}, given: { ...values.config, ...one.config, roles: one.processes["collector"]!.roles } });

  const settings = Object.values(variables()).map((path) => path.join("."));
  const isSetting = (name: string) => settings.some((each) => each === name || each.startsWith(`${name}.`));
  const named = found(/\bconfig\.([a-z][A-Za-z0-9.]*[A-Za-z0-9])/g, all);
  expect(named.filter((name) => !isSetting(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
  const known = ["REENACT_COLLECTOR_CONFIG", ...Object.keys(variables())];
  expect(found(/\b(REENACT_COLLECTOR_[A-Z0-9_]+)/g, all).filter((name) => !known.includes(name))).toEqual([]);
  expect(found(/\bargs: \[(--[a-z-]+)/g, templates).toSorted()).toEqual(["--check", "--role"]);
});

test("every value that a template reads is in values.yaml", () => {
  const at = (path: string) =>
    path.split(".").reduce<unknown>((tree, key) => (tree as Tree | undefined)?.[key], values as unknown);
  const paths = found(/\.Values\.([A-Za-z.]*[A-Za-z])/g, templates);
  expect(paths.filter((path) => !path.startsWith("config.") && at(path) === undefined)).toEqual([]);
  expect(paths).toContain("preStopSeconds");
});

test("the chart's processes do everything, and a role that needs a folder has one", () => {
  const schema = JSON.parse(read("values.schema.json")) as {
    properties: { processes: { additionalProperties: { properties: { roles: { items: { enum: string[] } } } } } };
  };
  expect(schema.properties.processes.additionalProperties.properties.roles.items.enum).toEqual([...ROLES]);
  const processes = Object.values(values.processes);
  expect(new Set(processes.flatMap(({ roles }) => roles))).toEqual(new Set(ROLES));
  for (const { roles, folder } of processes) expect(folder !== undefined).toBe(roles.includes("forward"));
  // dead letters are listed and sent again by the process in whose folder they lie
  for (const { roles } of processes) if (roles.includes("forward")) expect(roles).toContain("query");
  expect(Object.keys(one.processes)).toEqual([...Object.keys(values.processes), "collector"]);
  const running = Object.values(one.processes).filter(({ enabled }) => enabled !== false);
  expect(running).toMatchObject([{ roles: ROLES, replicas: 1, folder: { size: "100Gi" } }]);
});

test("what the image sets, and what Kubernetes would set, does not replace the chart's settings", () => {
  const image = readFileSync(join(FOLDER, "../Dockerfile"), "utf8");
  // a file below the chart's, where a variable would stand above it
  expect(found(/\b(REENACT_COLLECTOR_[A-Z_]+)=/g, image)).toEqual(["REENACT_COLLECTOR_DEFAULTS"]);
  // of a Service named reenact-collector there would be REENACT_COLLECTOR_SERVICE_HOST, which is no setting
  expect(templates).toContain("enableServiceLinks: false");
});

test("a running collector answers the chart's probes, and ends within the time that they give it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reenact-helm-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const keys = join(folder, "keys.yaml");
  writeFileSync(keys, `keys: [{ name: a, sha256: ${"a".repeat(64)}, scopes: [ingest], tenant: default }]\n`);
  const given = {
    ...values.config,
    data: join(folder, "data"),
    store: join(folder, "store"),
    keys,
    listen: { host: "127.0.0.1", port: 0 },
    log: "error",
  };
  const collector = createCollector(loadConfig({ env: {}, given }));
  onTestFinished(() => collector.close());
  const { http } = await collector.ready;
  const paths = found(/(\/(?:livez|readyz)[a-z/]*)/g, templates.replaceAll(/at \/readyz,/g, ""));
  expect(paths.toSorted()).toEqual(["/livez", "/readyz", "/readyz/receive"]);
  for (const path of paths) {
    const answer = await fetch(`${http}${path}`, { headers: { host: "10.0.0.7:4318" } });
    expect([path, answer.status, await answer.text()]).toEqual([path, 200, "ok\n"]);
  }
  // requests; runs that have ended; their packs, twice; what is open
  const needed = values.preStopSeconds + (5 * CLOSE_GRACE) / 1000;
  expect(values.terminationGracePeriodSeconds).toBeGreaterThan(needed);
});
