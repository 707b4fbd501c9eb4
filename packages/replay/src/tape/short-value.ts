/** A value in at most 118 characters: a text as it is, anything else as JSON. */
export function shortValue(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}
