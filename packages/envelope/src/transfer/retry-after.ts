const LONGEST = 3_600_000;

/** Milliseconds to wait by a `Retry-After` header (seconds or a date), at most an hour; null: it says nothing. */
export function retryAfter(header: string | string[] | undefined, now: number): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return null;
  const ms = /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST) : null;
}
