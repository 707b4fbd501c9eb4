import fs from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { effectFrame } from "../run/context.ts";
import { replaceMethod } from "../patch/replace-method.ts";
import { guarded } from "../fault/faults.ts";
import { hasRead, leaked } from "./leaked.ts";
import { STANDARD_INPUT } from "./standard-input.ts";
import type { WriteKind } from "./written-files.ts";

type Effect = readonly ["read" | "write", argument: number];
type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const READ: Effect = ["read", 0];
const WRITE: Effect = ["write", 0];

/** What each function does to the paths in its arguments; it stands for its `Sync` and promise forms too. */
const EFFECTS: Record<string, readonly Effect[]> = {
  appendFile: [WRITE],
  chmod: [WRITE],
  chown: [WRITE],
  copyFile: [READ, ["write", 1]],
  cp: [READ, ["write", 1]],
  lchmod: [WRITE],
  lchown: [WRITE],
  link: [["write", 1]],
  lutimes: [WRITE],
  mkdir: [WRITE],
  mkdtemp: [WRITE],
  mkdtempDisposable: [WRITE],
  openAsBlob: [READ],
  opendir: [READ],
  readdir: [READ],
  readFile: [READ],
  readlink: [READ],
  rename: [WRITE, ["write", 1]],
  rm: [WRITE],
  rmdir: [WRITE],
  symlink: [["write", 1]],
  truncate: [WRITE],
  unlink: [WRITE],
  utimes: [WRITE],
  writeFile: [WRITE],
};

/** Calls that remove or move the path in their first argument. */
const GOES: ReadonlySet<string> = new Set(["rename", "rm", "rmdir", "unlink"]);

const STANDARD_STREAM = /^\/dev\/(?:null|tty|std(?:in|out|err)|fd\/[012])$|^\\\\\.\\nul$/i;
const {
  O_ACCMODE = 3,
  O_RDONLY,
  O_CREAT,
  O_TRUNC,
  O_APPEND,
  O_EXCL,
} = fs.constants as typeof fs.constants & { O_ACCMODE?: number };

/** More of `node:fs` is called from within its own functions; only the outermost call is the agent's. */
let inside = false;

/** Counts files that are read and written, by path; streams open their files through `fs.open`. */
export function watchFiles(): (() => void)[] {
  const undos: (() => void)[] = [];
  for (const name of [...Object.keys(EFFECTS), "open"]) {
    for (const [owner, key] of [
      [fs, name],
      [fs, `${name}Sync`],
      [fs.promises, name],
    ] as const)
      undos.push(replaceMethod<AnyFunction>(owner, key, (real) => watched(name, real), "count"));
  }
  return undos;
}

function openEffects(args: unknown[]): readonly Effect[] {
  return opensForWriting(args[1]) ? [WRITE] : [READ];
}

function watched(name: string, real: AnyFunction): AnyFunction {
  return function (this: unknown, ...args) {
    return watchFileCall(name, args, () => Reflect.apply(real, this, args));
  };
}

/** Makes a call of the agent's to the function of `node:fs` with this name, and counts what it does to which paths. */
export function watchFileCall(name: string, args: unknown[], call: () => unknown): unknown {
  const effects = name === "open" ? openEffects(args) : EFFECTS[name];
  if (effects === undefined || inside || effectFrame() === null) return call();
  inside = true;
  try {
    for (const [kind, at] of effects) {
      const path = pathOf(args[at]);
      if (path !== null) {
        if (leaked(kind, path) && kind === "write") noteWrite(name, args, path, at);
      } else if (kind === "read" && isStandardInput(args[at])) leaked("stdin", STANDARD_INPUT);
    }
    return call();
  } finally {
    inside = false;
  }
}

function noteWrite(name: string, args: unknown[], path: string, at: number): void {
  const kind = writeKind(name, args);
  const frame = effectFrame();
  if (kind === null || frame === null) return;
  const isTree = name === "cp" || name === "rename";
  const goes = GOES.has(name) && at === 0;
  const source = at === 1 && name !== "symlink" ? pathOf(args[0]) : undefined;
  const permissionsFrom = kind === "permissions" ? "chmod" : goes ? null : "umask";
  guarded("files", undefined, () =>
    frame.run?.files.wrote({
      path,
      kind,
      isTree,
      scope: frame.scope,
      wasRead: hasRead(path),
      goes,
      permissionsFrom,
      ...(source !== undefined && { source }),
    }),
  );
}

/** Of calls that do the same whatever their arguments are. */
const KINDS: Readonly<Record<string, WriteKind>> = {
  chmod: "permissions",
  copyFile: "replace",
  cp: "replace",
  lchmod: "permissions",
  link: "replace",
  mkdir: "replace",
  rename: "replace",
  rm: "replace",
  rmdir: "replace",
  symlink: "replace",
  truncate: "modify",
  unlink: "replace",
};

/** Null: no content changes, or at a path that only the answer names. */
function writeKind(name: string, args: unknown[]): WriteKind | null {
  switch (name) {
    case "open":
      return kindOfFlags(args[1], "r");
    case "appendFile":
      return kindOfFlags(option(args[2], "flag"), "a");
    case "writeFile":
      return kindOfFlags(option(args[2], "flag"), "w");
    default:
      return KINDS[name] ?? null;
  }
}

function option(given: unknown, name: string): unknown {
  return typeof given === "object" && given !== null ? (given as Record<string, unknown>)[name] : undefined;
}

function kindOfFlags(given: unknown, otherwise: string): WriteKind {
  if (typeof given === "number") {
    if ((given & O_TRUNC) !== 0 || (given & O_EXCL) !== 0) return "replace";
    return (given & O_APPEND) !== 0 ? "append" : "modify";
  }
  const flags = typeof given === "string" ? given : otherwise;
  return flags.includes("w") ? "replace" : flags.includes("a") ? "append" : "modify";
}

function isStandardInput(given: unknown): boolean {
  return given === 0 || given === "/dev/stdin" || given === "/dev/fd/0";
}

/** null: a descriptor, a standard stream, or nothing that is a path. */
function pathOf(given: unknown): string | null {
  try {
    const text =
      typeof given === "string"
        ? given
        : Buffer.isBuffer(given)
          ? given.toString()
          : given instanceof URL
            ? fileURLToPath(given)
            : null;
    return text === null || STANDARD_STREAM.test(text) ? null : resolve(text);
  } catch {
    return null;
  }
}

function opensForWriting(flags: unknown): boolean {
  if (typeof flags === "number")
    return (flags & O_ACCMODE) !== O_RDONLY || (flags & (O_CREAT | O_TRUNC | O_APPEND)) !== 0;
  return typeof flags === "string" && flags !== "r" && flags !== "rs" && flags !== "sr";
}
