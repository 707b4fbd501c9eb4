import { SEGMENT_HEAD } from "./record.ts";
import type { SegmentPlace } from "./segment-place.ts";

/** Which segments there are, and how much of each is durable. */
export class SegmentTable {
  private readonly ends = new Map<number, number>();
  /** the last one */
  active: number;

  constructor(found: readonly { segment: number; end: number }[], active: number, activeEnd: number) {
    for (const { segment, end } of found) this.ends.set(segment, end);
    this.ends.set(active, activeEnd);
    this.active = active;
  }

  get storedBytes(): number {
    return [...this.ends.values()].reduce((sum, end) => sum + end, 0);
  }

  has(segment: number): boolean {
    return this.ends.has(segment);
  }

  end(segment: number): number {
    return this.ends.get(segment) ?? 0;
  }

  durable(): SegmentPlace {
    return { segment: this.active, offset: this.end(this.active) };
  }

  /** A commit that ended there. */
  grow(segment: number, end: number): void {
    this.active = segment;
    this.ends.set(segment, end);
  }

  /** The segment that has the first byte at or behind the place; the active one if there is none. */
  at({ segment, offset }: SegmentPlace): number {
    for (const [each, end] of this.ends) {
      if (each > segment || (each === segment && (offset < end || each === this.active))) return each;
    }
    return this.active;
  }

  /** Bytes of records at or behind the place. */
  bytesAfter({ segment, offset }: SegmentPlace): number {
    let bytes = 0;
    for (const [each, end] of this.ends) {
      if (each > segment) bytes += Math.max(0, end - SEGMENT_HEAD);
      else if (each === segment) bytes += Math.max(0, end - Math.max(offset, SEGMENT_HEAD));
    }
    return bytes;
  }

  /** Takes out what lies wholly before the place, never the active one. */
  release(upTo: SegmentPlace): number[] {
    const gone: number[] = [];
    for (const [segment, end] of this.ends) {
      if (segment === this.active) break;
      if (segment < upTo.segment || (segment === upTo.segment && upTo.offset >= end)) gone.push(segment);
    }
    for (const segment of gone) this.ends.delete(segment);
    return gone;
  }
}
