let last = 0;

/** A number for something that was found: what was found first in this process has the lowest one. */
export function nextFinding(): number {
  return ++last;
}
