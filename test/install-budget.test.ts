import { dirname } from "node:path";
import { expect, test } from "vitest";
import { installClosure } from "./install-closure.ts";

const root = dirname(import.meta.dirname);
const MB = 1_000_000;

test.each([
  { name: "@reenact/node", packages: 25, bytes: 25 * MB },
  { name: "reenact", packages: Infinity, bytes: 60 * MB },
])("$name stays within its install budget", ({ name, packages, bytes }) => {
  const closure = installClosure(root, name);
  const total = closure.reduce((sum, entry) => sum + entry.bytes, 0);
  const own = closure.filter((entry) => entry.ours).reduce((sum, entry) => sum + entry.bytes - entry.notCode, 0);
  const largest = closure.toSorted((a, b) => b.bytes - a.bytes).slice(0, 5);
  const inMB = (count: number): string => `${(count / MB).toFixed(2)} MB`;
  process.stdout.write(
    `${name}: ${closure.length} packages, ${inMB(total)}, our own code ${inMB(own)}; largest: ` +
      `${largest.map((entry) => `${entry.name} ${inMB(entry.bytes)}`).join(", ")}\n`,
  );
  expect(closure.length).toBeLessThanOrEqual(packages);
  expect(total).toBeLessThanOrEqual(bytes);
  expect(closure.filter((entry) => entry.installScript).map((entry) => entry.path)).toEqual([]);
  expect(closure.filter((entry) => /^(@aws-sdk\/|@platformatic\/kafka$|pg$|@grpc\/)/.test(entry.name))).toEqual([]);
});
