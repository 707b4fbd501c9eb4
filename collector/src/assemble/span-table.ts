import type { EntryPlace, RecordReference } from "../journal/journal.ts";
import { Pages } from "./pages.ts";
import type { ScannedPlace, ScannedScope } from "./scan-entry.ts";
import { SLICE, type Slices } from "./slices.ts";
import { columnBytes, type SpanColumns, spanColumns, type SpanGroup } from "./span-columns.ts";

export interface TableSpan {
  readonly id: bigint;
  /** 0n: none */
  readonly parent: bigint;
}

const NONE = -1;
/** A body is at most 1 GiB, so the highest bit of a length is free: the span is a step. */
const STEP = 0x8000_0000;
const LENGTH = 0x7fff_ffff;
const u32 = () => new Pages(Uint32Array);
const i32 = () => new Pages(Int32Array);

/**
 * Where the spans of open runs lie: numbers in columns, no objects. Spans of a run are a chain, newest first; places of
 * dropped ones are used again.
 */
export class SpanTable {
  private readonly group = u32();
  private readonly offset = u32();
  private readonly length = u32();
  private readonly idHigh = u32();
  private readonly idLow = u32();
  private readonly parentHigh = u32();
  private readonly parentLow = u32();
  private readonly startHigh = u32();
  private readonly startLow = u32();
  private readonly previous = i32();
  private spans = 0;
  private freeSpan = NONE;

  private readonly block = u32();
  private readonly record = u32();
  private readonly resource = u32();
  private readonly resourceLength = u32();
  private readonly scope = u32();
  private readonly scopeLength = u32();
  private readonly uses = i32();
  private readonly urls = new Map<number, readonly [resource: string, scope: string]>();
  private groups = 0;
  private freeGroup = NONE;
  private held = 0;

  /** Spans in the table. */
  get size(): number {
    return this.held;
  }

  /** A group with no spans yet; it goes when its last span is dropped. */
  addGroup(place: EntryPlace, scanned: ScannedScope): number {
    const { block, record, body: bodyAt } = place;
    let at = this.freeGroup;
    if (at === NONE) {
      at = this.groups++;
      for (const column of [
        this.block,
        this.record,
        this.resource,
        this.resourceLength,
        this.scope,
        this.scopeLength,
        this.uses,
      ])
        column.grow(at);
    } else this.freeGroup = this.uses.get(at);
    this.block.set(at, block);
    this.record.set(at, record);
    this.resource.set(at, bodyAt + scanned.resource);
    this.resourceLength.set(at, scanned.resourceLength);
    this.scope.set(at, bodyAt + scanned.scope);
    this.scopeLength.set(at, scanned.scopeLength);
    this.uses.set(at, 0);
    if (scanned.resourceUrl !== "" || scanned.scopeUrl !== "")
      this.urls.set(at, [scanned.resourceUrl, scanned.scopeUrl]);
    return at;
  }

  /** The records with spans that were not dropped; one may come several times. */
  records(): RecordReference[] {
    const free = new Set<number>();
    for (let at = this.freeGroup; at !== NONE; at = this.uses.get(at)) free.add(at);
    const found: RecordReference[] = [];
    for (let at = 0; at < this.groups; at++)
      if (!free.has(at)) found.push({ block: this.block.get(at), record: this.record.get(at) });
    return found;
  }

  groupAt(at: number): SpanGroup {
    const [resourceUrl, scopeUrl] = this.urls.get(at) ?? ["", ""];
    return {
      block: this.block.get(at),
      record: this.record.get(at),
      resource: this.resource.get(at),
      resourceLength: this.resourceLength.get(at),
      scope: this.scope.get(at),
      scopeLength: this.scopeLength.get(at),
      resourceUrl,
      scopeUrl,
    };
  }

  /** Puts a span before the chain `head` (-1: none) and gives the new head. */
  add(head: number, group: number, bodyAt: number, body: DataView, span: ScannedPlace): number {
    let at = this.freeSpan;
    if (at === NONE) {
      at = this.spans++;
      for (const column of [this.group, this.offset, this.length, this.idHigh, this.idLow]) column.grow(at);
      for (const column of [this.parentHigh, this.parentLow, this.startHigh, this.startLow]) column.grow(at);
      this.previous.grow(at);
    } else this.freeSpan = this.previous.get(at);
    this.group.set(at, group);
    this.uses.set(group, this.uses.get(group) + 1);
    this.offset.set(at, bodyAt + span.offset);
    this.length.set(at, span.isStep ? span.length + STEP : span.length);
    this.idHigh.set(at, body.getUint32(span.id));
    this.idLow.set(at, body.getUint32(span.id + 4));
    this.parentHigh.set(at, span.parent < 0 ? 0 : body.getUint32(span.parent));
    this.parentLow.set(at, span.parent < 0 ? 0 : body.getUint32(span.parent + 4));
    this.startHigh.set(at, span.start < 0 ? 0 : body.getUint32(span.start + 4, true));
    this.startLow.set(at, span.start < 0 ? 0 : body.getUint32(span.start, true));
    this.previous.set(at, head);
    this.held++;
    return at;
  }

