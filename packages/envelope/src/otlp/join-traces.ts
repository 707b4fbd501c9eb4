import { hash } from "node:crypto";
import type { SpanOrigin } from "./encode-traces.ts";
import type { ScannedSpan } from "./scan-traces.ts";
import { WireWriter } from "./wire-writer.ts";

/** A span with its three digests, 32 bytes each (SPEC.md §8, identity). */
interface DigestedSpan {
  readonly scanned: ScannedSpan;
  readonly resource: Buffer;
  readonly scope: Buffer;
  readonly span: Buffer;
}

export interface PlacedSpan {
  readonly scanned: ScannedSpan;
  /** where the Span message lies in `bytes` */
  readonly offset: number;
  readonly length: number;
  /** SHA-256 of the Span message, hex */
  readonly digest: string;
}

export interface JoinedTraces {
  /** one TracesData message */
  readonly bytes: Uint8Array;
  /** in the order in which they lie in `bytes` */
  readonly spans: readonly PlacedSpan[];
  /** SHA-256 over the sorted triples of digests, hex: the identity of this set of spans */
  readonly content: string;
}

const sha256 = (...parts: Uint8Array[]) =>
  hash("sha256", parts.length === 1 ? parts[0]! : Buffer.concat(parts), "buffer");

/** One TracesData of spans from anywhere: grouped by resource and scope, sorted, doubles removed, span bytes untouched. */
export function joinTraces(spans: readonly ScannedSpan[]): JoinedTraces {
  const unique = digestSpans(spans);
  const groups = Map.groupBy([...unique.values()].toSorted(byStart), (each) => each.resource.toString("hex"));
  const data = new WireWriter();
  const placed: PlacedSpan[] = [];
  for (const group of groups.values()) {
    const scopes = Map.groupBy(group, (each) => each.scope.toString("hex"));
    const resource = new WireWriter();
    const head = group[0]!.scanned;
    resource.bytes(1, head.resource);
    const pending: { each: DigestedSpan; offset: number }[] = [];
    for (const members of scopes.values()) {
      const scope = new WireWriter().bytes(1, members[0]!.scanned.scope);
      const offsets = members.map((each) => {
        scope.bytes(2, each.scanned.span);
        return { each, offset: scope.length - each.scanned.span.length };
      });
      if (members[0]!.scanned.scopeSchemaUrl !== "") scope.string(3, members[0]!.scanned.scopeSchemaUrl);
      resource.bytes(2, scope.finish());
      const base = resource.length - scope.length;
      for (const { each, offset } of offsets) pending.push({ each, offset: base + offset });
    }
    if (head.resourceSchemaUrl !== "") resource.string(3, head.resourceSchemaUrl);
    data.bytes(1, resource.finish());
    const base = data.length - resource.length;
    for (const { each, offset } of pending) {
      const { scanned } = each;
      placed.push({ scanned, offset: base + offset, length: scanned.span.length, digest: each.span.toString("hex") });
    }
  }
  return { bytes: data.finish(), spans: placed, content: contentOf(unique) };
}

/** The identity of a set of spans, whatever message they came in. */
export function contentDigest(spans: readonly ScannedSpan[]): string {
  return contentOf(digestSpans(spans));
}

function digestSpans(spans: readonly ScannedSpan[]): Map<string, DigestedSpan> {
  const unique = new Map<string, DigestedSpan>();
  const wrapper = memoByBytes();
  for (const scanned of spans) {
    const resource = wrapper(scanned.resourceSchemaUrl, scanned.resource);
    const scope = wrapper(scanned.scopeSchemaUrl, scanned.scope);
    const span = sha256(scanned.span);
    const key = Buffer.concat([resource, scope, span]).toString("hex");
    if (!unique.has(key)) unique.set(key, { scanned, resource, scope, span });
  }
  return unique;
}

/** The digests of what a span stands under, 32 bytes each. */
export function originDigest(origin: SpanOrigin): { resource: Buffer; scope: Buffer } {
  return {
    resource: wrapperDigest(origin.resourceSchemaUrl, origin.resource),
    scope: wrapperDigest(origin.scopeSchemaUrl, origin.scope),
  };
}

function wrapperDigest(schemaUrl: string, bytes: Uint8Array): Buffer {
  const url = Buffer.from(schemaUrl);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(url.length);
  return sha256(length, url, bytes);
}

/** Resources and scopes are few and repeat as views of the same place. */
function memoByBytes(): (schemaUrl: string, bytes: Uint8Array) => Buffer {
  let last: { schemaUrl: string; bytes: Uint8Array; digest: Buffer }[] = [];
  return (schemaUrl, bytes) => {
    const known = last.find((each) => each.schemaUrl === schemaUrl && each.bytes === bytes);
    if (known) return known.digest;
    const digest = wrapperDigest(schemaUrl, bytes);
    last = [{ schemaUrl, bytes, digest }, ...last.slice(0, 7)];
    return digest;
  };
}

const contentOf = (unique: ReadonlyMap<string, unknown>) =>
  hash("sha256", Buffer.from([...unique.keys()].toSorted().join(""), "hex"));

function byStart(a: DigestedSpan, b: DigestedSpan): number {
  const [x, y] = [a.scanned, b.scanned];
  if (x.startUnixNano !== y.startUnixNano) return x.startUnixNano < y.startUnixNano ? -1 : 1;
  if (x.spanId !== y.spanId) return x.spanId < y.spanId ? -1 : 1;
  return Buffer.compare(a.span, b.span) || Buffer.compare(a.resource, b.resource) || Buffer.compare(a.scope, b.scope);
}
