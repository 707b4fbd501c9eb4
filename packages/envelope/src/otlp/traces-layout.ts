import type { SpanOrigin } from "./encode-traces.ts";
import { originDigest } from "./join-traces.ts";

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

export interface ScopeGroup {
  readonly origin: SpanOrigin;
  readonly triple: Buffer;
  readonly members: number[];
  size: number;
}
export interface ResourceGroup {
  readonly origin: SpanOrigin;
  readonly scopes: ScopeGroup[];
  size: number;
}

export function byStart({ start, id, length }: RemoteSpans): Uint32Array {
  const order = Uint32Array.from({ length: length.length }, (_, n) => n);
  return order.sort((a, b) => {
    if (start[a] !== start[b]) return start[a]! < start[b]! ? -1 : 1;
    return id[a] === id[b] ? 0 : id[a]! < id[b]! ? -1 : 1;
  });
}

/** Groups by their first span; equal resources and scopes of different bodies are one. Sizes are of the messages. */
export function groupsOf(
  order: Uint32Array,
  spans: RemoteSpans,
  digests: readonly { resource: Buffer; scope: Buffer }[] = spans.origins.map(originDigest),
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

/** Bytes of a length-delimited field with so many bytes in it. */
export const field = (length: number) => 1 + sizeOf(length) + length;
const urlSize = (url: string) => (url === "" ? 0 : field(Buffer.byteLength(url)));

function sizeOf(value: number): number {
  let size = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) size++;
  return size;
}

export function head(out: { bytes: Uint8Array; at: number }, tag: number, length: number): void {
  out.bytes[out.at++] = tag;
  let rest = length;
  for (; rest > 127; rest = Math.floor(rest / 128)) out.bytes[out.at++] = (rest & 127) | 128;
  out.bytes[out.at++] = rest;
}

/** Bytes of the whole message. */
export const lengthOf = (resources: readonly ResourceGroup[]): number =>
  resources.reduce((sum, each) => sum + field(each.size), 0);
