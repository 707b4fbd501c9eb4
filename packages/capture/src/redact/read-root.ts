import type { Originals } from "./kept.ts";
import { rootCall } from "../span/call-part.ts";
import { MOST_READ_HERE } from "./most-read-here.ts";
import { hasReader, type Scrubber } from "./scrubber.ts";
import type { TypedText } from "../span/value-snapshot.ts";

/** What another thread has made of the long texts of a root: JSON of redacted typed encodings. */
export interface RootTexts {
  readonly input: string;
  readonly output: string;
  /** what the vault may keep of the input; null: nothing was asked for */
  readonly originals: Originals | null;
  /** values that were replaced in both, by type */
  readonly counts: readonly Readonly<Record<string, number>>[];
}

const START = '{"call":{"args":';

/** Whether input and output of a run are more than this thread may read. */
export function isLongRoot(scrubber: Scrubber, input: TypedText | null, output: TypedText | null): boolean {
  if (!hasReader(scrubber)) return false;
  return (input?.length ?? 0) + (output?.length ?? 0) > MOST_READ_HERE;
}

/** Typed encoding, and JSON where a `toJSON` may give members other names. */
export interface RootValue {
  readonly text: TypedText | null;
  readonly json: string | null;
}

/** Has input and output of a run read by another thread; null: they are read here. Never rejects. */
export function readRoot(scrubber: Scrubber, input: RootValue, output: RootValue): Promise<RootTexts> | null {
  const [first, second] = [read(scrubber, input), read(scrubber, output)];
  if (first === null || second === null) return null;
  return Promise.all([first, second]).then(([one, two]) => ({
    input: one.json,
    output: two.json,
    originals: one.originals,
    counts: [one.counts, two.counts],
  }));
}

interface Read {
  readonly json: string;
  readonly originals: Originals | null;
  readonly counts: Readonly<Record<string, number>>;
}

function read(scrubber: Scrubber, { text, json }: RootValue): Promise<Read> | null {
  if (text === null) return Promise.resolve({ json: "null", originals: null, counts: {} });
  const call = rootCall(text, json);
  const reading = scrubber.readElsewhere?.({
    exchange: null,
    call,
    error: null,
    lossy: [],
    head: null,
    underWay: true,
    isLong: true,
    at: null,
  });
  if (reading === undefined || reading === null) return null;
  const unread = JSON.stringify(`["UNSCANNED_${text.length}"]`);
  return reading.then((texts) => {
    const members = Buffer.from(texts?.members ?? "").toString();
    const json = members.startsWith(START) ? members.slice(START.length, -2) : unread;
    return { json, originals: texts?.originals ?? null, counts: texts?.counts ?? {} };
  });
}
