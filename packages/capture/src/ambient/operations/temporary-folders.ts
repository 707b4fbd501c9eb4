import crypto from "node:crypto";
import fs from "node:fs";
import { here } from "../../run/context.ts";
import { recordedValue } from "../recorded-value.ts";
import { replaceMethod, undoAll } from "../../patch/replace-method.ts";

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
type PromiseFunction = (this: unknown, ...args: unknown[]) => Promise<unknown>;

const { randomBytes } = crypto;
const { mkdir, mkdirSync } = fs;
const { mkdir: mkdirPromise } = fs.promises;

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const MODE = 0o700;

/**
 * Temporary folders get their six letters from a draw, so that a replay has the same path: agents tell it to their
 * models. Where that folder cannot be made Node makes one, or says why not, as ever.
 */
export function installTemporaryFolders(
  promised: (real: PromiseFunction) => PromiseFunction,
  calledBack: (real: AnyFunction) => AnyFunction,
): () => void {
  return undoAll([
    replaceMethod<AnyFunction>(
      fs,
      "mkdtempSync",
      (real) =>
        function (...args) {
          const path = drawnPath(args[0], args[1]);
          if (path === null) return Reflect.apply(real, this, args);
          try {
            mkdirSync(path, MODE);
            return path;
          } catch {
            return Reflect.apply(real, this, args);
          }
        },
    ),
    replaceMethod<PromiseFunction>(fs.promises, "mkdtemp", (real) => {
      const ordered = promised(async (path, ...args) => {
        if (path === null) return Reflect.apply(real, fs.promises, args);
        try {
          await mkdirPromise(path as string, MODE);
          return path;
        } catch {
          return Reflect.apply(real, fs.promises, args);
        }
      });
      return (...args) => ordered(drawnPath(args[0], args[1]), ...args);
    }),
    replaceMethod<AnyFunction>(fs, "mkdtemp", (real) => {
      const ordered = calledBack((path, ...args) => {
        if (path === null) return real(...args);
        const callback = args.at(-1) as (error: unknown, path?: unknown) => void;
        mkdir(path as string, MODE, (error) => {
          if (error === null) callback(null, path);
          else real(...args);
        });
      });
      return (...args) => {
        const [prefix, options, callback] = args.length < 3 ? [args[0], undefined, args[1]] : args;
        // what Node refuses, it refuses by itself
        if (typeof callback !== "function") return Reflect.apply(real, fs, args);
        return ordered(drawnPath(prefix, options), ...args);
      };
    }),
  ]);
}

/** null: not of a run, or in a form that is left to Node. */
function drawnPath(prefix: unknown, options: unknown): string | null {
  if (here() === null || typeof prefix !== "string" || prefix.includes("\0")) return null;
  const given = typeof options === "object" ? (options as { encoding?: unknown } | null)?.encoding : options;
  if (given !== undefined && given !== null && given !== "utf8" && given !== "utf-8") return null;
  const bytes = Buffer.from(
    recordedValue("B", () => randomBytes(6).toString("base64")),
    "base64",
  );
  return prefix + Array.from(bytes, (byte) => LETTERS.charAt(byte % LETTERS.length)).join("");
}
