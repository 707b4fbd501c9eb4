/** The memory that the receiver's thread and the journal's worker share. */
export interface SharedRing {
  /** laid out as the segment will be; `record.ts` */
  bytes: SharedArrayBuffer;
  control: SharedArrayBuffer;
}

/** The `workerData` of the commit thread. */
export interface CommitWorkerData {
  ring: SharedRing;
  folder: string;
  segmentBytes: number;
  lingerMs: number;
  minFreeBytes: number;
  /** a module whose `files` stands in for the disk; null: the disk */
  files: string | null;
}

/** A message of the commit thread: one when it is ready or cannot start, then one per commit. */
export type CommitMessage =
  | {
      kind: "ready";
      segments: { segment: number; end: number }[];
      cut: number;
      setAside: string | null;
      segment: number;
    }
  | { kind: "refused"; code: string | null; message: string }
  /** everything published before `upTo` lies at `offset … end` of `segment` */
  | { kind: "durable"; upTo: number; segment: number; offset: number; end: number; free: number }
  /** nothing between the last message and `upTo` was kept */
  | { kind: "lost"; upTo: number; code: string | null; message: string };

/** Bytes published, a counter that moves with it, and whether to end. */
export class RingControl {
  private readonly head: BigInt64Array;
  private readonly signal: Int32Array;

  constructor(control: SharedArrayBuffer) {
    this.head = new BigInt64Array(control, 0, 1);
    this.signal = new Int32Array(control, 8, 2);
  }

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(16);
  }

  /** Everything before `head` (bytes since the ring was made) is there to be written; a worker that waits is not told. */
  publish(head: number): void {
    Atomics.store(this.head, 0, BigInt(head));
  }

  /** Wakes the worker. */
  ring(): void {
    Atomics.add(this.signal, 0, 1);
    Atomics.notify(this.signal, 0);
  }

  end(): void {
    Atomics.store(this.signal, 1, 1);
    this.ring();
  }

  published(): number {
    return Number(Atomics.load(this.head, 0));
  }

  /** Blocks until more than `done` is published: true. False: the end, and nothing is left. */
  waitPast(done: number): boolean {
    for (;;) {
      const seen = Atomics.load(this.signal, 0);
      if (this.published() > done) return true;
      if (Atomics.load(this.signal, 1) === 1) return false;
      Atomics.wait(this.signal, 0, seen);
    }
  }
}
