import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { recordingProblem } from "./recording-problem.ts";

const folder = mkdtempSync(join(tmpdir(), "recording-problem-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const problem = (env: Record<string, string>) =>
  recordingProblem(join(folder, "store"), { PATH: process.env["PATH"], ...env });

test("nothing is in the way, and no key is made for the answer", () => {
  expect(problem({})).toBeNull();
  expect(problem({ REENACT_REDACTION_KEY: "0".repeat(64), REENACT_ENDPOINT: "https://collector.example" })).toBeNull();
  expect(existsSync(join(folder, "store"))).toBe(false);
});

test.each<[string, Record<string, string>, RegExp]>([
  ["switched off", { REENACT_DISABLED: "1" }, /switched off by REENACT_DISABLED$/],
  ["switched off as the standard says", { OTEL_SDK_DISABLED: "true" }, /switched off by OTEL_SDK_DISABLED$/],
  ["a bad key", { REENACT_REDACTION_KEY: "zz" }, /REENACT_REDACTION_KEY holds 2 bytes/],
  ["a command that fails", { REENACT_REDACTION_KEY_COMMAND: "exit 7" }, /REENACT_REDACTION_KEY_COMMAND failed \(7\)/],
  ["no key for elsewhere", { REENACT_ENDPOINT: "https://c.example" }, /REENACT_REDACTION_KEY is not set/],
  ["an address that is none", { REENACT_ENDPOINT: "nowhere" }, /REENACT_ENDPOINT must be .*REENACT_REDACTION_KEY is/],
  ["a broken file", { REENACT_CONFIG: file("broken.mjs", "export default {") }, /broken\.mjs cannot be loaded/],
  ["a bad policy", { REENACT_CONFIG: file("bad.json", '{"redaction":{"colour":1}}') }, /bad\.json: redaction: /],
])("%s", (_, env, line) => {
  expect(problem(env)).toMatch(line);
});
