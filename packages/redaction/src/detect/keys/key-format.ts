/**
 * How a provider's key looks: `[id, provider, mark, after, before]`. The mark is the literal part that the scan stops
 * at; `after` describes what follows it and `before` (fixed length) what leads up to it, as segments with a space
 * between them:
 *
 *     w letters and digits    l lower case and digits    u letters, digits, `_`, `-`    o u and `.`    t o and `~`    e u and `=`    E o and `=`    b base64, `=`    m b and u
 *     h lower-case hex        x hex of either case       U upper case and digits        d digits       B base32
 *
 * each with a length (`w36`, `u40-80`); `uuid`; `!text` is a literal, `~text` must not come next; `(… | …)` is an
 * alternative; `?` after a segment makes it optional. Reviewed as data.
 */
export type KeyFormat = readonly [id: string, provider: string, mark: string, after: string, before?: string];

export const CLASSES: Record<string, string> = {
  w: "A-Za-z0-9",
  l: "a-z0-9",
  u: "A-Za-z0-9_-",
  o: "A-Za-z0-9_.-",
  t: "A-Za-z0-9_.~-",
  b: "A-Za-z0-9+/=",
  h: "0-9a-f",
  x: "0-9a-fA-F",
  U: "A-Z0-9",
  e: "A-Za-z0-9_=-",
  E: "A-Za-z0-9_=.-",
  m: "A-Za-z0-9+/_=-",
  d: "0-9",
  B: "A-Z2-7",
};
export const SEGMENT = /^([a-zA-Z])(\d+)(?:-(\d+))?(\??)$/;
const UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";

/** Source of the expression that a description stands for; every repetition in it has an upper bound. */
export function expressionOf(description: string): string {
  return description
    .split(" ")
    .filter((part) => part !== "")
    .map((part) => {
      if (part === "(") return "(?:";
      if (part === "|" || part === ")" || part === ")?") return part;
      if (part === "uuid") return UUID;
      if (part.startsWith("!")) return literal(part.slice(1));
      if (part.startsWith("~")) return `(?!${literal(part.slice(1))})`;
      const [, kind = "", min = "", max = min, optional = ""] = SEGMENT.exec(part) ?? [];
      const members = CLASSES[kind];
      if (members === undefined) throw new Error(`no such segment: ${part}`);
      const one = `[${members}]{${min},${max}}`;
      return optional === "" ? one : `(?:${one})?`;
    })
    .join("");
}

/** What may not follow: a character that would make the last segment longer. */
export function boundaryOf(description: string): string {
  const last = description.split(" ").findLast((part) => SEGMENT.test(part) || part === "uuid");
  const members = last === undefined || last === "uuid" ? "" : (CLASSES[last[0] as string] ?? "");
  // a dash or a point may end a sentence, a letter cannot
  return `(?![A-Za-z0-9]${members.includes("_") ? "|_" : ""}${members.endsWith("-") ? "|-[A-Za-z0-9]" : ""}${members.includes("+") ? "|[+/]" : ""})`;
}

/** Number of characters before the mark. */
export function leadOf(before: string | undefined): number {
  if (before === undefined) return 0;
  return before.split(" ").reduce((sum, part) => {
    if (part.startsWith("!")) return sum + part.length - 1;
    return sum + Number(SEGMENT.exec(part)?.[2] ?? (part === "uuid" ? 36 : 0));
  }, 0);
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
