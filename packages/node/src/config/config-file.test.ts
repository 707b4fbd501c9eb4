import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfigFile } from "./config-file.ts";
import { staysLocal } from "../send/stays-local.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reenact-config-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);

test("no file: nothing is configured", () => {
  expect(loadConfigFile(null, folder)).toEqual({ path: null, config: {} });
});

test("the first of the names counts; one that is named comes before them all", () => {
  put("reenact.config.json", '{"redaction":{"name":"json"}}');
  expect(loadConfigFile(null, folder)).toMatchObject({ config: { redaction: { name: "json" } } });
  put("reenact.config.mjs", 'export default { redaction: { name: "mjs" } };');
  expect(loadConfigFile(null, folder)).toMatchObject({ config: { redaction: { name: "mjs" } } });
  put("reenact.config.ts", 'const name: string = "ts";\nexport default { redaction: { name } };');
  expect(loadConfigFile(null, folder)).toMatchObject({ config: { redaction: { name: "ts" } } });
  expect(loadConfigFile(join(folder, "reenact.config.json"), folder)).toMatchObject({
    config: { redaction: { name: "json" } },
  });
});

test.each([
  ["[1]", /it exports no object/],
  ['{"redaction":{"off":["NOPE"]}}', /redaction: off\.0: /],
  ['{"retention":{}}', /retention is not known/],
  ["{", /cannot be loaded: /],
])("%s: one line", (text, why) => {
  put("reenact.config.json", text);
  const loaded = loadConfigFile(null, folder);
  expect(loaded).toEqual({ error: expect.stringMatching(why) as string });
  expect("error" in loaded && loaded.error.includes("\n")).toBe(false);
});

test("a file that is named and not there is said", () => {
  expect(loadConfigFile(join(folder, "gone.json"))).toEqual({
    error: expect.stringContaining("cannot be loaded") as string,
  });
});

test("whose destinations are this machine", () => {
  for (const url of ["", "http://127.0.0.1:4318", "http://localhost", "http://[::1]:1, http://app.localhost"])
    expect(staysLocal({ REENACT_ENDPOINT: url }), url).toBe(true);
  for (const url of [
    "https://collector.example",
    "http://127.0.0.1.example",
    "collector",
    "http://localhost,http://10.0.0.1",
  ])
    expect(staysLocal({ REENACT_FORWARD: url }), url).toBe(false);
});
