import { type Entry, type Journal, JOURNAL_START, type Position } from "./journal.ts";

/** An entry to append. */
export const entry = (body: Uint8Array | Uint8Array[], tenant = "default") => ({
  tenant,
  kind: 1,
  receivedAt: 1763800000000.5,
  body,
});

/** The entries there are now: up to a mark that is appended for it. */
export async function drain(journal: Journal, from: Position = JOURNAL_START): Promise<Entry[]> {
  const entries: Entry[] = [];
  const mark = await journal.append({ ...entry(Buffer.from("mark")), kind: 9 });
  for await (const each of journal.read(from)) {
    if (each.position === mark) break;
    if (each.kind !== 9) entries.push(each);
  }
  return entries;
}

/** Their bodies. */
export const texts = (entries: Entry[]) => entries.map(({ body }) => Buffer.from(body).toString());
