import { live, loadHooksWork } from "@reenact/capture/recorder";
import { type LoadHookSync, registerHooks, type ResolveHookSync } from "node:module";
import { dirname, extname, isAbsolute, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { disk } from "./disk.ts";
import type { Overlay } from "./overlay.ts";

const FORMATS: Readonly<Record<string, string>> = { ".mjs": "module", ".cjs": "commonjs", ".json": "json" };
/** What `require` tries behind a path. */
const ENDINGS = ["", ".js", ".json", "/index.js"];

/**
 * Lets the program load the modules that it wrote, from their scratch copies: the module loader reads files past `node:fs`.
 * Returns the undo. Without effect on a Node whose load hooks do not work. Node resolves through other functions once there is such a
 * hook, which the stack of a module that is not found shows, so there is none before the program has written a module.
 */
export function redirectModules(overlay: Overlay, applies: () => boolean): () => void {
  if (!loadHooksWork) return () => {};
  /** The copy of a file that the program wrote; null: there is none. */
  const copyOf = (path: string): string | null => {
    if (overlay.pristine || !applies()) return null;
    const found = overlay.locate(path, true);
    if (found.state !== "present" || found.entry.layer !== "upper" || !found.entry.stats.isFile()) return null;
    return overlay.upperOf(found.logical);
  };
  const resolve: ResolveHookSync = (specifier, context, next) => {
    const path = overlay.pristine ? null : pathOf(specifier, context.parentURL);
    if (path === null) return next(specifier, context);
    const endings = context.conditions.includes("require") ? ENDINGS : [""];
    const ending = endings.find((each) => copyOf(path + each) !== null);
    if (ending === undefined) return next(specifier, context);
    const [query = ""] = /[?#].*$/.exec(specifier) ?? [];
    return { url: pathToFileURL(path + ending).href + query, shortCircuit: true };
  };
  const load: LoadHookSync = (url, context, next) => {
    const path = !overlay.pristine && url.startsWith("file:") ? fileURLToPath(url) : null;
    const copy = path === null ? null : copyOf(path);
    const format =
      path === null ? undefined : (FORMATS[extname(path)] ?? (extname(path) === ".js" ? typeOf(path) : undefined));
    if (copy === null || format === undefined) return next(url, context);
    return { format, source: disk.readFileSync(copy), shortCircuit: true };
  };
  let hooks: ReturnType<typeof registerHooks> | null = null;
  overlay.onModule(() => (hooks = live(() => registerHooks({ resolve, load }))));
  return () => hooks?.deregister();
}

/** The file that a specifier names without a search; null: a package, or a module of Node. */
function pathOf(specifier: string, parent: string | undefined): string | null {
  const plain = specifier.replace(/[?#].*$/, "");
  if (plain.startsWith("file:")) return fileURLToPath(plain);
  if (isAbsolute(plain)) return plain;
  if (!/^\.\.?(?:\/|$)/.test(plain) || parent?.startsWith("file:") !== true) return null;
  return join(dirname(fileURLToPath(parent)), plain);
}

/** The format of a `.js` file, by the nearest package.json. */
function typeOf(path: string): string {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    try {
      const { type } = JSON.parse(disk.readFileSync(join(folder, "package.json"), "utf8")) as { type?: unknown };
      return type === "module" ? "module" : "commonjs";
    } catch {
      if (folder === dirname(folder)) return "commonjs";
    }
  }
}
