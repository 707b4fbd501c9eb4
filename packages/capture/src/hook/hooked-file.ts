/** `from` is inclusive. */
export interface VersionRange {
  readonly from: string;
  readonly below: string;
}

/** A file of a package, and what in it is hooked. */
export interface HookedFile {
  /** names on npm */
  readonly packages: readonly string[];
  /** path inside the package, with `/` */
  readonly path: RegExp;
  /** expression for the value, in the module's own words; or finds its name in the source of a module with shortened names, as a group */
  readonly value: string | RegExp;
  /** versions of these packages, where they are not the hook's */
  readonly versions?: VersionRange;
}

export type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
