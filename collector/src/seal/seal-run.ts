import {
  decodeResource,
  EnvelopeError,
  joinTraces,
  type JoinedTraces,
  placeTraces,
  type RemoteSpans,
  type ScannedSpan,
  scanTraces,
  type SpanOrigin,
  WireWriter,
} from "@reenact/envelope";
import { readEnvelope, type SealOptions, sealRemote, sealTraces, type WrittenFrames } from "@reenact/envelope/file";
import type { EnvelopeHeader, Manifest, ModelPrices, RetentionClass } from "@reenact/envelope/schema";
import type { SpanColumns, SpanGroup } from "../assemble/span-columns.ts";
import { indexRun, type RunIndex } from "../catalog/index-run.ts";
import { chooseClass, longerClass, type RetentionChoice } from "../retain/choose-class.ts";
import type { JournalBytes, RecordReference } from "../journal/journal.ts";
import type { RetentionRule } from "../retain/retention-rules.ts";
import { runCost } from "../retain/run-cost.ts";
import { countOf, type MarkList, standingMarks } from "../retain/mark-list.ts";
import type { ObjectBody } from "../store/object-store.ts";
import { withoutCopies } from "./copies.ts";
import type { SpillFile } from "./spill-file.ts";

/** Everything that sealing one run takes; it can be sent to another thread. */
export interface SealTask {
  readonly run: string;
  /** why it is not complete, beside what its spans say */
  readonly reasons: readonly string[];
  readonly columns: SpanColumns;
  /** the newest sealed revision; `envelope` null: it has expired */
  readonly previous: {
    readonly revision: number;
    readonly content: string;
    readonly envelope: Uint8Array | null;
  } | null;
  /**
   * `previous` lies in the store and is perhaps in no catalog: the run is sealed behind it although there is nothing new in it.
   * Default: a run without new spans is not sealed.
   */
  readonly evenIfSame?: boolean;
  /** the class of the revision before */
  readonly atLeast: RetentionClass;
  readonly markList: MarkList;
  /** the class that the revision before has without its marks; null: there is none */
  readonly floor: RetentionChoice | null;
  /** envelopes of other runs: what they hold is not sealed once more with this one */
  readonly elsewhere: readonly Uint8Array[];
}

export interface SealPolicy {
  readonly rules: readonly RetentionRule[];
  readonly sampleShare: number;
  readonly prices: ModelPrices | null;
}

export interface SealedFrames {
  /** one after another they are the envelope; a file is the caller's to remove */
  readonly frames: readonly ObjectBody[];
  readonly header: EnvelopeHeader;
  /** without its list of spans */
  readonly manifest: Manifest;
  readonly rule: string | null;
  /** the class that it has without its marks; null: it has neither marks nor removals */
  readonly floor: RetentionChoice | null;
  readonly index: RunIndex;
}

type ReadBytes = JournalBytes["read"];

/** The dependencies of sealing. */
export interface SealTools {
  readonly read: ReadBytes;
  readonly check: JournalBytes["check"];
  /** memory for so many bytes, until the next run */
  readonly space: (bytes: number) => Uint8Array;
  /** runs of more bytes are sealed span by span, into such a file */
  readonly spill: () => SpillFile;
  readonly largeBytes: number;
}

/**
 * Seals a run: its spans are read to their place in memory, sorted, doubles removed, and compressed; those of a large run
 * one by one. With an earlier revision the new one holds the spans of both, all in memory. Null: there is nothing in it
 * that is not sealed yet.
 */
