import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { HOOKS } from "@reenact/hooks";
import { afterAll, describe, expect, test } from "vitest";
import { maskChance } from "../../examples/scripted-provider/serial.ts";
import { fixturesOf, withModel } from "./hooked-program.ts";
import { launch, Store } from "./reenact.ts";

const store = new Store();
afterAll(() => store.remove());
const preload = pathToFileURL(join(import.meta.dirname, "break-hooks.mjs")).href;
// those of databases and queues need their servers: test/services; that of Lambda its runtime: lambda.test.ts
const rows = HOOKS.filter(
  ({ patch, wire, jobs, jobTaker, made, handler }) => !(patch ?? wire ?? jobs ?? jobTaker ?? made ?? handler),
).map(({ name }) => ({
  name,
  file: programOf(name),
}));

function programOf(name: string): string {
  return join(fixturesOf(name), "program.mjs");
}

const lines = (text: string): string[] =>
  maskChance(text)
    .replaceAll(/\d{9,}/g, "N")
    .split("\n")
    .toSorted();

describe.each(rows)("$name", ({ name, file }) => {
  test("has a program", () => expect(existsSync(file)).toBe(true));

  test("a fault in its code leaves what the agent prints as it is without the recorder", async () => {
    const plain = await withModel(name, (env) => launch([process.execPath, file], { env }));
    expect(plain.code, plain.stderr).toBe(0);
    for (const BREAK of ["call", "row"]) {
      const command = [process.execPath, "--import", preload, file];
      const recorded = await withModel(name, (env) => store.run(command, { env: { ...env, BREAK } }));
      expect(recorded.code, recorded.stderr).toBe(0);
      expect(recorded.stderr).toMatch(/^reenact: recorder fault in hook: /m);
      expect(lines(recorded.stdout)).toEqual(lines(plain.stdout));
    }
  });
});
