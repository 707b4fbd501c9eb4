/**
 * Memory that is written again and again: pages that are new to a process cost more than all else of writing a frame.
 * What it gives is good until it is asked again. Null: more than `most` bytes, which are not worth keeping.
 */
export function keptMemory(most: number): (bytes: number) => Buffer | null {
  let kept = Buffer.alloc(0);
  return (bytes) => {
    if (bytes > most) return null;
    if (bytes > kept.length) kept = Buffer.allocUnsafeSlow(Math.min(most, 2 * bytes));
    return kept;
  };
}
