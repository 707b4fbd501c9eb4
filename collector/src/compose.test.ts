import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { loadConfig } from "./config.ts";
import { keyFile } from "./receive/keys.ts";
import { ROLES } from "./roles.ts";

interface Service {
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly depends_on?: Readonly<Record<string, unknown>> | readonly string[];
  readonly configs?: readonly { readonly target: string }[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly configs: { readonly keys: { readonly content: string } };
}

const compose = parse(readFileSync(join(import.meta.dirname, "../compose.yaml"), "utf8"), { merge: true }) as Compose;

test("the services of compose.yaml have settings that the collector takes, and every role is in one of them", () => {
  const roles: string[] = [];
  const names = Object.keys(compose.services);
  for (const { environment = {}, depends_on: needs = [], configs = [], ports = [], volumes = [] } of Object.values(
    compose.services,
  )) {
    for (const each of Array.isArray(needs) ? needs : Object.keys(needs)) expect(names).toContain(each);
    if (!("REENACT_COLLECTOR_STORE" in environment)) continue;
    const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));
    const config = loadConfig({ env });
    roles.push(...config.roles);
    // dead letters are listed and sent again by the process in whose folder they lie, as long as it has that folder
    if (config.roles.includes("forward")) {
      expect(config.roles).toContain("query");
      expect(ports).not.toEqual([]);
      expect(volumes.map((each) => each.split(":")[1])).toContain("/data");
    }
    expect(configs.map(({ target }) => target)).toEqual([config.keys]);
    for (const url of [config.journal.url, config.catalog.url, config.s3.endpoint])
      expect(names).toContain(new URL(url ?? "").hostname);
  }
  // the process with dead letters answers for them: no other role is in two services
  const once = roles.filter((role, at) => role !== "query" || roles.indexOf(role) === at);
  expect(once.toSorted()).toEqual([...ROLES].toSorted());
  expect(keyFile.parse(parse(compose.configs.keys.content))).toMatchObject({ keys: [{ tenant: "default" }] });
});