export async function sealRun(task: SealTask, policy: SealPolicy, tools: SealTools): Promise<SealedFrames | null> {
  const { columns, previous, markList } = task;
  const { read, space, largeBytes } = tools;
  checkRecords(task, tools);
  const origins = columns.groups.map((group) => originOf(group, read));
  const isSealed = isSealedAs(task);
  let rule: string | null = null;
  let floor: RetentionChoice | null = null;
  const options: SealOptions = {
    run: task.run,
    reasons: task.reasons,
    ...(previous && { revision: previous.revision + 1, previous: previous.content }),
    ...(policy.prices && { cost: (run) => runCost(run, policy.prices!) }),
    class: (manifest, run) => {
      const chosen = chooseClass({ manifest, run, marks: standingMarks(markList) }, policy);
      rule = chosen.rule ?? null;
      if (countOf(markList) > 0) {
        const bare = chooseClass({ manifest, run, marks: [] }, policy);
        floor = task.floor && longerClass(bare.class, task.floor.class) !== bare.class ? task.floor : bare;
      }
      return { ...chosen, class: longerClass(chosen.class, task.atLeast) };
    },
  };
  const alone = !previous?.envelope && task.elsewhere.length === 0;
  if (alone && columns.length.reduce((sum, each) => sum + each, 0) > largeBytes) {
    const { frames, sealed } = await sealLarge(once(columns, origins, read), origins, options, tools);
    return isSealed(sealed.header.content) ? null : { ...described(sealed), frames, rule, floor };
  }
  const joined = (alone ? placeTraces(remoteOf(columns, origins, read), space) : null) ?? join(task, origins, read);
  if (joined === null || isSealed(joined.content)) return null;
  const sealed = sealTraces(joined, options);
  return { ...described(sealed), frames: sealed.bytes, rule, floor };
}

/** Whether spans with this digest need not be sealed once more. */
const isSealedAs =
  ({ previous, evenIfSame }: SealTask) =>
  (content: string): boolean =>
    content === previous?.content && evenIfSame !== true;

/** Acknowledged bytes may have changed on the disk since. Throws `EnvelopeError` with `DAMAGED`: run, spans, place. */
function checkRecords({ run, columns }: SealTask, { check }: SealTools): void {
  for (const [at, group] of columns.groups.entries()) {
    try {
      check(group);
    } catch (error) {
      const ids = [...columns.id].filter((_, n) => columns.group[n] === at).map(spanIdOf);
      const spans = ids.slice(0, MOST_NAMED).join(", ") + (ids.length > MOST_NAMED ? ", …" : "");
      const why = error instanceof Error ? error.message : String(error);
      throw new EnvelopeError("DAMAGED", `run ${run}, span ${spans}`, why, { cause: error });
    }
  }
}

const MOST_NAMED = 5;
const spanIdOf = (id: bigint) => id.toString(16).padStart(16, "0");

async function sealLarge(
  columns: SpanColumns,
  origins: readonly SpanOrigin[],
  options: SealOptions,
  { read, spill }: SealTools,
): Promise<{ frames: readonly ObjectBody[]; sealed: WrittenFrames }> {
  const file = spill();
  try {
    const sealed = await sealRemote(remoteOf(columns, origins, read), options, (piece) => file.write(piece));
    return { frames: [...sealed.bytes, file.end()], sealed };
  } catch (error) {
    file.remove();
    throw error;
  }
}

function described({ header, manifest, run }: WrittenFrames): Omit<SealedFrames, "frames" | "rule" | "floor"> {
  const resource = run.spans[0] ? decodeResource(run.spans[0].scanned.resource) : {};
  const index = indexRun(
    run.spans.map(({ span }) => span),
    resource,
  );
  return { header, manifest: { ...manifest, spans: [] }, index };
}

function remoteOf(
  { group, offset, length, id, start, groups }: SpanColumns,
  origins: readonly SpanOrigin[],
  read: ReadBytes,
): RemoteSpans {
  const readSpan = (n: number, into: Uint8Array) => read(groups[group[n]!]!, offset[n]!, into);
  return { origins, origin: group, length, id, start, read: readSpan };
}

