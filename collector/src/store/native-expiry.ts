import type { ForeignRule } from "./foreign-rule.ts";

/** A rule by which the store itself deletes objects. */
export interface ExpiryRule {
  /** objects whose key begins so */
  readonly prefix: string;
  /** after their creation, by the store's clock */
  readonly days: number;
}

/** The part of a store that expires objects itself; stores without one are swept. */
export interface NativeExpiry {
  /**
   * Makes these the rules of ours and reads them back; rules of others stay. False: the store has no lifecycle rules.
   * Throws `StoreError`: `UNSAFE` if it says that it took them and did not.
   */
  install(rules: readonly ExpiryRule[]): Promise<boolean>;
  /** Rules of others, switched on, that delete or archive objects whose keys begin with `prefix`, or some of them. */
  foreign(prefix: string): Promise<readonly ForeignRule[]>;
}
