/**
 * Kinds of draws: Date, performance, random, uuid, bytes (base64), hrtime, whole number, uptime, measure of the machine; and
 * the delay that a timer or a time-out was set to.
 */
const DRAW_LETTERS = ["D", "P", "R", "U", "B", "H", "N", "T", "M", "W", "G"] as const;
export type DrawLetter = (typeof DRAW_LETTERS)[number];

export function isDrawLetter(letter: string): letter is DrawLetter {
  return (DRAW_LETTERS as readonly string[]).includes(letter);
}

/** A delivery or a start: step number for s, h, e; creation number within the scope for t, o and a. */
export interface PlainEvent {
  k: "s" | "h" | "e" | "t" | "o" | "a";
  id: number;
  /** number of the tool step in whose body the event happened; -1: outside every tool body */
  scope: number;
}
export interface ChunkEvent {
  k: "c";
  id: number;
  /** number of the chunk in its body, from 0 */
  part: number;
  scope: number;
}
export interface ForeignEvent {
  k: "f";
  /** `TYPE#n` */
  label: string;
  scope: number;
}
/** Draws of one kind and scope made in one interval between two deliveries, in order; one event, one position. */
export interface DrawEvent {
  k: "v";
  kind: DrawLetter;
  values: (number | string)[];
  scope: number;
}
export type JournalEvent = PlainEvent | ChunkEvent | ForeignEvent | DrawEvent;

/** A part of a lane's journal; `from` is the position of its first event. */
export interface JournalSegment {
  lane: string;
  from: number;
  events: string;
}

/** Applies `change` to each string of a segment (labels, uuids, base64): all that a redactor may see of a journal. */
export function mapJournalStrings(events: string, change: (text: string) => string): string {
  return events.replace(/'([^']*)'/g, (_, inner: string) => quoteJournalString(change(unquoteJournalString(inner))));
}

/** The segment with its strings emptied: what the totals of a lane are taken over. */
export function journalSkeleton(events: string): string {
  return events.includes("'") ? events.replace(/'[^']*'/g, "''") : events;
}

export function quoteJournalString(text: string): string {
  return `'${/[%']/.test(text) ? text.replaceAll("%", "%25").replaceAll("'", "%27") : text}'`;
}

export function unquoteJournalString(inner: string): string {
  return inner.includes("%") ? inner.replaceAll("%27", "'").replaceAll("%25", "%") : inner;
}
