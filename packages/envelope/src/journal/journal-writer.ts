import { createHash, type Hash } from "node:crypto";
import { codeDraw, codeReal, freshBases } from "./draw-codec.ts";
import {
  type DrawEvent,
  type ChunkEvent,
  type DrawLetter,
  type JournalEvent,
  type PlainEvent,
  journalSkeleton,
  quoteJournalString,
} from "./journal-event.ts";

/** A group of so many values is written before its interval ends: as text it takes less memory. */
const LARGE_GROUP = 1024;

/** A part of a segment that may never be cut. */
export interface JournalPart {
  /** position of the first event of the segment */
  readonly from: number;
  /** characters of the segment before this part */
  readonly at: number;
  readonly events: string;
}

/** Writes the journal of one lane in the grammar of SPEC.md §7. */
export class JournalWriter {
  private count = 0;
  private cutAt = 0;
  private segment = "";
  /** so much of the segment was told as parts */
  private told = 0;
  private state = freshState();
  private readonly pending = new Map<string, DrawEvent>();
  /** made by the first cut: most requests of a server are no runs, and have none */
  private digest: Hash | null = null;

  /** Number of events written so far, which is the position of the next one. Draws still pending are not counted. */
  get position(): number {
    return this.count;
  }

  /**
   * Writes an event and returns its position. A delivery (h, c, e, t, o, a, f) ends an interval: pending draws are
   * written first, one event per kind and scope in order of their first draw.
   */
  append(event: JournalEvent): number {
    if (event.k !== "s" && event.k !== "v") this.flush();
    this.write(event);
    return this.count++;
  }

  /** A value of the clock or of a random source; it waits for the end of its interval. */
  draw(kind: DrawLetter, scope: number, value: number | string): void {
    const key = `${kind}${scope}`;
    const group = this.pending.get(key);
    if (group) {
      group.values.push(value);
      if (group.values.length < LARGE_GROUP) return;
      this.pending.delete(key);
      this.write(group);
      this.count++;
    } else this.pending.set(key, { k: "v", kind, values: [value], scope });
  }

  /** The segment since the last cut, pending draws included; `events` is empty when there is nothing. */
  segmentSoFar(): { from: number; events: string } {
    this.flush();
    return { from: this.cutAt, events: this.segment };
  }

  /**
   * What has come to the segment since the last part of it was taken. The parts of a segment, put together in their order, are its text
   * so far.
   */
  takePart(): JournalPart {
    const { from, events } = this.segmentSoFar();
    const at = this.told;
    this.told = events.length;
    return { from, at, events: events.slice(at) };
  }

  /** As `segmentSoFar`; the next segment begins behind it. */
  cut(): { from: number; events: string } {
    const cut = this.segmentSoFar();
    if (this.segment !== "") (this.digest ??= createHash("sha256")).update(`${journalSkeleton(this.segment)}\n`);
    this.begin();
    return cut;
  }

  /** Totals of the lane as if it were cut here: number of events, and SHA-256 of the segments without their strings. */
  totals(): { count: number; sha256: string } {
    this.flush();
    const digest = this.digest?.copy() ?? createHash("sha256");
    if (this.segment !== "") digest.update(`${journalSkeleton(this.segment)}\n`);
    return { count: this.count, sha256: digest.digest("hex") };
  }

  /** Drops what was not cut. The positions count it, so that a reader sees the gap. */
  protected forget(): void {
    this.count += Math.max(1, this.pending.size);
    this.pending.clear();
    this.begin();
  }

  private begin(): void {
    this.cutAt = this.count;
    this.segment = "";
    this.told = 0;
    this.state = freshState();
  }

  private flush(): void {
    if (this.pending.size === 0) return;
    for (const group of this.pending.values()) {
      this.write(group);
      this.count++;
    }
    this.pending.clear();
  }

  private write(event: JournalEvent): void {
    const { state } = this;
    const text = body(event, state);
    if (event.scope !== state.scope) {
      this.segment += event.scope === -1 ? "@" : `@${whole(event.scope)}`;
      state.scope = event.scope;
    }
    this.segment += text;
  }
}

interface WriterState {
  scope: number;
  /** last id of s, t, o, a, by letter and scope */
  created: Map<string, number>;
  /** last id of h, c, e */
  step: number;
  /** next chunk number, by step */
  part: Map<number, number>;
  bases: ReturnType<typeof freshBases>;
}

const freshState = (): WriterState => ({
  scope: -1,
  created: new Map(),
  step: 0,
  part: new Map(),
  bases: freshBases(),
});

function body(event: JournalEvent, state: WriterState): string {
  switch (event.k) {
    case "s":
    case "t":
    case "o":
    case "a": {
      const key = `${event.k}${event.scope}`;
      const expected = (state.created.get(key) ?? -1) + 1;
      state.created.set(key, event.id);
      return event.id === expected ? event.k : `${event.k}${whole(event.id)}`;
    }
    case "h":
    case "e":
    case "c":
      return deliveryBody(event, state);
    case "f":
      return `f${quoteJournalString(event.label)}`;
    case "v": {
      if (event.values.length === 0) throw new RangeError("a draw event has at least one value");
      const values = event.values.map((value) => codeDraw(event.kind, value, state.bases) ?? plain(value));
      return `${event.kind}${values.join(",")};`;
    }
  }
}

function deliveryBody(event: PlainEvent | ChunkEvent, state: WriterState): string {
  const id = event.id === state.step ? "" : String(whole(event.id));
  state.step = event.id;
  if (event.k === "h") state.part.set(event.id, 0);
  if (event.k !== "c") return `${event.k}${id}`;
  const part = state.part.get(event.id) === event.part ? "" : `.${whole(event.part)}`;
  state.part.set(event.id, event.part + 1);
  return `c${id}${part}`;
}

const plain = (value: number | string) => (typeof value === "string" ? quoteJournalString(value) : codeReal(value));

/** A number that cannot be read back must never be written. */
function whole(number: number): number {
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new RangeError(`journal numbers are whole and not negative, not ${number}`);
}