/** Each span once, the copy of it that was received first. */
function once(columns: SpanColumns, origins: readonly SpanOrigin[], read: ReadBytes): SpanColumns {
  const { id, start, group, offset, length, groups } = columns;
  const order = byArrival(columns);
  const kept = withoutCopies({
    count: order.length,
    key: (n) => (id[order[n]!]! << 64n) | start[order[n]!]!,
    read: (n) => scannedAt(columns, order[n]!, origins, read),
  }).map((n) => order[n]!);
  return kept.length === order.length
    ? columns
    : {
        groups,
        id: BigUint64Array.from(kept, (n) => id[n]!),
        start: BigUint64Array.from(kept, (n) => start[n]!),
        group: Uint32Array.from(kept, (n) => group[n]!),
        offset: Uint32Array.from(kept, (n) => offset[n]!),
        length: Uint32Array.from(kept, (n) => length[n]!),
      };
}

/** The slow way: spans one by one, told apart by what they say. Null: none are left. */
function join(task: SealTask, origins: readonly SpanOrigin[], read: ReadBytes): JoinedTraces | null {
  const { columns, previous } = task;
  const sealed = (envelope: Uint8Array) => readEnvelope(envelope).spans.map(({ scanned }) => scanned);
  const elsewhere = task.elsewhere.flatMap(sealed);
  const bytes = new Set(elsewhere.map(bytesOf));
  const received = Array.from(byArrival(columns), (n) => scannedAt(columns, n, origins, read)).filter(
    (each) => bytes.size === 0 || !bytes.has(bytesOf(each)),
  );
  const before = previous?.envelope ? sealed(previous.envelope) : [];
  const spans = onceEach([...before, ...(elsewhere.length === 0 ? received : onceEach(received, elsewhere))]);
  return spans.length === 0 ? null : joinTraces(spans);
}

/** Without copies of one another and of those `before` them. */
function onceEach(spans: readonly ScannedSpan[], before: readonly ScannedSpan[] = []): ScannedSpan[] {
  const all = [...before, ...spans];
  const kept = withoutCopies({
    count: all.length,
    key: (n) => `${all[n]!.spanId} ${all[n]!.startUnixNano}`,
    read: (n) => all[n]!,
  });
  return kept.filter((n) => n >= before.length).map((n) => all[n]!);
}

const bytesOf = ({ span }: ScannedSpan) => Buffer.from(span).toString("latin1");

/** Numbers of the spans, those received first before others. */
function byArrival({ group, offset, groups }: SpanColumns): Uint32Array {
  return Uint32Array.from(group, (_, n) => n).sort(
    (a, b) => byEntry(groups[group[a]!]!, groups[group[b]!]!) || offset[a]! - offset[b]!,
  );
}

const byEntry = (a: RecordReference, b: RecordReference) => a.block - b.block || a.record - b.record;

function scannedAt(columns: SpanColumns, n: number, origins: readonly SpanOrigin[], read: ReadBytes): ScannedSpan {
  const at = columns.group[n]!;
  const span = new Uint8Array(columns.length[n]!);
  read(columns.groups[at]!, columns.offset[n]!, span);
  return scanTraces(wrapped(origins[at]!, span))[0]!;
}

function wrapped(origin: SpanOrigin, span: Uint8Array): Uint8Array {
  const scope = new WireWriter().bytes(1, origin.scope).bytes(2, span).string(3, origin.scopeSchemaUrl);
  const resource = new WireWriter().bytes(1, origin.resource).message(2, scope).string(3, origin.resourceSchemaUrl);
  return new WireWriter().message(1, resource).finish();
}

function originOf(group: SpanGroup, read: ReadBytes): SpanOrigin {
  const bytes = (offset: number, length: number) => {
    const into = new Uint8Array(length);
    if (length > 0) read(group, offset, into);
    return into;
  };
  return {
    resource: bytes(group.resource, group.resourceLength),
    resourceSchemaUrl: group.resourceUrl,
    scope: bytes(group.scope, group.scopeLength),
    scopeSchemaUrl: group.scopeUrl,
  };
}
