import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sdkVersions } from "@reenact/node";
import { OTHER_HOSTS, PROVIDERS } from "@reenact/providers";
import { describe, expect, test } from "vitest";
import { LOADED } from "./load-provider.ts";

const root = join(import.meta.dirname, "../..");
const sources = join(root, "packages/providers/src");
const HOSTS = [...PROVIDERS.flatMap(({ hosts }) => hosts), ...OTHER_HOSTS];

interface Manifest {
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
}

test("every folder with a provider is a row, under the folder's name", () => {
  const folders = globSync("*/provider.ts", { cwd: sources }).map((path) => path.split(/[\\/]/)[0]);
  expect(PROVIDERS.map(({ name }) => name).toSorted()).toEqual(folders.toSorted());
});

test("the table in the README names each provider with its SDKs and their tested versions", () => {
  const readme = readFileSync(join(root, "packages/providers/README.md"), "utf8");
  for (const { title, sdks } of PROVIDERS) {
    const shown = sdks.map((sdk) => `\`${sdk.package}\` ${sdk.tested.join(", ")}`).join("; ");
    expect(readme).toContain(`| ${title} | ${shown} |`);
  }
});

test("no host stands in two rows, and each that speaks another wire format names a provider's", () => {
  expect(new Set(HOSTS.map(({ host }) => host)).size).toBe(HOSTS.length);
  const names = PROVIDERS.map(({ name }) => name);
  expect(HOSTS.flatMap(({ speaks }) => speaks ?? []).filter((name) => !names.includes(name))).toEqual([]);
});

describe.each(LOADED)("$provider.name", ({ provider, operations, dialect }) => {
  test("has an operation for each target, and a target for each operation", () => {
    const named = new Set(provider.targets.map(({ operation }) => operation));
    expect([...named].toSorted()).toEqual(Object.keys(operations).toSorted());
  });

  test("reads calls to its own hosts, and to those of other providers that speak its wire format", () => {
    const [target] = provider.targets;
    if (target === undefined) throw new Error("no target");
    const speaking = HOSTS.filter(({ speaks }) => speaks?.includes(provider.name));
    for (const { host, openinference } of [...provider.hosts, ...speaking]) {
      const path = target.path.source.replaceAll("[^/]+", "m").replaceAll("\\", "").replaceAll("$", "");
      const url = new URL(path, `https://${host}`);
      const operation = dialect.recognise({ method: target.method, url, headers: new Map(), body: null });
      expect(operation?.vendor, host).toBe(openinference);
      expect(operation?.op, host).toBe(`${provider.name}.${target.operation}`);
    }
  });

  test.each(provider.sdks)("is tested with $package in the newest major version that it claims", (sdk) => {
    const newest = Math.max(...sdk.tested);
    expect(manifest("packages/providers").devDependencies?.[sdk.package]).toMatch(new RegExp(`^\\^${newest}\\.`));
    expect(sdkVersions(join(root, "packages/providers"))[sdk.package]).toMatch(new RegExp(`^${newest}\\.`));
  });

  test("has an example program that its SDK test runs", () => {
    expect(existsSync(join(sources, provider.name, "fixtures/agent.mjs"))).toBe(true);
  });
});