  /** The spans of a chain, newest first. */
  *chain(head: number): Generator<TableSpan> {
    for (let at = head; at !== NONE; at = this.previous.get(at)) yield this.at(at);
  }

  private at(at: number): TableSpan {
    return {
      id: wide(this.idHigh.get(at), this.idLow.get(at)),
      parent: wide(this.parentHigh.get(at), this.parentLow.get(at)),
    };
  }

  /** True: the parent of every span of the chain is in it too; spans without parent and `above` do not count. */
  *isConnected(head: number, above: bigint): Slices<boolean> {
    const ids = new Set<bigint>();
    let n = 0;
    for (const { id } of this.chain(head)) {
      ids.add(id);
      if (++n % SLICE === 0) yield;
    }
    for (const { parent } of this.chain(head)) {
      if (parent !== 0n && parent !== above && !ids.has(parent)) return false;
      if (++n % SLICE === 0) yield;
    }
    return true;
  }

  /** Ids of `count` spans of the chain behind its newest `skip`, newest first. */
  ids(head: number, skip: number, count: number): bigint[] {
    const ids: bigint[] = [];
    let at = head;
    for (let n = 0; n < skip; n++) at = this.previous.get(at);
    for (; ids.length < count; at = this.previous.get(at)) ids.push(wide(this.idHigh.get(at), this.idLow.get(at)));
    return ids;
  }

  /** How many different spans of the chain are steps. */
  *steps(head: number): Slices<number> {
    const ids = new Set<bigint>();
    let n = 0;
    for (let at = head; at !== NONE; at = this.previous.get(at)) {
      if (this.length.get(at) >= STEP) ids.add(wide(this.idHigh.get(at), this.idLow.get(at)));
      if (++n % SLICE === 0) yield;
    }
    return ids.size;
  }

  /**
   * The chain as columns, for another thread; `groups` are those that its spans name, by index. Between slices the chain may
   * only have grown.
   */
  *copyColumns(head: number, count: number): Slices<SpanColumns> {
    const columns = spanColumns(new ArrayBuffer(columnBytes(count)), 0, count);
    const id = new Uint32Array(columns.id.buffer, columns.id.byteOffset, count * 2);
    const start = new Uint32Array(columns.start.buffer, columns.start.byteOffset, count * 2);
    const numbers = new Map<number, number>();
    for (let at = head, n = 0; n < count; at = this.previous.get(at), n++) {
      if (n > 0 && n % SLICE === 0) yield;
      const group = this.group.get(at);
      let number = numbers.get(group);
      if (number === undefined) {
        numbers.set(group, (number = numbers.size));
        columns.groups.push(this.groupAt(group));
      }
      columns.group[n] = number;
      columns.offset[n] = this.offset.get(at);
      columns.length[n] = this.length.get(at) & LENGTH;
      // Every machine that Node runs on is little-endian.
      id[n * 2] = this.idLow.get(at);
      id[n * 2 + 1] = this.idHigh.get(at);
      start[n * 2] = this.startLow.get(at);
      start[n * 2 + 1] = this.startHigh.get(at);
    }
    return columns;
  }

  /**
   * Parts a chain in two: spans that `takes` says yes to, and the others; heads are -1 where there are none. The old head
   * is none any more, whatever was taken.
   */
  split(head: number, takes: (span: TableSpan) => boolean): { taken: number; rest: number; moved: number } {
    let [taken, rest, moved] = [NONE, NONE, 0];
    const next = this.previous;
    for (let at = head; at !== NONE;) {
      const after = next.get(at);
      if (takes(this.at(at))) {
        next.set(at, taken);
        taken = at;
        moved++;
      } else {
        next.set(at, rest);
        rest = at;
      }
      at = after;
    }
    return { taken, rest, moved };
  }

  /** Appends the chain `other` to `head`: one chain of both. */
  join(head: number, other: number): number {
    if (head === NONE) return other;
    let tail = head;
    while (this.previous.get(tail) !== NONE) tail = this.previous.get(tail);
    this.previous.set(tail, other);
    return head;
  }

  /** Frees the places of the chain, which nobody may use any more from the first slice on. */
  *drop(head: number): Slices<void> {
    let n = 0;
    for (let at = head; at !== NONE;) {
      if (n > 0 && n % SLICE === 0) yield;
      n++;
      const next = this.previous.get(at);
      const group = this.group.get(at);
      const uses = this.uses.get(group) - 1;
      if (uses > 0) this.uses.set(group, uses);
      else this.dropGroup(group);
      this.previous.set(at, this.freeSpan);
      this.freeSpan = at;
      this.held--;
      at = next;
    }
  }

  private dropGroup(at: number): void {
    this.urls.delete(at);
    this.uses.set(at, this.freeGroup);
    this.freeGroup = at;
  }
}

const wide = (high: number, low: number) => (BigInt(high) << 32n) | BigInt(low);
