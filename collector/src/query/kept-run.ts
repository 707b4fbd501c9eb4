import type { ScannedSpan } from "@reenact/envelope";
import type { RunRow } from "../catalog/run-row.ts";

/** A run is kept for so long after its last reading, milliseconds. */
const KEEP = 10_000;
/** A larger run, by the bytes of its spans, is not kept: decoded, they take several times as many bytes of memory. */
const MOST_BYTES = 16 * 1024 ** 2;

interface KeptRun {
  /** The spans of a run in the store. Rejects as `read` and `check` do. */
  sealed(row: RunRow): Promise<readonly ScannedSpan[]>;
  /** The list that is kept, where it is equal to this one, which was read just now; else this one, which is kept then. */
  same(row: RunRow, spans: readonly ScannedSpan[]): Promise<readonly ScannedSpan[]>;
}

/**
 * Keeps the run that was read last for ten seconds: a page asks for a long run page by page, and then for one step after another, and each time the
 * whole run would be unpacked, checked and decoded anew. The same list comes again, and with it what was made of it (`readSteps`). `check` rejects
 * where the store has the run no longer: memory must not hide that.
 */
export function keepLastRun(
  read: (row: RunRow) => Promise<readonly ScannedSpan[]>,
  check: (row: RunRow) => Promise<unknown>,
): KeptRun {
  let kept: { readonly name: string; readonly spans: Promise<readonly ScannedSpan[]> } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const forget = () => {
    clearTimeout(timer);
    kept = null;
  };
  function keep(name: string, spans: Promise<readonly ScannedSpan[]>) {
    kept = { name, spans };
    clearTimeout(timer);
    timer = setTimeout(forget, KEEP);
    // in a browser, where the viewer reads a file, it is a number
    if (typeof timer === "object") timer.unref();
    // who asked is told of it; the next one reads again
    spans.catch(() => {
      if (kept?.spans === spans) forget();
    });
    return spans;
  }
  const nameOf = ({ tenant, run, parts }: RunRow) => JSON.stringify([tenant, run, parts.map(({ content }) => content)]);

  return {
    async sealed(row) {
      if (row.parts.reduce((sum, { length }) => sum + length, 0) > MOST_BYTES) return read(row);
      const name = nameOf(row);
      const spans = kept?.name === name ? kept.spans : null;
      if (spans) await check(row);
      return keep(name, spans ?? read(row));
    },
    async same(row, spans) {
      if (spans.reduce((sum, { span }) => sum + span.length, 0) > MOST_BYTES) return spans;
      const name = nameOf(row);
      const before = kept?.name === name ? await kept.spans : null;
      return keep(name, Promise.resolve(before && isEqual(before, spans) ? before : spans));
    },
  };
}

function isEqual(before: readonly ScannedSpan[], now: readonly ScannedSpan[]): boolean {
  if (before === now) return true;
  return (
    before.length === now.length &&
    now.every((each, at) => {
      const was = before[at]!;
      return (["span", "resource", "scope"] as const).every(
        (part) => was[part] === each[part] || Buffer.compare(was[part], each[part]) === 0,
      );
    })
  );
}
