import fs from "node:fs";
import { watchFileCall } from "@reenact/capture/recorder";
import { FILE_CALLS, NATIVE_REALPATH } from "./file-calls.ts";
import type { Overlay } from "./overlay.ts";
import { patch } from "./patch.ts";
import type { Form, Prepare } from "./plan.ts";
import { redirectFunction } from "./redirect-function.ts";

/** How Node names the call in an error, where it is not the function's own name. */
const SYSTEM_CALLS: Record<string, string> = {
  appendFile: "open",
  copyFile: "copyfile",
  lutimes: "lutime",
  openAsBlob: "open",
  readdir: "scandir",
  readFile: "open",
  truncate: "open",
  utimes: "utime",
  writeFile: "open",
};

/** Patches every function of `node:fs` that takes a path. Streams open their files through `fs.open`. Returns the undo. */
export function redirectFiles(overlay: Overlay, applies: () => boolean): () => void {
  const undo: (() => void)[] = [];
  const put = (owner: object, key: string, form: Form, name: string, prepare: Prepare): void => {
    undo.push(
      patch(owner, key, (real) => {
        const redirected = redirectFunction(real, {
          overlay,
          name: SYSTEM_CALLS[name] ?? name,
          form,
          prepare,
          applies,
        });
        // counted by the path that the program gave, not by that of the copy
        return function (this: unknown, ...args) {
          return watchFileCall(name, args, () => Reflect.apply(redirected, this, args));
        };
      }),
    );
  };
  put(fs.realpath, "native", "callback", "realpath", NATIVE_REALPATH);
  put(fs.realpathSync, "native", "sync", "realpath", NATIVE_REALPATH);
  for (const [name, prepare] of Object.entries(FILE_CALLS)) {
    put(fs, name, name === "openAsBlob" ? "promise" : "callback", name, prepare);
    put(fs, `${name}Sync`, "sync", name, prepare);
    put(fs.promises, name, "promise", name, prepare);
  }
  return () => {
    for (const step of undo.reverse()) step();
  };
}
