import fs from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { effectFrame } from "../context.ts";
import { replaceMethod } from "../ambient/replace-method.ts";
import { leaked } from "./leaked.ts";
import { STANDARD_INPUT } from "./standard-input.ts";

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

const STANDARD_STREAM = /^\/dev\/(?:null|tty|std(?:in|out|err)|fd\/[012])$|^\\\\\.\\nul$/i;
const {
  O_ACCMODE = 3,
  O_RDONLY,
  O_CREAT,
  O_TRUNC,
  O_APPEND,
} = fs.constants as typeof fs.constants & { O_ACCMODE?: number };

/** More of `node:fs` is called from within its own functions; only the outermost call is the agent's. */
let inside = false;

/** Counts files that are read and written, by path; streams open their files through `fs.open`. */
export function watchFiles(): (() => void)[] {
  const undos: (() => void)[] = [];
  const watch = (name: string, effects: (args: unknown[]) => readonly Effect[]): void => {
    for (const [owner, key] of [
      [fs, name],
      [fs, `${name}Sync`],
      [fs.promises, name],
    ] as const)
      undos.push(replaceMethod<AnyFunction>(owner, key, (real) => watched(real, effects), "count"));
  };
  for (const [name, effects] of Object.entries(EFFECTS)) watch(name, () => effects);
  watch("open", (args) => (opensForWriting(args[1]) ? [WRITE] : [READ]));
  return undos;
}

function watched(real: AnyFunction, effects: (args: unknown[]) => readonly Effect[]): AnyFunction {
  return function (this: unknown, ...args) {
    if (effectFrame() === null || inside) return Reflect.apply(real, this, args);
    inside = true;
    try {
      for (const [kind, at] of effects(args)) {
        const path = pathOf(args[at]);
        if (path !== null) leaked(kind, path);
        else if (kind === "read" && isStandardInput(args[at])) leaked("stdin", STANDARD_INPUT);
      }
      return Reflect.apply(real, this, args);
    } finally {
      inside = false;
    }
  };
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
