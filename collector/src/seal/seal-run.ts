import {
  decodeResource,
  joinTraces,
  type JoinedTraces,
  placeTraces,
  type ScannedSpan,
  scanTraces,
  type SpanOrigin,
  WireWriter,
} from "@reenact/envelope";
import { readEnvelope, sealTraces } from "@reenact/envelope/file";
import type { EnvelopeHeader, Manifest, RetentionClass } from "@reenact/envelope/schema";
import type { SpanColumns, SpanGroup } from "../assemble/span-table.ts";
import { indexRun, type RunIndex } from "../catalog/index-run.ts";
import { chooseClass, longerClass } from "../retain/choose-class.ts";
import type { Mark } from "../retain/mark.ts";
import type { RetentionRule } from "../retain/retention-rules.ts";
import { type ModelPrices, runCost } from "../retain/run-cost.ts";

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
  /** the class of what is sealed of it */
  readonly atLeast: RetentionClass;
  readonly marks: readonly Mark[];
  /** envelopes of other runs: what they hold is not sealed once more with this one */
  readonly elsewhere: readonly Uint8Array[];
}

export interface SealPolicy {
  readonly rules: readonly RetentionRule[];
  readonly sampleShare: number;
  readonly prices: ModelPrices | null;
}

export interface SealedFrames {
  /** one after another they are the envelope */
  readonly frames: readonly Uint8Array[];
  readonly header: EnvelopeHeader;
  /** without its list of spans */
  readonly manifest: Manifest;
  readonly rule: string | null;
  readonly index: RunIndex;
}

/** Fills `into` with the bytes of a segment from `offset` on. */
export type ReadSegment = (segment: number, offset: number, into: Uint8Array) => void;

/**
 * Seals a run: its spans are read to their place in `space`, sorted, doubles removed, and compressed. With an earlier
 * revision the new one holds the spans of both. Null: there is nothing in it that is not sealed yet.
 */
export function sealRun(
  task: SealTask,
  policy: SealPolicy,
  read: ReadSegment,
  space: (bytes: number) => Uint8Array,
): SealedFrames | null {
  const { columns, previous, marks } = task;
  const origins = columns.groups.map((group) => originOf(group, read));
  const alone = !previous?.envelope && task.elsewhere.length === 0;
  const joined = (alone ? place(columns, origins, read, space) : null) ?? join(task, origins, read);
  if (joined === null) return null;
  if (previous !== null && joined.content === previous.content) return null;
  let rule: string | null = null;
  const sealed = sealTraces(joined, {
    run: task.run,
    reasons: task.reasons,
    ...(previous && { revision: previous.revision + 1, previous: previous.content }),
    ...(policy.prices && { cost: (run) => runCost(run, policy.prices!) }),
    class: (manifest, run) => {
      const chosen = chooseClass({ manifest, run, marks }, policy);
      rule = chosen.rule ?? null;
      return { ...chosen, class: longerClass(chosen.class, task.atLeast) };
    },
  });
  const { bytes: frames, header, manifest, run } = sealed;
  const resource = run.spans[0] ? decodeResource(run.spans[0].scanned.resource) : {};
  const index = indexRun(
    run.spans.map(({ span }) => span),
    resource,
  );
  return { frames, header, manifest: { ...manifest, spans: [] }, rule, index };
}

function place(
  { group, offset, length, id, start, groups }: SpanColumns,
  origins: readonly SpanOrigin[],
  read: ReadSegment,
  space: (bytes: number) => Uint8Array,
): JoinedTraces | null {
  const readSpan = (n: number, into: Uint8Array) => read(groups[group[n]!]!.segment, offset[n]!, into);
  return placeTraces({ origins, origin: group, length, id, start, read: readSpan }, space);
}

/** The slow way: spans one by one, told apart by their bytes. Null: none are left. */
function join(task: SealTask, origins: readonly SpanOrigin[], read: ReadSegment): JoinedTraces | null {
  const { columns, previous } = task;
  const bytesOf = ({ span }: ScannedSpan) => Buffer.from(span).toString("latin1");
  const elsewhere = new Set(task.elsewhere.flatMap((each) => readEnvelope(each).spans.map((s) => bytesOf(s.scanned))));
  const spans: ScannedSpan[] = previous?.envelope
    ? readEnvelope(previous.envelope).spans.map(({ scanned }) => scanned)
    : [];
  for (const [n, at] of columns.group.entries()) {
    const span = new Uint8Array(columns.length[n]!);
    read(columns.groups[at]!.segment, columns.offset[n]!, span);
    const scanned = scanTraces(wrapped(origins[at]!, span));
    spans.push(...(elsewhere.size === 0 ? scanned : scanned.filter((each) => !elsewhere.has(bytesOf(each)))));
  }
  return spans.length === 0 ? null : joinTraces(spans);
}

function wrapped(origin: SpanOrigin, span: Uint8Array): Uint8Array {
  const scope = new WireWriter().bytes(1, origin.scope).bytes(2, span).string(3, origin.scopeSchemaUrl);
  const resource = new WireWriter().bytes(1, origin.resource).message(2, scope).string(3, origin.resourceSchemaUrl);
  return new WireWriter().message(1, resource).finish();
}

function originOf(group: SpanGroup, read: ReadSegment): SpanOrigin {
  const bytes = (offset: number, length: number) => {
    const into = new Uint8Array(length);
    if (length > 0) read(group.segment, offset, into);
    return into;
  };
  return {
    resource: bytes(group.resource, group.resourceLength),
    resourceSchemaUrl: group.resourceUrl,
    scope: bytes(group.scope, group.scopeLength),
    scopeSchemaUrl: group.scopeUrl,
  };
}
