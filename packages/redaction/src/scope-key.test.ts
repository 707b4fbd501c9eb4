import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadScopeKey } from "./scope-key.ts";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "scope-key-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const load = (value?: string, loopback = true): ReturnType<typeof loadScopeKey> =>
  loadScopeKey({ env: { REENACT_REDACTION_KEY: value }, folder: path.join(folder, ".reenact"), loopback });
const keyOf = (found: ReturnType<typeof loadScopeKey>): string =>
  "key" in found ? Buffer.from(found.key).toString("hex") : found.error;

describe("from the environment", () => {
  test.each([
    ["00".repeat(16), "00".repeat(16)],
    [Buffer.alloc(24, 1).toString("base64"), "01".repeat(24)],
    ["correct horse battery", Buffer.from("correct horse battery").toString("hex")],
  ])("%s", (value, hex) => {
    const found = load(value, false);
    expect(keyOf(found)).toBe(hex);
    expect(found).toMatchObject({ origin: "environment", kid: expect.stringMatching(/^[a-z]{4}$/) });
  });

  test("a short key is refused in one line", () => {
    expect(load("short")).toEqual({ error: "REENACT_REDACTION_KEY holds 5 bytes; a key needs 16 or more" });
  });
});

describe("from the folder", () => {
  test("is made once, for the owner only, and read again", () => {
    const first = load();
    expect(first).toMatchObject({ origin: "generated" });
    expect(fs.statSync(path.join(folder, ".reenact/redaction.key")).mode & 0o777).toBe(0o600);
    expect(load()).toMatchObject({ origin: "file", kid: "kid" in first ? first.kid : "" });
    expect(keyOf(load())).toBe(keyOf(first));
    expect(fs.readdirSync(path.join(folder, ".reenact"))).toEqual(["redaction.key"]);
  });

  test("serves nothing that leaves the machine", () => {
    load();
    expect(load(undefined, false)).toEqual({ error: expect.stringContaining("REENACT_REDACTION_KEY is not set") });
  });

  test("bad or unreadable: one line, no throw", () => {
    fs.mkdirSync(path.join(folder, ".reenact"));
    fs.writeFileSync(path.join(folder, ".reenact/redaction.key"), "x", { mode: 0o600 });
    expect(load()).toEqual({ error: expect.stringContaining("1 bytes") });
    fs.chmodSync(path.join(folder, ".reenact/redaction.key"), 0o644);
    expect(load()).toEqual({ error: expect.stringContaining("chmod 600") });
    fs.rmSync(path.join(folder, ".reenact"), { recursive: true });
    fs.writeFileSync(path.join(folder, ".reenact"), "a file");
    expect(load()).toEqual({ error: expect.stringMatching(/^cannot read or make .*redaction\.key: [^\n]*$/) });
  });
});
