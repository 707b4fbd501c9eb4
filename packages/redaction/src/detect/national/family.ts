/** A kind of national or tax number with a checksum or a fixed structure, as `stdnum` checks it. */
export interface Family {
  /** `<country>.<name>`, also the path of its validator */
  readonly id: string;
  /** what it is called, for people */
  readonly name: string;
  /** letters and digits without separators */
  readonly length: readonly [min: number, max: number];
  /** forms that are found without a cue: `d` digits, `x` other groups, with the separators between */
  readonly shapes: readonly string[];
  /** words that announce it, in text and as names of members */
  readonly words: string;
  /** a form without letters that must hold besides the validator's own test */
  readonly form?: RegExp;
  /** path of the validator, where it is not the id */
  readonly validator?: string;
  /** letters that each number of the family begins with: they say which family is asked */
  readonly prefix?: string;
  /** only words of its own announce it: under a general one it would take too much of other kinds */
  readonly named?: true;
  /** its test, where `stdnum` has none; letters and digits, capital */
  readonly check?: (compact: string) => boolean;
}
