import type { Worker } from "node:worker_threads";
import type { NewEntry, Position } from "../../journal.ts";
import { JournalError } from "../../journal-error.ts";
import { BODY_CRC, LONG, MAX_BODY, padded, RECORD_HEAD, recordSize, RING_FILLER, writeRecordHead } from "./record.ts";
import { RingControl, type SharedRing } from "./ring.ts";
import { positionAt, type SegmentPlace } from "./segment-place.ts";
import { sharedCopier } from "./shared-copy.ts";

interface Waiting {
  entry: NewEntry;
  tenant: Buffer;
  bodyLength: number;
  resolve(position: Position): void;
  reject(error: unknown): void;
}

interface Published {
  waiting: Waiting;
  /** ring position behind the record */
  upTo: number;
  /** bytes that it takes on disk */
  size: number;
}

/** So many bytes are worth a commit of their own. */
const MUCH = 256 * 1024;

/** The receiver's side of the ring: lays entries down, publishes them, and settles them when the worker has answered. */
export class RingWriter {
  private readonly bytes: Buffer;
  private readonly view: DataView;
  private readonly put: (bytes: Uint8Array, to: number) => void;
  private readonly control: RingControl;
  private readonly worker: Worker;
  /** ring positions: bytes laid down, bytes answered for */
  private at = 0;
  private done = 0;
  private readonly published: Published[] = [];
  /** for want of room in the ring, in order */
  private readonly parked: Waiting[] = [];
  /** published, and the worker not told */
  private unannounced = 0;
  private saying: NodeJS.Immediate | null = null;

  constructor(ring: SharedRing, worker: Worker) {
    this.bytes = Buffer.from(ring.bytes);
    this.put = sharedCopier(this.bytes);
    this.view = new DataView(ring.bytes);
    this.control = new RingControl(ring.control);
    this.worker = worker;
  }

  /** Nothing waits for the disk. */
  get idle(): boolean {
    return this.published.length === 0 && this.parked.length === 0;
  }

  append(entry: NewEntry): Promise<Position> {
    return new Promise((resolve, reject) => {
      const tenant = Buffer.from(entry.tenant);
      const bodyLength = lengthOf(entry.body);
      if (tenant.length > 255) throw new RangeError(`tenant of ${tenant.length} bytes`);
      if (bodyLength > MAX_BODY) throw new JournalError("TOO_LARGE", `a body of ${bodyLength} bytes`);
      const waiting = { entry, tenant, bodyLength, resolve, reject };
      if (this.parked.length > 0 || !this.lay(waiting)) this.parked.push(waiting);
    });
  }

  /** Everything before `upTo` was written, the first record at `start`; or, with an error, lost. How many that were. */
  settle(upTo: number, start: SegmentPlace | JournalError): number {
    this.done = upTo;
    let settled = 0;
    let offset = start instanceof JournalError ? 0 : start.offset;
    for (const { waiting, upTo: end, size } of this.published) {
      if (end > upTo) break;
      settled++;
      if (start instanceof JournalError) waiting.reject(start);
      else waiting.resolve(positionAt(start.segment, offset));
      offset += size;
    }
    this.published.splice(0, settled);
    let laid = 0;
    while (laid < this.parked.length && this.lay(this.parked[laid]!)) laid++;
    this.parked.splice(0, laid);
    return settled;
  }

  /** Rejects all that waits. */
  fail(error: JournalError): void {
    for (const { waiting } of this.published.splice(0)) waiting.reject(error);
    for (const waiting of this.parked.splice(0)) waiting.reject(error);
  }

  /** False: no room yet. An entry that its own check refuses is settled, and takes no room. */
  private lay(waiting: Waiting): boolean {
    const { entry, tenant, bodyLength } = waiting;
    const long = bodyLength > this.bytes.length / 4;
    const facts = {
      kind: entry.kind,
      tenantLength: tenant.length,
      bodyLength,
      receivedAt: entry.receivedAt,
      flags: (long ? LONG : 0) | (entry.bodyCrc === undefined ? 0 : BODY_CRC),
    };
    const onDisk = padded(recordSize(facts));
    const inRing = long ? padded(RECORD_HEAD + tenant.length) : onDisk;
    const rest = this.bytes.length - (this.at % this.bytes.length);
    const skipped = inRing > rest ? rest : 0;
    if (this.at + skipped + inRing - this.done > this.bytes.length) return false;
    const begin = (this.at + skipped) % this.bytes.length;
    try {
      if (long) this.sendLong(waiting);
      else this.copy(waiting, begin, begin + onDisk);
    } catch (error) {
      waiting.reject(error);
      return true;
    }
    if (skipped > 0) this.view.setUint32(this.at % this.bytes.length, RING_FILLER, true);
    writeRecordHead(this.view, begin, facts, entry.bodyCrc);
    tenant.copy(this.bytes, begin + RECORD_HEAD);
    this.at += skipped + inRing;
    this.published.push({ waiting, upTo: this.at, size: onDisk });
    this.publish(onDisk);
    return true;
  }

  /** Entries of one turn of the event loop are published together, and so become one commit, unless they are large. */
  private publish(bytes: number): void {
    this.control.publish(this.at);
    this.unannounced += bytes;
    if (this.unannounced >= MUCH) this.tell();
    else this.saying ??= setImmediate(() => this.tell());
  }

  private tell(): void {
    if (this.saying) clearImmediate(this.saying);
    this.saying = null;
    this.unannounced = 0;
    this.control.ring();
  }

  private copy({ entry, tenant }: Waiting, begin: number, end: number): void {
    const from = begin + RECORD_HEAD + tenant.length;
    let to = from;
    for (const piece of entry.body instanceof Uint8Array ? [entry.body] : entry.body) {
      this.put(piece, to);
      to += piece.length;
    }
    entry.check?.(this.bytes.subarray(from, to));
    this.bytes.fill(0, to, end);
  }

  /** Moved, not copied, where the bytes have a buffer to themselves. */
  private sendLong({ entry }: Waiting): void {
    const body = entry.body instanceof Uint8Array ? entry.body : joined(entry.body);
    entry.check?.(body);
    const { buffer } = body;
    const own = buffer instanceof ArrayBuffer && buffer.byteLength === body.byteLength;
    this.worker.postMessage(body, own ? [buffer] : []);
  }
}

function lengthOf(body: Uint8Array | readonly Uint8Array[]): number {
  if (body instanceof Uint8Array) return body.length;
  return body.reduce((sum, piece) => sum + piece.length, 0);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const all = Buffer.allocUnsafeSlow(lengthOf(pieces));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
