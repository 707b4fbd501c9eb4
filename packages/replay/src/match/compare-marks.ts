import type { RedactedPlace } from "@reenact/capture";
import { type JsonNode, parseJson } from "@reenact/envelope";
import type { Difference } from "./difference.ts";

type RecordedPlace = Pick<RedactedPlace, "at" | "rule" | "type"> & { readonly marks?: string | undefined };

/** What tells the values of a place from each other where their tokens are equal. Null: they cannot be compared. */
export type ComparedMarks = "same" | "spelling" | "number" | null;

/**
 * Whether marks of now are those of the record. Where there are as many, each stands for the same value; where there are fewer, some values
 * came back as the tokens of the record, and each of the others has to be one of the recorded ones.
 */
export function compareMarks(recorded: string | undefined, now: string | undefined): ComparedMarks {
  if (recorded === undefined || now === undefined) return null;
  if (recorded === now) return "same";
  const was = recorded.split(" ");
  const is = now.split(" ");
  const other = is.find((mark, n) => (was.length === is.length ? was[n] !== mark : !was.includes(mark)));
  return other === undefined ? "same" : other.startsWith("#") ? "number" : "spelling";
}

/** How many numbers have marks: under another key they are compared by their places. */
export const markedNumbers = (marks: string): number => marks.split(" ").filter((mark) => mark.startsWith("#")).length;

/** How a value is called that no report can show. */
export const SHOWN_MARKS = {
  spelling: { recorded: "a redacted value in one spelling", now: "a redacted value in another spelling" },
  number: { recorded: "a redacted number", now: "another number, redacted alike" },
} as const;

/** Values that redaction has replaced alike, and that are not the same: other numbers, and other spellings of one value. */
export function markDifferences(
  recorded: readonly RecordedPlace[],
  now: readonly RecordedPlace[],
  body: { recorded: string | null; now: string | null },
): Difference[] {
  const placeOf = ({ at, rule, type }: Pick<RedactedPlace, "at" | "rule" | "type">): string =>
    `${at}\n${rule}\n${type}`;
  const here = new Map(now.map((place) => [placeOf(place), place]));
  const found: Difference[] = [];
  for (const place of recorded) {
    const result = compareMarks(place.marks, here.get(placeOf(place))?.marks);
    if (result === null || result === "same") continue;
    const [, of, pointer = place.at] =
      /^\/(?:request\/(url|options|headers|body)|call\/args)(.*)$/s.exec(place.at) ?? [];
    const value = { ...SHOWN_MARKS[result], isRedacted: true } as const;
    if (of === "url") found.push({ of: "URL", pointer, ...value });
    else if (of === "headers") found.push({ of: "header", pointer, ...value });
    else if (of === "options") found.push({ of: "option", pointer, ...value });
    else
      found.push({
        pointer,
        ...value,
        at: { recorded: offsetOf(body.recorded, pointer), now: offsetOf(body.now, pointer) },
      });
  }
  return found;
}

/** Where the value of a pointer begins in a JSON text; -1: nowhere. */
function offsetOf(text: string | null, pointer: string): number {
  if (text === null) return -1;
  try {
    let node: JsonNode | undefined = parseJson(text);
    for (const step of pointer.split("/").slice(1)) {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
      if (node?.type === "object") node = node.members.find(({ key }) => key === name)?.value;
      else if (node?.type === "array") node = node.items[Number(name)];
      else return node?.start ?? -1;
    }
    return node?.start ?? -1;
  } catch {
    return -1;
  }
}
