import { dressAs } from "../dress-as.ts";
import { guarded } from "../guard.ts";
import { type LoadWatch, withLine } from "../module-loading.ts";
import { replaceMethod, undoAll } from "../ambient/replace-method.ts";
import { watchFetch } from "./fetch.ts";
import { type Dispatch, type ParseHeaders, watchDispatch } from "./undici-dispatch.ts";

interface Exports {
  fetch?: typeof globalThis.fetch;
  Agent?: { prototype: object };
  util?: { parseHeaders: ParseHeaders };
}

const UNDICI = /[/\\]node_modules[/\\]undici[/\\]index\.js$/;
/** where the line that is appended to the module finds us */
const SEAM = Symbol.for("reenact.undici/1");
const LINE = `process[Symbol.for("${SEAM.description}")]?.(module.exports);`;

/**
 * Records the npm package undici: its `fetch`, which clients are given for their proxies and agents and which answers
 * with a `Response` of the platform, and what its dispatchers are asked by `request`, `stream` and the like.
 */
export function watchNpmUndici(): LoadWatch {
  const undos: (() => void)[] = [];
  const watch = (exports: Exports): void => {
    const { fetch, Agent, util } = exports;
    if (typeof fetch === "function") exports.fetch = dressAs(watchFetch(fetch), fetch);
    // clients, pools and agents have one base, which is not handed out
    const base = Agent === undefined ? null : (Object.getPrototypeOf(Agent.prototype) as object);
    if (base !== null && util !== undefined)
      undos.push(replaceMethod<Dispatch>(base, "dispatch", (real) => watchDispatch(real, util.parseHeaders)));
  };
  const value = (exports: Exports): void => guarded("undici", undefined, () => watch(exports));
  Object.defineProperty(process, SEAM, { value, configurable: true });
  return {
    loaded(url, output) {
      return UNDICI.test(url) ? withLine(url, output, LINE) : output;
    },
    undo() {
      undoAll(undos)();
      Reflect.deleteProperty(process, SEAM);
    },
  };
}
