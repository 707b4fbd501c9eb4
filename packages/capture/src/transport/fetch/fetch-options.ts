import { scrubText, type Tally } from "../../redact/scrub-exchange.ts";
import type { Scrubber } from "../../redact/scrubber.ts";

/** Options of `fetch`, beside `redirect`, that change the request or its visibility, each with its default. */
const DEFAULTS = {
  cache: "default",
  credentials: "same-origin",
  integrity: "",
  keepalive: false,
  mode: "cors",
  referrer: "about:client",
  referrerPolicy: "",
} as const;

/** Those that are not the default, by name. */
export type FetchOptions = Readonly<Record<string, string>>;

/** Of a call's options or of a `Request`; null: all are the default. */
export function fetchOptionsOf(of: Partial<Record<keyof typeof DEFAULTS, unknown>> | undefined): FetchOptions | null {
  if (of === undefined) return null;
  const out: Record<string, string> = {};
  for (const [name, usual] of Object.entries(DEFAULTS)) {
    const value = of[name as keyof typeof DEFAULTS];
    // an object's own conversion is the program's code: it runs once, in the real call
    const text = value instanceof URL ? value.href : typeof value === "boolean" ? String(value) : value;
    if (typeof text !== "string" || text === String(usual)) continue;
    out[name] = name === "referrer" && URL.canParse(text) ? new URL(text).href : text;
  }
  return Object.keys(out).length === 0 ? null : out;
}

/** A referrer may carry what a URL may. */
export function scrubOptions(scrubber: Scrubber, options: FetchOptions, tally: Tally): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, scrubText(scrubber, value, tally.in(name), { key: "url" })]),
  );
}
