import { textOf } from "@reenact/envelope";
import type { ExchangeDraft } from "./step-content.ts";

export interface Received {
  /** the chunks so far, one after another */
  readonly bytes: Uint8Array;
  /** null: they are no text */
  readonly text: string | null;
}

/** An answer is read when its last byte has come, and again when its step ends. */
const known = new WeakMap<ExchangeDraft, Received & { readonly chunks: number }>();

/** The body of an answer as it has come so far. */
export function received(x: ExchangeDraft): Received {
  const { chunks } = x;
  const before = known.get(x);
  if (before?.chunks === chunks.length) return before;
  const [only] = chunks;
  const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
  const now = { bytes, text: textOf(bytes), chunks: chunks.length };
  known.set(x, now);
  return now;
}

export function forgetReceived(x: ExchangeDraft): void {
  known.delete(x);
}
