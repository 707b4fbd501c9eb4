import { VALUE_MIME } from "@reenact/envelope";
import { scrubText, type Tally } from "./scrub-exchange.ts";
import type { Scrubber } from "./scrubber.ts";

const UNSCANNED = /^UNSCANNED_\d+$/;

/**
 * Scrubs the typed text of a value: each leaf under its name, and what comes out is again a typed text. One that could
 * not be scanned is the text that says so.
 */
export function scrubTyped(scrubber: Scrubber, text: string, tally: Tally): string {
  const out = scrubText(scrubber, text, tally, { mime: VALUE_MIME });
  return UNSCANNED.test(out) ? JSON.stringify([out]) : out;
}
