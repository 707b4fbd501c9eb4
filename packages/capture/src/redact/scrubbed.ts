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
   * One mark for each value that has one, in order, separated by blanks: eight letters that are made with the key from the
   * value as it was
   * written, behind a `#` where it was a number. They tell spellings of one value, and numbers, from each other.
   */
  readonly marks?: string;
}

export interface ScrubHint {
  /** content type of a whole body: JSON, event stream, form, … decides how its leaves are found */
  readonly mime?: string | undefined;
  /** name the leaf stands under: a header, a JSON key, an environment variable, a query parameter */
  readonly key?: string | undefined;
  /** the text is a value of this type as a whole, because of its source: the text itself does not show it */
  readonly as?: string | undefined;
  /** false: an answer from elsewhere that is not there yet is not waited for; the text is replaced this time */
  readonly waits?: false | undefined;
}
