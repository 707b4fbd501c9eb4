import type { ReadTexts, StepTexts } from "../span/draft.ts";

/** One replacement in a text. Offsets are UTF-16 units of the original; edits are sorted and never overlap. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly with: string;
}

export interface Scrubbed {
  readonly text: string;
  readonly edits: readonly Edit[];
  /** hits per type: `{ EMAIL: 2 }` */
  readonly counts: Readonly<Record<string, number>>;
  /** the same hits by rule and place */
  readonly places?: readonly RedactedPlace[];
  /** marks of the hits, in order; see `RedactedPlace.marks` */
  readonly marks?: readonly string[];
}

/** How many values one rule has found in one place. */
export interface RedactedPlace {
  /** JSON pointer into the text; "" for the text as a whole. Names in it are those of the scrubbed text */
  readonly at: string;
  /** id of the rule; for a change that no rule made, such as a denied path, the name that `ruleOf` gives it */
  readonly rule: string;
  readonly type: string;
  readonly n: number;
  /**
   * One mark for each value that has one, in order, separated by blanks: eight letters that are made with the key from the value as it was
   * written, behind a `#` where it was a number. They tell spellings of one value, and numbers, from each other.
   */
  readonly marks?: string;
}

export interface ScrubHint {
  /** content type of a whole body: JSON, event stream, form, … decides how its leaves are found */
  readonly mime?: string | undefined;
  /** name the leaf stands under: a header, a JSON key, an environment variable, a query parameter */
  readonly key?: string | undefined;
  /** the text is a value of this type as a whole, because of what it was made from: nothing else says so */
  readonly as?: string | undefined;
  /** false: an answer from elsewhere that is not there yet is not waited for; the text is replaced this time */
  readonly waits?: false | undefined;
}

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
  /** What `scrub` makes of a text without a hint, by another thread; null, or a promise of it, as in `readElsewhere`. */
  scrubElsewhere?(text: string): Promise<string | null> | null;
  /** `sensitive(value)`: matched exactly anywhere from now on */
  addKnown(value: string, type?: string): void;
}

/** Whether long texts are read by another thread. */
export function hasReader(scrubber: Scrubber | null): boolean {
  return scrubber?.readElsewhere !== undefined && scrubber.answersLater !== true;
}
