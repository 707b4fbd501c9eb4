import type { Scrubber } from "@reenact/capture";
import { findTokens } from "@reenact/envelope";
import { TokenAlignment } from "@reenact/redaction";
import { MintedIds } from "./minted-ids.ts";

const MASKED = /(?<![A-Z_])[A-Z][A-Z_]{0,31}_MASKED(?![A-Za-z_])/g;

/**
 * Which values of now stand for which recorded ones, over one run. Literal text must be equal. A value that redaction
 * has replaced is compared by its token, and by its place alone where the token says nothing of the value: it was made
 * with another key, or it is a mask.
 */
export class ValueAlignment {
  readonly #tokens = new TokenAlignment();
  readonly #ids = new MintedIds();
  readonly #masked = new Set<string>();
  readonly #isLive: () => boolean;
  readonly #numbers = new Set<string>();

  /** `isLive`: a step of this run has gone live, so that ids may be minted anew */
  constructor(isLive: () => boolean) {
    this.#isLive = isLive;
  }

  /** A recorded token, and the value that it stands for: where it is redacted with another key now, it has another one. */
  know(recorded: string, original: string, scrubber: Pick<Scrubber, "scrub">): void {
    const now = scrubber.scrub(original).text;
    const [was, is] = [findTokens(recorded)[0], findTokens(now)[0]];
    if (was !== undefined && is?.token === now && was.type === is.type) this.#tokens.know(recorded, now);
  }

  readonly same = (recorded: string, now: string): boolean => {
    if (recorded === now || this.#tokens.align(recorded, now).ok) {
      this.#noteMasked(recorded);
      if (this.#isLive()) this.#ids.keep(recorded);
      return true;
    }
    return this.#isLive() && this.#ids.align(recorded, now);
  };

  /** The recorded token for a token of now. */
  translate(text: string): string {
    return this.#tokens.translate(text);
  }

  /** How many redacted values were compared by their place only. */
  get byPlace(): number {
    return this.#tokens.pairs + this.#masked.size + this.#numbers.size;
  }

  /** A redacted number that could be compared by its place only. */
  noteByPlace(place: string): void {
    this.#numbers.add(place);
  }

  /** How many ids that a live step minted were compared by their place only. */
  get idsByPlace(): number {
    return this.#ids.size;
  }

  #noteMasked(text: string): void {
    if (text.includes("_MASKED")) for (const mask of text.match(MASKED) ?? []) this.#masked.add(mask);
    if (!text.includes("UNSCANNED_")) return;
    for (const { type, token } of findTokens(text)) if (type === "UNSCANNED") this.#masked.add(token);
  }
}
