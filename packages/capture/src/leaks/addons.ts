import { sep } from "node:path";
import { askEachTime } from "../ambient/environment.ts";
import { replaceMethod } from "../patch/replace-method.ts";
import { leaked } from "./leaked.ts";
import { isToolchain } from "./program-loading.ts";

type Load = (this: unknown, module: unknown, path: unknown, ...rest: unknown[]) => unknown;

/** Counts native addons: no patch sees what their code does, and a replay cannot stop it. */
export function watchAddons(): () => void {
  return replaceMethod<Load>(
    process,
    "dlopen",
    (real) =>
      function (this: unknown, module, path, ...rest) {
        askEachTime();
        if (typeof path === "string" && !isToolchain()) leaked("addon", shortPath(path), true);
        return Reflect.apply(real, this, [module, path, ...rest]);
      },
    "count",
  );
}

/** From the name of its package on. */
function shortPath(path: string): string {
  return path.slice(path.lastIndexOf(`${sep}node_modules${sep}`) + 1).replace(`node_modules${sep}`, "");
}
