import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { dressAs } from "../dress-as.ts";
import type { LoadWatch } from "../module-loading.ts";
import { watchFetch } from "./fetch.ts";

type Exports = Record<string, unknown> & { fetch?: typeof globalThis.fetch };

const UNDICI = /[/\\]node_modules[/\\]undici[/\\]index\.js$/;
/** where the line that is appended to the module finds us */
const SEAM = Symbol.for("reenact.undici/1");
const LINE = `\nprocess[Symbol.for("${SEAM.description}")]?.(module.exports);\n`;

const { readFileSync } = fs;

/**
 * Records the `fetch` of the npm package undici, which clients are given for their proxies and agents. What it answers
 * with is a `Response` of the platform. Its `request`, `stream` and the like are not seen.
 */
export function watchNpmUndici(): LoadWatch {
  const watch = (exports: Exports): void => {
    const { fetch } = exports;
    if (typeof fetch === "function") exports.fetch = dressAs(watchFetch(fetch), fetch);
  };
  Object.defineProperty(process, SEAM, { value: watch, configurable: true });
  return {
    loaded(url, output) {
      if (!UNDICI.test(url)) return output;
      const source = output.source ?? readFileSync(fileURLToPath(url));
      const text = typeof source === "string" ? source : Buffer.from(source as Uint8Array).toString();
      return { ...output, source: `${text}${LINE}` };
    },
    undo: () => void Reflect.deleteProperty(process, SEAM),
  };
}
