import { CLASSES, type KeyFormat, SEGMENT } from "./key-format.ts";

/** A key of this format, its free characters drawn by `pick(alphabet)`. */
export function sampleKey(format: KeyFormat, pick: (alphabet: string) => string): string {
  const [, , mark, after, before] = format;
  return drawn(before ?? "", pick) + mark + drawn(after, pick);
}

function drawn(description: string, pick: (alphabet: string) => string): string {
  let out = "";
  let skipping = false;
  for (const part of description.split(" ")) {
    if (part === "|") skipping = true;
    else if (part === ")" || part === ")?") skipping = false;
    else if (skipping || part === "(" || part === "" || part.startsWith("~")) continue;
    else if (part === "uuid") out += [8, 4, 4, 4, 12].map((length) => many("h", length, pick)).join("-");
    else if (part.startsWith("!")) out += part.slice(1);
    else {
      const [, kind = "", min = "", , optional = ""] = SEGMENT.exec(part) ?? [];
      if (optional === "") out += many(kind, Number(min), pick);
    }
  }
  return out;
}

function many(kind: string, count: number, pick: (alphabet: string) => string): string {
  const alphabet = (CLASSES[kind] ?? "")
    .replace("A-Z", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    .replace("a-z", "abcdefghijklmnopqrstuvwxyz")
    .replace("0-9", "0123456789")
    .replace("2-7", "234567")
    .replace("a-f", "abcdef")
    .replace("A-F", "ABCDEF")
    .replace(/[-_.=+/]/g, "");
  let out = "";
  for (let i = 0; i < count; i++) out += pick(alphabet);
  return out;
}
