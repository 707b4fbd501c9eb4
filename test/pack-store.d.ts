import type { ScannedSpan } from "@reenact/envelope";
/** The n-th run: the golden one under an id of its own. */
export declare const packedRunId: (n: number) => string;
/** Its spans. */
export declare function packedRunSpans(n: number): ScannedSpan[];
/**
 * A folder with sealed runs as a collector leaves them, without their catalog: so many packs of so many runs each. Every
 * `flagged`-th run (0: none) was flagged after it was sealed, and has a copy in a pack of its own below `keep`.
 */
export declare function fillStore(
  root: string,
  size: {
    packs: number;
    runs: number;
    flagged?: number;
  },
): {
  runs: number;
};
//# sourceMappingURL=pack-store.d.ts.map
