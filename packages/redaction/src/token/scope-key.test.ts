import fc from "fast-check";
import { scryptSync } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadScopeKey } from "./scope-key.ts";
import { createScrubber } from "../scrubber.ts";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "scope-key-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const load = (value?: string, loopback = true): ReturnType<typeof loadScopeKey> =>
  loadScopeKey({ env: { REENACT_REDACTION_KEY: value }, folder: path.join(folder, ".reenact"), loopback });
const keyOf = (found: ReturnType<typeof loadScopeKey>): string =>
  "key" in found ? Buffer.from(found.key).toString("hex") : found.error;

const RANDOM = Buffer.from("9f3c51e07ab2d84466f1c3958e20ad7b3b6f0e92c41d85a7d3f8620b97e45c1a", "hex");

describe("from the environment", () => {
  test.each([
    ["hex", RANDOM.toString("hex")],
    ["hex in capitals", RANDOM.toString("hex").toUpperCase()],
    ["hex behind 0x", `0x${RANDOM.toString("hex")}`],
    ["hex in capitals behind 0X", `0X${RANDOM.toString("hex").toUpperCase()}`],
    ["base64", RANDOM.toString("base64")],
    ["base64 without padding", RANDOM.toString("base64").replace(/=+$/, "")],
    ["base64 of the URL alphabet", RANDOM.toString("base64url")],
  ])("32 bytes in %s are the key as they are", (_, value) => {
    const found = load(value, false);
    expect(keyOf(found)).toBe(RANDOM.toString("hex"));
    expect(found).toMatchObject({
      origin: "environment",
      passphrase: null,
      kid: expect.stringMatching(/^[a-z]{4}$/),
    });
  });

  test.each([
    ["5", "short"],
    ["16", "00".repeat(16)],
    ["31", RANDOM.subarray(0, 31).toString("hex")],
    ["31", RANDOM.subarray(0, 31).toString("base64")],
    ["24", RANDOM.subarray(0, 24).toString("base64")],
    ["16", RANDOM.subarray(0, 16).toString("base64")],
    ["16", RANDOM.subarray(0, 16).toString("base64url")],
    ["15", "correct horse b"],
  ])("%s bytes are refused in one line that says how to make a key", (bytes, value) => {
    const found = load(value);
    expect(found).toEqual({
      error: expect.stringMatching(
        new RegExp(`^REENACT_REDACTION_KEY holds ${bytes} bytes; a key needs 32 random bytes.*: openssl rand -hex 32$`),
      ),
    });
    expect(keyOf(found)).not.toContain(value);
  });

  test("random bytes in base64 are never taken for a passphrase", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 64 }), (bytes) => {
        for (const encoding of ["base64", "base64url", "hex"] as const)
          expect(keyOf(load(Buffer.from(bytes).toString(encoding)))).toBe(Buffer.from(bytes).toString("hex"));
      }),
      { numRuns: 50 },
    );
  });
});

describe("a passphrase", () => {
  test.each([
    "correct horse battery",
    "correct-horse-battery-staple",
    "Stays-In-Production-2026",
    "correcthorsebatterystaplecorrecthorsebattery",
    "ein Satz, den wir uns merken können",
  ])("%s is stretched to 32 bytes, and says so", (phrase) => {
    const found = load(phrase, false);
    expect(found).toMatchObject({ passphrase: expect.stringMatching(/^REENACT_REDACTION_KEY holds a passphrase/) });
    expect(keyOf(found)).toHaveLength(64);
  });

  test("gives every process the same key, as the README describes it", () => {
    const expected = scryptSync("correct horse battery", "reenact/v1/scope-key", 32, {
      N: 32_768,
      r: 8,
      p: 1,
      maxmem: 2 ** 26,
    });
    expect(keyOf(load("correct horse battery"))).toBe(expected.toString("hex"));
    // one letter may be written in two ways
    expect(keyOf(load("un mot de passe préféré".normalize("NFD")))).toBe(
      keyOf(load("un mot de passe préféré".normalize("NFC"))),
    );
  });

  test("costs no more than a tenth of a second of the processor, once per process", () => {
    const time = (): number => {
      const before = process.cpuUsage().user;
      load("another phrase of some length");
      return (process.cpuUsage().user - before) / 1000;
    };
    expect(time()).toBeLessThan(250);
    expect(time()).toBeLessThan(20);
  });
});

test.each([
  ["a digit too few", RANDOM.toString("hex").slice(1), 63],
  ["a digit too many", `${RANDOM.toString("hex")}a`, 65],
  ["behind 0x", `0x${RANDOM.toString("hex").slice(1)}`, 63],
])(
  "hexadecimal digits of which no bytes can be made are refused, and not taken for base64: %s",
  (_of, text, digits) => {
    expect(keyOf(load(text))).toMatch(
      new RegExp(`^REENACT_REDACTION_KEY holds ${digits} hexadecimal digits, .*one is missing`),
    );
  },
);

test("a scrubber takes no short key", () => {
  expect(() => createScrubber({ key: Buffer.alloc(31, 1) })).toThrow(/holds 31 bytes.*openssl rand -hex 32/);
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
    expect(by(`printf ${"00".repeat(32)}`)).toMatchObject({ origin: "command" });
    expect(keyOf(by(`printf ${"00".repeat(32)}`))).toBe("00".repeat(32));
    expect(by("exit 1", { REENACT_REDACTION_KEY: "11".repeat(32) })).toMatchObject({ origin: "environment" });
    expect(fs.existsSync(path.join(folder, ".reenact"))).toBe(false);
  });

  test("it is neither recorded nor asked for itself", () => {
    const probe = `node -e 'const { env } = process; process.stdout.write(Buffer.from(String(env.NODE_OPTIONS) + env.REENACT_REDACTION_KEY_COMMAND + "0123456789abcdef").toString("hex"))'`;
    expect(Buffer.from(keyOf(by(probe, { NODE_OPTIONS: "--no-warnings" })), "hex").toString()).toBe(
      "undefinedundefined0123456789abcdef",
    );
  });

  test.each([
    ["exit 7", "REENACT_REDACTION_KEY_COMMAND failed (7)"],
    ["true", "REENACT_REDACTION_KEY_COMMAND printed nothing"],
    ["printf short", "what REENACT_REDACTION_KEY_COMMAND prints holds 5 bytes; a key needs 32 random bytes"],
  ])("%s: one line without what it printed", (command, error) => {
    const line = keyOf(by(command));
    expect(line.startsWith(error)).toBe(true);
    expect(line).not.toMatch(/short|\n/);
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
