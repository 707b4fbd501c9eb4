import type { Edit } from "@reenact/capture";

/** An edit with the type that it is counted under; null: the rest of a value that began in an earlier part. */
export interface Change extends Edit {
  readonly type: string | null;
  /** id of the rule that found it, where it is known */
  readonly rule?: string;
}

/** The text with its changes made. Changes are sorted and never overlap. */
export function applied(text: string, changes: readonly Edit[]): string {
  if (changes.length === 0) return text;
  let out = "";
  let from = 0;
  for (const change of changes) {
    out += text.slice(from, change.start) + change.with;
    from = change.end;
  }
  return out + text.slice(from);
}

export function shifted(changes: readonly Change[], by: number): Change[] {
  return by === 0 ? [...changes] : changes.map((c) => ({ ...c, start: c.start + by, end: c.end + by }));
}

export function unscanned(start: number, end: number): Change {
  return { start, end, with: `UNSCANNED_${end - start}`, type: "UNSCANNED" };
}

/** Rules of changes that no rule of the table has made. */
const WITHOUT_RULE: Readonly<Record<string, string>> = {
  FIELD: "path.deny",
  UNSCANNED: "scan.failed",
  MEDIA: "media.drop",
  AUTH: "auth.name",
};

/** The id under which a change is explained; its type where several rules have made it together. */
export function ruleOf(type: string, rule: string | undefined): string {
  return rule ?? WITHOUT_RULE[type] ?? type;
}
