/**
 * Cuts a text into at most `count` pieces (default: one for about every six letters), of about the same length; a list
 * is taken as the pieces.
 * A serial or a random number (`r123456`) stays whole, so that it can be masked in a list of pieces.
 */
export function pieces(text: string, count?: number | readonly string[]): string[] {
  if (typeof count === "object") return [...count];
  if (text === "") return [];
  const letters = text.match(/s[0-9a-f]{4}n\d{6}|r\d{6}|./gsu) ?? [];
  const wanted = Math.max(1, Math.min(letters.length, count ?? Math.ceil(letters.length / 6)));
  const size = Math.ceil(letters.length / wanted);
  const list: string[] = [];
  for (let at = 0; at < letters.length; at += size) list.push(letters.slice(at, at + size).join(""));
  return list;
}
