import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { constants, Script } from "node:vm";
import { type CodeCache, codeCache, codeCachePrefix } from "./code-cache.ts";

type Wrapper = (exports: unknown, require: NodeJS.Require, module: Module, filename: string, folder: string) => void;

interface Loaded {
  readonly source: Buffer;
  readonly script: Script;
  /** size of its cached code, bytes; 0: none */
  readonly kept: number;
}

interface Opened {
  readonly prefix: string | null;
  readonly cache: CodeCache | null;
}

const PARAMETERS = "(function (exports, require, module, __filename, __dirname) { ";
/** `Module.prototype.require` before a hook of the program replaces it */
const plain: unknown = Reflect.get(Module.prototype, "require");
const modules = createRequire(import.meta.url).cache;
/** opened at first use: a Node that is too old to record may lack what the cache needs */
let opened: Opened | null = null;
const loaded: Loaded[] = [];
/** One process in this many compares the compiled code with the cached one, which takes some milliseconds. */
const LOOKS = 4;
/** Compiled code replaces the cached one if it is larger by this share. */
const MORE = 1 / 16;

/**
 * Loads a package of ours as `require` in the file `from` would, with the code that V8 compiled for an earlier process. The
 * program's own modules are not touched, and its hooks on `require` are not called. A loaded module is in Node's module
 * cache, so that `import` and `require` of the program return the same module.
 */
export function loadOwn(specifier: string, from: string): unknown {
  const native = createRequire(from);
  const hooked: unknown = Reflect.get(Module.prototype, "require");
  Reflect.set(Module.prototype, "require", plain);
  try {
    return find(specifier, native);
  } catch {
    return native(specifier);
  } finally {
    Reflect.set(Module.prototype, "require", hooked);
  }
}

/** For a thread, which does not see what its process was started with: the prefix that `ownCodePrefix` gave there. */
export function openCodeCache(prefix: string | null): Opened {
  return (opened = { prefix, cache: prefix === null ? null : codeCache(prefix) });
}

export function ownCodePrefix(): string | null {
  return opened === null ? codeCachePrefix() : opened.prefix;
}

/**
 * Caches the code that V8 has compiled so far, for the next start. It holds only functions that ran, so a later process
 * may have more. Call it once.
 */
export function keepOwnCode(): void {
  const looks = process.pid % LOOKS === 0;
  for (const { source, script, kept: before } of loaded.splice(0)) {
    if (before === 0) kept()?.write(source, () => script.createCachedData());
    else if (looks) {
      const data = script.createCachedData();
      if (data.length > before * (1 + MORE)) kept()?.write(source, () => data);
    }
  }
}

function kept(): CodeCache | null {
  return (opened ?? openCodeCache(codeCachePrefix())).cache;
}

function find(specifier: string, native: NodeJS.Require): unknown {
  const file = native.resolve(specifier);
  // Node itself loads sources, which are TypeScript
  return file.endsWith(".js") ? load(file) : native(specifier);
}

function load(file: string): unknown {
  const present = modules[file];
  if (present !== undefined) return present.exports;
  const source = readFileSync(file);
  const cachedData = kept()?.read(source);
  const script = new Script(`${PARAMETERS}${source.toString()}\n})`, {
    filename: file,
    columnOffset: -PARAMETERS.length,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  // V8 rejects code of a process with other flags: processes of both kinds would overwrite each other's
  if (script.cachedDataRejected !== true) loaded.push({ source, script, kept: cachedData?.length ?? 0 });
  const module = new Module(file);
  module.filename = file;
  modules[file] = module;
  try {
    const body = script.runInThisContext() as Wrapper;
    body.call(module.exports, module.exports, requireOf(file), module, file, dirname(file));
    module.loaded = true;
  } catch (error) {
    Reflect.deleteProperty(modules, file);
    throw error;
  }
  return module.exports;
}

/** `require` as a file of ours sees it: others of ours are loaded as that file was. */
function requireOf(file: string): NodeJS.Require {
  const native = createRequire(file);
  const require = (id: string): unknown => {
    if (id.startsWith("./")) return load(join(dirname(file), id));
    return id.startsWith("@reenact/") ? find(id, native) : native(id);
  };
  return Object.assign(require, native);
}
