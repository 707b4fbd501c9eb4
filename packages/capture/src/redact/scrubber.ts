import type { ReadTexts, StepTexts } from "../span/draft.ts";
import type { ScrubHint, Scrubbed } from "./scrubbed.ts";

/**
 * Fence 0: what turns text of the agent into text that may leave the process. `@reenact/redaction` fills it.
 * It never throws: what it cannot scan becomes `UNSCANNED_<length>`. Without a scrubber capture emits no payload.
 */
export interface Scrubber {
  /** name of the policy, hash of the rule set, four letters that name the key */
  readonly policy: string;
  readonly rules: string;
  readonly kid: string;
  scrub(text: string, hint?: ScrubHint): Scrubbed;
  /** The token of this type that stands for a value whose form does not matter: no number, no address. */
  tokenOf?(type: string, value: string): string;
  /** stays while `scrub` makes the same of the same text; undefined: it may not */
  readonly version?: number | undefined;
  /** `scrub` may stand still for an answer from elsewhere: every text is shown to `prepare` before, where that can be */
  readonly answersLater?: boolean;
  /**
   * Asks for what `scrub` would stand still for. Null: nothing to wait for. Resolves within a bounded time whether it
   * was done or not, and never rejects.
   */
  prepare?(text: string, hint?: ScrubHint): Promise<void> | null;
  /** UTF-16 units of a text that `scrub` would have to read: not those that an earlier text began with */
  unread?(text: string, hint?: ScrubHint): number;
  /**
   * Has the texts of a step read by another thread, which knows what `scrub` knows. Null: there is none for this policy,
   * they have to be read here. Resolves to null, and never rejects, where they cannot be read any more.
   */
  readElsewhere?(texts: StepTexts): Promise<ReadTexts | null> | null;
  /** Whether `readElsewhere` will answer soon for texts that are not long: their thread works and does not lag behind. To ask is to say that there is something to read. */
  readsSoon?(): boolean;
  /** What `scrub` makes of a text without a hint, by another thread; null, or a promise of it, as in `readElsewhere`. */
  scrubElsewhere?(text: string): Promise<string | null> | null;
  /** `sensitive(value)`: matched exactly anywhere from now on */
  addKnown(value: string, type?: string): void;
}

/** Whether long texts are read by another thread. */
export function hasReader(scrubber: Scrubber | null): boolean {
  return scrubber?.readElsewhere !== undefined && scrubber.answersLater !== true;
}
