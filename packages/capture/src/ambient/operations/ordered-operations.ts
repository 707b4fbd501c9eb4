import { AsyncResource } from "node:async_hooks";
import crypto from "node:crypto";
import fs from "node:fs";
import zlib from "node:zlib";
import { type Frame, here, live } from "../../run/context.ts";
import { thenSeen } from "../../patch/show-awaiter.ts";
import { isLoadingProgram, isToolchain } from "../../leaks/program-loading.ts";
import { loadHooksWork } from "../../hook/load-hooks.ts";
import { installFileHandles } from "./file-handles.ts";
import { installOpenFolders } from "./open-folders.ts";
import { callbackPlace } from "../callback-place.ts";
import { orderedCompletion } from "./ordered-completion.ts";
import { replaceMethod, undoAll } from "../../patch/replace-method.ts";
import { installTemporaryFolders } from "./temporary-folders.ts";
import { installZlibStreams } from "./zlib-streams.ts";
import { prototypeOf } from "../../patch/prototype-of.ts";

export type PromiseFunction = (...args: unknown[]) => Promise<unknown>;
export type CallbackFunction = (...args: unknown[]) => unknown;

/** Iterators and watchers deliver more than once; a temporary folder's path is drawn. */
const OTHERS = new Set(["watch", "glob", "watchFile", "unwatchFile", "mkdtemp"]);
const ZLIB = /^(deflate|inflate|gzip|gunzip|unzip|brotli|zstd)\w*$/;
const CRYPTO = [
  "pbkdf2",
  "scrypt",
  "hkdf",
  "argon2",
  "generateKey",
  "generateKeyPair",
  "generatePrime",
  "checkPrime",
  "sign",
  "verify",
];

/**
 * Patches operations whose data need not be recorded: they run for real in both modes, and only their completion is
 * gated. A completion never runs in the context of the real operation, which is ours.
 */
export function installOrderedOperations(): () => void {
  const subtle = prototypeOf(crypto.webcrypto.subtle);
  const names = (owner: object): string[] => Object.getOwnPropertyNames(owner);
  const functions = (owner: object): string[] =>
    names(owner).filter(
      (n) => typeof Object.getOwnPropertyDescriptor(owner, n)?.value === "function" && n !== "constructor",
    );
  return undoAll([
    ...functions(fs.promises)
      .filter((n) => !OTHERS.has(n) && n !== "open")
      .map((n) => replaceMethod<PromiseFunction>(fs.promises, n, orderPromise)),
    ...functions(fs)
      .filter((n) => /^[a-z]/.test(n) && !n.endsWith("Sync") && !n.startsWith("create") && !OTHERS.has(n))
      .map((n) => replaceMethod<CallbackFunction>(fs, n, n === "openAsBlob" ? (orderPromise as never) : orderCallback)),
    replaceNative(fs.realpath),
    ...functions(subtle).map((n) => replaceMethod<PromiseFunction>(subtle, n, orderPromise)),
    ...functions(zlib)
      .filter((n) => ZLIB.test(n) && !n.endsWith("Sync"))
      .map((n) => replaceMethod<CallbackFunction>(zlib, n, orderCallback)),
    ...CRYPTO.map((n) => replaceMethod<CallbackFunction>(crypto, n, orderCallback)),
    ...installOpenFolders(orderPromise, orderCallback),
    installFileHandles(orderPromise),
    installTemporaryFolders(orderPromise, orderCallback),
    installZlibStreams(),
  ]);
}

function replaceNative(realpath: object): () => void {
  return replaceMethod<CallbackFunction>(realpath, "native", orderCallback);
}

/** Until an operation has completed, the files that it writes may be in any state. */
function underWay({ run }: Frame, deliver: (fire: () => void) => void): (fire: () => void) => void {
  const files = run?.files;
  if (files === undefined) return deliver;
  files.underWay++;
  return (fire) => {
    files.underWay--;
    deliver(fire);
  };
}

export function orderPromise(real: PromiseFunction, referenced = true): PromiseFunction {
  return function (this: unknown, ...args) {
    const frame = here();
    if (frame === null) return Reflect.apply(real, this, args);
    if (isToolchain() || readsModule()) return live(() => Reflect.apply(real, this, args));
    const deliver = underWay(frame, orderedCompletion(frame, referenced));
    const done = live(() => Reflect.apply(real, this, args));
    return new Promise((resolve, reject) => {
      live(() =>
        thenSeen(
          done,
          (value) => deliver(() => resolve(value)),
          (error) => deliver(() => reject(error)),
          resolve,
        ),
      );
    });
  };
}

/** Where modules cannot be loaded synchronously, Node reads them through the functions that are patched here. */
function readsModule(): boolean {
  return !loadHooksWork && isLoadingProgram();
}

let callbacks = 0;

export function orderCallback(real: CallbackFunction, referenced = true): CallbackFunction {
  const place = callbackPlace(`callback ${callbacks++}`);
  return function (this: unknown, ...args) {
    const frame = here();
    const at = args.findLastIndex((a) => typeof a === "function");
    if (frame === null || at === -1) return Reflect.apply(real, this, args);
    const callback = args[at] as CallbackFunction;
    if (isToolchain()) return live(() => Reflect.apply(real, this, args.with(at, AsyncResource.bind(callback))));
    const resource = new AsyncResource("OrderedOperation");
    const deliver = underWay(frame, orderedCompletion(frame, referenced));
    const watched = [...args];
    watched[at] = function came(this: unknown, ...results: unknown[]) {
      const call = place(results, came);
      // stack traces name a callback after the property that holds it
      if (isHolder(this) && this.callback === came) this.callback = callback;
      deliver(() => resource.runInAsyncScope(call, undefined, callback, this, results));
    };
    return live(() => Reflect.apply(real, this, watched));
  };
}

function isHolder(self: unknown): self is { callback: unknown } {
  return typeof self === "object" && self !== null && Object.hasOwn(self, "callback");
}
