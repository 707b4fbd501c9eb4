import { hash } from "node:crypto";
import type { JoinedTraces, PlacedSpan } from "./join-traces.ts";
import { scanTraces } from "./scan-traces.ts";
import { byStart, groupsOf, head, lengthOf, type RemoteSpans, type ResourceGroup } from "./traces-layout.ts";

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
  const resources = groupsOf(order, spans);
  const total = lengthOf(resources);
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

function put(out: { bytes: Uint8Array; at: number }, tag: number, value: Uint8Array): void {
  head(out, tag, value.length);
  out.bytes.set(value, out.at);
  out.at += value.length;
}
