import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadScopeKey } from "./scope-key.ts";
import { createScrubber } from "./scrubber.ts";

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

describe("from a command", () => {
  const by = (command: string, more: Record<string, string> = {}): ReturnType<typeof loadScopeKey> =>
    loadScopeKey({
      env: { PATH: process.env["PATH"], REENACT_REDACTION_KEY_COMMAND: command, ...more },
      folder: path.join(folder, ".reenact"),
      loopback: false,
    });

  test("what it prints is the key; a key that is set comes first", () => {
    expect(by(`printf ${"00".repeat(16)}`)).toMatchObject({ origin: "command" });
    expect(keyOf(by(`printf ${"00".repeat(16)}`))).toBe("00".repeat(16));
    expect(by("exit 1", { REENACT_REDACTION_KEY: "11".repeat(16) })).toMatchObject({ origin: "environment" });
    expect(fs.existsSync(path.join(folder, ".reenact"))).toBe(false);
  });

  test("it is neither recorded nor asked for itself", () => {
    const probe = `node -e 'process.stdout.write(String(process.env.NODE_OPTIONS) + process.env.REENACT_REDACTION_KEY_COMMAND + "0123456789abcdef")'`;
    expect(Buffer.from(keyOf(by(probe, { NODE_OPTIONS: "--no-warnings" })), "hex").toString()).toBe(
      "undefinedundefined0123456789abcdef",
    );
  });

  test.each([
    ["exit 7", "REENACT_REDACTION_KEY_COMMAND failed (7)"],
    ["true", "REENACT_REDACTION_KEY_COMMAND printed nothing"],
    ["printf short", "what REENACT_REDACTION_KEY_COMMAND prints holds 5 bytes; a key needs 16 or more"],
  ])("%s: one line without what it printed", (command, error) => {
    expect(by(command)).toEqual({ error });
  });

  test("it may not take for ever", () => {
    expect(by("sleep 30")).toEqual({ error: "REENACT_REDACTION_KEY_COMMAND took longer than 5 s" });
  }, 15_000);
});

test("to look only, any key does, and none is made", () => {
  const look = (): ReturnType<typeof loadScopeKey> =>
    loadScopeKey({ env: {}, folder: path.join(folder, ".reenact"), loopback: false, temporary: true });
  expect(look()).toMatchObject({ origin: "temporary" });
  expect(fs.existsSync(path.join(folder, ".reenact"))).toBe(false);
  load();
  expect(look()).toMatchObject({ origin: "file" });
});

test("tokens of an older key stay tokens, each under its own name", () => {
  const [older, newer] = ["aa", "bb"].map((byte) => createScrubber({ key: Buffer.from(byte.repeat(32), "hex") }));
  const before = older?.scrub("to alice@example.com").text ?? "";
  const after = newer?.scrub(`${before} and alice@example.com`) ?? { text: "", counts: {} };
  expect(after.text.startsWith(before)).toBe(true);
  expect(after.counts).toEqual({ EMAIL: 1 });
  expect(new Set([...after.text.matchAll(/EMAIL_([a-z]{4})_/g)].map(([, kid]) => kid))).toEqual(
    new Set([older?.kid, newer?.kid]),
  );
});
