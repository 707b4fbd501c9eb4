const LONGEST = 3_600_000;
const SHORTEST = 100;

/**
 * Milliseconds to wait by a `Retry-After` header (seconds or a date), a tenth of a second at least and an hour at most; null: it says
 * nothing, or no time at all, which is not to be taken at its word.
 */
export function retryAfter(header: string | string[] | undefined, now: number): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return null;
  const ms = /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) && ms > 0 ? Math.min(Math.max(ms, SHORTEST), LONGEST) : null;
}
