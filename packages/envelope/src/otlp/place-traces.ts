import { hash } from "node:crypto";
import type { SpanOrigin } from "./encode-traces.ts";
import { type JoinedTraces, originDigest, type PlacedSpan } from "./join-traces.ts";
import { scanTraces } from "./scan-traces.ts";

/** Spans whose bytes lie elsewhere; index n of each column is span n. */
export interface RemoteSpans {
  readonly origins: readonly SpanOrigin[];
  /** which of `origins` the span stood under */
  readonly origin: Uint32Array;
  readonly length: Uint32Array;
  /** nanoseconds since the epoch */
  readonly start: BigUint64Array;
  /** the 8 bytes of the id, big-endian */
  readonly id: BigUint64Array;
  /** Fetches exactly the bytes of span n. */
  read(n: number, into: Uint8Array): void;
}

/**
 * As `joinTraces`, with each span read straight to its final place and hashed once. Null: two spans have equal id and
 * start, so only their bytes can tell doubles apart; take `joinTraces`. `space` gives the memory for so many bytes; the
 * result is a view of it.
 */
export function placeTraces(spans: RemoteSpans, space: (bytes: number) => Uint8Array): JoinedTraces | null {
  const order = byStart(spans);
  for (let at = 1; at < order.length; at++) {
    const [a, b] = [order[at - 1]!, order[at]!];
    if (spans.start[a] === spans.start[b] && spans.id[a] === spans.id[b]) return null;
  }
  const digests = spans.origins.map(originDigest);
  const resources = groupsOf(order, spans, digests);
  const total = resources.reduce((sum, each) => sum + 1 + sizeOf(each.size) + each.size, 0);
  const bytes = space(total).subarray(0, total);
  const out = { bytes, at: 0 };
  for (const resource of resources) {
    head(out, 10, resource.size);
    put(out, 10, resource.origin.resource);
    for (const scope of resource.scopes) {
      head(out, 18, scope.size);
      put(out, 10, scope.origin.scope);
      for (const n of scope.members) {
        head(out, 18, spans.length[n]!);
        const end = out.at + spans.length[n]!;
        spans.read(n, bytes.subarray(out.at, end));
        out.at = end;
      }
      if (scope.origin.scopeSchemaUrl !== "") put(out, 26, Buffer.from(scope.origin.scopeSchemaUrl));
    }
    if (resource.origin.resourceSchemaUrl !== "") put(out, 26, Buffer.from(resource.origin.resourceSchemaUrl));
  }
  return digested(bytes, resources);
}

interface ScopeGroup {
  readonly origin: SpanOrigin;
  readonly triple: Buffer;
  readonly members: number[];
  size: number;
}
interface ResourceGroup {
  readonly origin: SpanOrigin;
  readonly scopes: ScopeGroup[];
  size: number;
}

function byStart({ start, id, length }: RemoteSpans): Uint32Array {
  const order = Uint32Array.from({ length: length.length }, (_, n) => n);
  return order.sort((a, b) => {
    if (start[a] !== start[b]) return start[a]! < start[b]! ? -1 : 1;
    return id[a] === id[b] ? 0 : id[a]! < id[b]! ? -1 : 1;
  });
}

/** Groups by their first span; equal resources and scopes of different bodies are one. Sizes are of the messages. */
function groupsOf(
  order: Uint32Array,
  spans: RemoteSpans,
  digests: readonly { resource: Buffer; scope: Buffer }[],
): ResourceGroup[] {
  const resources = new Map<string, ResourceGroup>();
  const scopes = new Map<string, ScopeGroup>();
  const groupOfOrigin: (ScopeGroup | undefined)[] = [];
  for (const n of order) {
    const at = spans.origin[n]!;
    let scope = groupOfOrigin[at];
    if (!scope) {
      const origin = spans.origins[at]!;
      const { resource: r, scope: s } = digests[at]!;
      const triple = Buffer.concat([r, s]);
      const resourceKey = r.toString("hex");
      const key = triple.toString("hex");
      let resource = resources.get(resourceKey);
      if (!resource) resources.set(resourceKey, (resource = { origin, scopes: [], size: 0 }));
      scope = scopes.get(key);
      if (!scope) {
        scope = { origin, triple, members: [], size: field(origin.scope.length) + urlSize(origin.scopeSchemaUrl) };
        scopes.set(key, scope);
        resource.scopes.push(scope);
      }
      groupOfOrigin[at] = scope;
    }
    scope.members.push(n);
    scope.size += field(spans.length[n]!);
  }
  for (const resource of resources.values()) {
    const { origin } = resource;
    resource.size = field(origin.resource.length) + urlSize(origin.resourceSchemaUrl);
    for (const scope of resource.scopes) resource.size += field(scope.size);
  }
  return [...resources.values()];
}

function digested(bytes: Uint8Array, resources: readonly ResourceGroup[]): JoinedTraces {
  const scanned = scanTraces(bytes);
  const triples: string[] = [];
  const placed: PlacedSpan[] = [];
  let at = 0;
  for (const { scopes } of resources) {
    for (const { triple, members } of scopes) {
      const above = triple.toString("hex");
      for (let end = at + members.length; at < end; at++) {
        const each = scanned[at]!;
        const digest = hash("sha256", each.span);
        triples.push(above + digest);
        placed.push({
          scanned: each,
          offset: each.span.byteOffset - bytes.byteOffset,
          length: each.span.length,
          digest,
        });
      }
    }
  }
  const content = hash("sha256", Buffer.from(triples.toSorted().join(""), "hex"));
  return { bytes, spans: placed, content };
}

/** Bytes of a length-delimited field with so many bytes in it. */
const field = (length: number) => 1 + sizeOf(length) + length;
const urlSize = (url: string) => (url === "" ? 0 : field(Buffer.byteLength(url)));

function sizeOf(value: number): number {
  let size = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) size++;
  return size;
}

function head(out: { bytes: Uint8Array; at: number }, tag: number, length: number): void {
  out.bytes[out.at++] = tag;
  let rest = length;
  for (; rest > 127; rest = Math.floor(rest / 128)) out.bytes[out.at++] = (rest & 127) | 128;
  out.bytes[out.at++] = rest;
}

function put(out: { bytes: Uint8Array; at: number }, tag: number, value: Uint8Array): void {
  head(out, tag, value.length);
  out.bytes.set(value, out.at);
  out.at += value.length;
}
