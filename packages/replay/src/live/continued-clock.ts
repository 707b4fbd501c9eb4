import type { DrawKind } from "@reenact/capture/recorder";

const CLOCKS: ReadonlySet<DrawKind> = new Set(["D", "P", "T", "H"]);
/** `performance.timeOrigin` is drawn as `performance.now()` is; no process runs for that long. Ms */
const LONGEST_UPTIME = 1e11;

/**
 * The clocks of a run that has left its record: the real ones. Where a real clock is behind what the program has read from the
 * record, it goes on from there, so that none ever goes back.
 */
export class ContinuedClock {
  readonly #last = new Map<DrawKind, number | bigint>();
  readonly #ahead = new Map<DrawKind, number | bigint>();

  /** The program has read this value from the record. */
  saw(kind: DrawKind, value: string | number): void {
    if (!CLOCKS.has(kind) || isTimeOrigin(kind, value)) return;
    const read = kind === "H" ? BigInt(value) : Number(value);
    const last = this.#last.get(kind);
    if (last === undefined || read > last) this.#last.set(kind, read);
  }

  /** The value that the program gets for the real one. */
  continued<T extends string | number>(kind: DrawKind, real: T): T {
    if (!CLOCKS.has(kind) || isTimeOrigin(kind, real)) return real;
    if (kind === "H") return String(BigInt(real) + BigInt(this.#aheadOf(kind, BigInt(real)))) as T;
    return (Number(real) + Number(this.#aheadOf(kind, Number(real)))) as T;
  }

  #aheadOf(kind: DrawKind, real: number | bigint): number | bigint {
    const known = this.#ahead.get(kind);
    if (known !== undefined) return known;
    const last = this.#last.get(kind);
    const ahead = last === undefined || last <= real ? 0 : difference(last, real);
    this.#ahead.set(kind, ahead);
    return ahead;
  }
}

function difference(a: number | bigint, b: number | bigint): number | bigint {
  return typeof a === "bigint" ? a - BigInt(b) : a - Number(b);
}

function isTimeOrigin(kind: DrawKind, value: string | number): boolean {
  return kind === "P" && Number(value) > LONGEST_UPTIME;
}
