/** Removes escape sequences and replaces control characters and bidirectional marks, as the text may come from anywhere. */
export function safe(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text
    .replace(/\u001B\[[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?/g, "")
    .replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g, "\uFFFD");
}

/** The text as one safe line of at most `width` characters. */
export function oneLine(text: string, width: number): string {
  const flat = safe(text.replace(/\s+/g, " ")).trim();
  return flat.length > width ? `${flat.slice(0, Math.max(0, width - 1))}…` : flat;
}

/** `350 ms`, `2.4 s`, `3 min 5 s` */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 120_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** US dollars in cents, below ten cents with three significant digits: `$0.50`, `$0.05`, `$0.0613`, `$0.00` */
export function dollars(usd: number): string {
  if (usd === 0 || usd >= 0.1) return `$${usd.toFixed(2)}`;
  if (usd < 0.000001) return "under $0.000001";
  return `$${usd.toFixed(2 - Math.floor(Math.log10(usd))).replace(/(\.\d{2,}?)0+$/, "$1")}`;
}

/** `1 step`, `2 steps`, `3 replies` */
export function count(n: number, noun: string): string {
  const plural = /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${n.toLocaleString("en-US")} ${n === 1 ? noun : plural}`;
}
