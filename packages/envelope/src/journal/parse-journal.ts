import { decodeDraw, decodeReal, type DrawBases, freshBases } from "./draw-codec.ts";
import { EnvelopeError } from "../envelope-error.ts";
import { type DrawLetter, isDrawLetter, type JournalEvent, unquoteJournalString } from "./journal-event.ts";

const NUMBER = /(?:0|[1-9][0-9]{0,15})?/y;
const STRING = /'([^']*)'/y;
const VALUE = /'[^']*'|[^',;]+/y;

/** The events of one segment, whose first event has position `from`. Throws `BAD_JOURNAL` with the offset. */
export function parseJournal(events: string, from = 0): JournalEvent[] {
  const list: JournalEvent[] = [];
  const created = new Map<string, number>();
  const parts = new Map<number, number>();
  const bases = freshBases();
  let at = 0;
  let scope = -1;
  let step = 0;

  const fail = (why: string) =>
    new EnvelopeError("BAD_JOURNAL", `journal segment from event ${from}`, `${why} at offset ${at}`, { offset: at });
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(events);
    if (match) at = pattern.lastIndex;
    return match;
  };
  const number = (): number | null => {
    const digits = take(NUMBER)?.[0];
    if (!digits) return null;
    const value = Number(digits);
    if (!Number.isSafeInteger(value)) throw fail("number too large");
    return value;
  };
  const part = (id: number): number => {
    if (events[at] !== ".") {
      const next = parts.get(id);
      if (next === undefined) throw fail("chunk without a number");
      return next;
    }
    at++;
    const value = number();
    if (value === null) throw fail("chunk without a number");
    return value;
  };
  const draws = (kind: DrawLetter): (number | string)[] => {
    const values: (number | string)[] = [];
    for (;;) {
      const text = take(VALUE)?.[0];
      if (text === undefined) throw fail("value expected");
      const value = drawOf(kind, text, bases);
      if (value === null) throw fail(`bad value of kind ${kind}`);
      values.push(value);
      const next = events[at];
      if (next !== "," && next !== ";") throw fail("';' expected");
      at++;
      if (next === ";") return values;
    }
  };

  const creation = (k: "s" | "t" | "o" | "a"): void => {
    const key = `${k}${scope}`;
    const id = number() ?? (created.get(key) ?? -1) + 1;
    created.set(key, id);
    list.push({ k, id, scope });
  };
  const delivery = (k: "h" | "e"): void => {
    step = number() ?? step;
    if (k === "h") parts.set(step, 0);
    list.push({ k, id: step, scope });
  };
  const chunk = (): void => {
    step = number() ?? step;
    const value = part(step);
    parts.set(step, value + 1);
    list.push({ k: "c", id: step, part: value, scope });
  };
  const wakeUp = (): void => {
    const label = take(STRING)?.[1];
    if (label === undefined) throw fail("label expected");
    list.push({ k: "f", label: unquoteJournalString(label), scope });
  };

  while (at < events.length) {
    const letter = events[at++] as string;
    if (letter === "@") scope = number() ?? -1;
    else if (letter === "s" || letter === "t" || letter === "o" || letter === "a") creation(letter);
    else if (letter === "h" || letter === "e") delivery(letter);
    else if (letter === "c") chunk();
    else if (letter === "f") wakeUp();
    else if (isDrawLetter(letter)) list.push({ k: "v", kind: letter, values: draws(letter), scope });
    else {
      at--;
      throw fail("unknown event");
    }
  }
  return list;
}

function drawOf(kind: DrawLetter, text: string, bases: DrawBases): number | string | null {
  if (text.startsWith("'")) return unquoteJournalString(text.slice(1, -1));
  return text.startsWith("=") ? decodeReal(text.slice(1)) : decodeDraw(kind, text, bases);
}
