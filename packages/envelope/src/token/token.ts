/** A redaction token in a text. `type` is `UNSCANNED` for `UNSCANNED_<len>`. Offsets are UTF-16 units. */
export interface TokenHit {
  start: number;
  end: number;
  type: string;
  token: string;
}

const LONGEST_TYPE = 32;
/** What every token ends with; the type is then read backwards, so that long runs of capitals stay linear. */
const TAIL = /_[a-z]{4}_[a-z]{16}|UNSCANNED_[0-9]+/g;

const isCapital = (unit: number) => unit >= 65 && unit <= 90;

/** All tokens of a text, in order, without overlaps. Linear in the text. */
export function findTokens(text: string): TokenHit[] {
  const hits: TokenHit[] = [];
  // most texts have no underscore, and looking for one is far quicker than the expression
  if (!text.includes("_")) return hits;
  let free = 0;
  for (const match of text.matchAll(TAIL)) {
    const end = match.index + match[0].length;
    let start = match.index;
    let type = "UNSCANNED";
    if (match[0].charCodeAt(0) === 95) {
      const floor = Math.max(free, match.index - LONGEST_TYPE);
      for (let at = match.index - 1; at >= floor; at--) {
        const unit = text.charCodeAt(at);
        if (isCapital(unit)) start = at;
        else if (unit !== 95) break;
      }
      if (start === match.index) continue;
      type = text.slice(start, match.index);
    }
    hits.push({ start, end, type, token: text.slice(start, end) });
    free = end;
  }
  return hits;
}

/** The text with its tokens numbered by first appearance: `EMAIL#1`, `EMAIL#2`, … */
export function renameTokens(text: string): string {
  const hits = findTokens(text);
  if (hits.length === 0) return text;
  const numbers = new Map<string, number>();
  const counts = new Map<string, number>();
  let out = "";
  let from = 0;
  for (const { start, end, type, token } of hits) {
    let number = numbers.get(token);
    if (number === undefined) {
      number = (counts.get(type) ?? 0) + 1;
      counts.set(type, number);
      numbers.set(token, number);
    }
    out += `${text.slice(from, start)}${type}#${number}`;
    from = end;
  }
  return out + text.slice(from);
}
