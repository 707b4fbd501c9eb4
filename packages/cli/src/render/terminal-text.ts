/** Text that models, tools or programs wrote, made safe for a terminal: no control characters, no escapes. */
export function safe(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text
    .replace(/\u001B\[[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?/g, "")
    .replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g, "\uFFFD");
}

export function oneLine(text: string, width: number): string {
  const flat = safe(text.replace(/\s+/g, " ")).trim();
  return flat.length > width ? `${flat.slice(0, Math.max(0, width - 1))}…` : flat;
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 120_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

export function count(n: number, noun: string): string {
  const plural = /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${n.toLocaleString("en-US")} ${n === 1 ? noun : plural}`;
}

/** A place at the end of a clause, where its own dots would read as the full stop. */
export const placeName = (place: string): string => (place.endsWith(".") ? `"${place}"` : place);

export const belonging = (n: number): string => `${count(n, "run")} that ${n === 1 ? "belongs" : "belong"} to it`;
