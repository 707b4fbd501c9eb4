import { generateKeySync } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { makeFolder, makeKeyFile } from "@reenact/envelope";
import { KEY_BYTES, MAKE_KEY, PASSPHRASE_LENGTH, readKeyText } from "./key-text.ts";
import { createTokenizer } from "./tokenizer.ts";

/** Where the key came from; `generated` is worth saying once. */
export type KeyOrigin = "environment" | "command" | "file" | "generated" | "temporary";
/** `passphrase`: a message that the key was derived from one, to be shown once; null: it was not. */
export type ScopeKey =
  | { key: Uint8Array; kid: string; origin: KeyOrigin; passphrase: string | null }
  | { error: string };

const VARIABLE = "REENACT_REDACTION_KEY";
const COMMAND = "REENACT_REDACTION_KEY_COMMAND";
const COMMAND_MS = 5000;
const FILE = "redaction.key";
/** Not `randomBytes`: that is a recorded source once a recorder is there, and the key would be in the record. */
const random = (bytes: number): Buffer => generateKeySync("hmac", { length: bytes * 8 }).export();

/**
 * The key that tokens are derived from: `REENACT_REDACTION_KEY` (32 random bytes or more in hex or base64; a passphrase is stretched), else
 * what the command in `REENACT_REDACTION_KEY_COMMAND` prints within 5 s, else `<folder>/redaction.key`, which is made with mode 600 if it is not there. The file serves only where nothing
 * leaves the machine (`loopback`). Never throws: `error` is one line for people, and nothing may be recorded then.
 */
export function loadScopeKey(where: {
  env: Readonly<Record<string, string | undefined>>;
  folder: string;
  loopback: boolean;
  /** true: nothing will be kept, so that any key does where none is set or stands there; none is made */
  temporary?: boolean;
}): ScopeKey {
  try {
    const given = where.env[VARIABLE];
    if (given !== undefined && given.trim() !== "") return fromText(given.trim(), "environment", VARIABLE);
    const command = where.env[COMMAND]?.trim() ?? "";
    if (command !== "") return fromCommand(command, where.env);
    if (where.temporary === true) return read(path.join(where.folder, FILE)) ?? made(random(KEY_BYTES), "temporary");
    if (!where.loopback)
      return {
        error: `${VARIABLE} is not set, and records would leave this machine; set it to 32 random bytes in hex (${MAKE_KEY}), or ${COMMAND} to what prints them`,
      };
    return fromFile(where.folder);
  } catch (cause) {
    return {
      error: `cannot read or make ${path.join(where.folder, FILE)}: ${cause instanceof Error ? cause.message : String(cause)}`,
    };
  }
}

/** Through the shell, so that it is written as in a terminal. What it prints, and why it fails, is never shown. */
function fromCommand(command: string, env: Readonly<Record<string, string | undefined>>): ScopeKey {
  const [shell, flags] = process.platform === "win32" ? ["cmd.exe", ["/d", "/s", "/c"]] : ["/bin/sh", ["-c"]];
  // it must not be recorded itself, nor ask for a key
  const { NODE_OPTIONS: _, [COMMAND]: __, ...clean } = env;
  let text: string;
  try {
    // loaded here: Node's module keeps the timer functions that it finds, which a recorder is still to replace
    const { execFileSync } = process.getBuiltinModule("node:child_process");
    text = execFileSync(shell, [...flags, command], {
      env: clean,
      encoding: "utf8",
      timeout: COMMAND_MS,
      killSignal: "SIGKILL",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 64 * 1024,
      windowsHide: true,
    }).trim();
  } catch (cause) {
    const { code, status } = cause as { code?: string; status?: number | null };
    const why = code === "ETIMEDOUT" ? `took longer than ${COMMAND_MS / 1000} s` : `failed (${status ?? code ?? "?"})`;
    return { error: `${COMMAND} ${why}` };
  }
  return text === "" ? { error: `${COMMAND} printed nothing` } : fromText(text, "command", `what ${COMMAND} prints`);
}

function fromText(text: string, origin: KeyOrigin, source: string): ScopeKey {
  const read = readKeyText(text);
  if ("key" in read) return made(read.key, origin, read.stretched ? fromPassphrase(source) : null);
  if ("odd" in read)
    return {
      error: `${source} holds ${read.odd} hexadecimal digits, and two make a byte: one is missing or one too many; make a key with: ${MAKE_KEY}`,
    };
  return {
    error: `${source} holds ${read.short} bytes; a key needs ${KEY_BYTES} random bytes in hex or base64, or its tokens can be guessed (a passphrase: ${PASSPHRASE_LENGTH} characters or more); make one with: ${MAKE_KEY}`,
  };
}

const made = (key: Uint8Array, origin: KeyOrigin, passphrase: string | null = null): ScopeKey => ({
  key,
  kid: createTokenizer(key).kid,
  origin,
  passphrase,
});

const fromPassphrase = (source: string): string =>
  `${source} holds a passphrase: the key is derived from it with scrypt, which takes about 0.1 s at start; a key of random bytes cannot be guessed: ${MAKE_KEY}`;

function fromFile(folder: string): ScopeKey {
  const file = path.join(folder, FILE);
  const held = read(file);
  if (held !== null) return held;
  makeFolder(fs, folder);
  const isOurs = makeKeyFile(fs, file, random(KEY_BYTES), random(4).toString("hex"));
  const found = read(file);
  if (found === null) return { error: `${file} vanished while it was made` };
  return "key" in found && isOurs ? { ...found, origin: "generated" } : found;
}

/** Null: no such file. */
function read(file: string): ScopeKey | null {
  let text: string;
  try {
    if (process.platform !== "win32" && (fs.statSync(file).mode & 0o077) !== 0)
      return { error: `${file} can be read by others; chmod 600 it` };
    text = fs.readFileSync(file, "utf8").trim();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw cause;
  }
  return fromText(text, "file", file);
}
