const MOST_VALUE = 4000;
/** Characters of a long value that are shown ahead of the first difference. */
const BEFORE = 200;

/** Both values as texts that a function has made of them; of long ones the same stretch, in which they first differ. */
export function shownValues(
  { recorded, now }: { readonly recorded: unknown; readonly now: unknown },
  made: (text: string) => string = (text) => text,
): Record<"recorded" | "now", string | null> {
  const text = (value: unknown): string | null => {
    const whole = textOf(value);
    return whole === null ? null : made(whole);
  };
  const [was, is] = [text(recorded), text(now)];
  const from = Math.max(0, firstDifference(was ?? "", is ?? "") - BEFORE);
  const shown = (whole: string | null): string | null => {
    if (whole === null || whole.length <= MOST_VALUE) return whole;
    const to = from + MOST_VALUE;
    return `${from > 0 ? "…" : ""}${whole.slice(from, to)}${to < whole.length ? "…" : ""}`;
  };
  return { recorded: shown(was), now: shown(is) };
}

function firstDifference(was: string, is: string): number {
  let at = 0;
  while (at < was.length && was.charCodeAt(at) === is.charCodeAt(at)) at++;
  return at;
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
