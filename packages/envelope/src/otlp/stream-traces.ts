import { hash } from "node:crypto";
import type { SpanOrigin } from "./encode-traces.ts";
import { type JoinedTraces, originDigest, type PlacedSpan } from "./join-traces.ts";
import { type ScannedSpan, scanSpan } from "./scan-traces.ts";
import { byStart, field, groupsOf, head, lengthOf, type RemoteSpans } from "./traces-layout.ts";

/** Where a message goes that is never in memory as a whole. */
export interface TracesOut {
  /** called first, with the bytes of the whole message */
  begin(raw: number): void;
  /** The piece may be written over once this has resolved. */
  write(piece: Uint8Array): Promise<void>;
}

/** What small pieces are gathered to. */
const PIECE = 1024 * 1024;
const NOTHING = new Uint8Array();

/**
 * As `joinTraces`, span by span: memory is that of the largest one. `take` is given each span in the order in which it
 * lies, for as long as the call lasts; in what is returned spans have no bytes. Throws `BAD_OTLP` for one without ids.
 */
export async function streamTraces(
  spans: RemoteSpans,
  out: TracesOut,
  take: (scanned: ScannedSpan) => void,
): Promise<Omit<JoinedTraces, "bytes"> & { readonly raw: number }> {
  const digests = spans.origins.map(originDigest);
  const space = new Uint8Array(spans.length.reduce((most, each) => Math.max(most, each), 0));
  const bytesOf = (n: number): Uint8Array => {
    const span = space.subarray(0, spans.length[n]);
    spans.read(n, span);
    return span;
  };
  const order = withoutDoubles(byStart(spans), spans, (n) => {
    const { resource, scope } = digests[spans.origin[n]!]!;
    return [hash("sha256", bytesOf(n)), resource.toString("hex"), scope.toString("hex")].join(" ");
  });
  const resources = groupsOf(order, spans, digests);
  const raw = lengthOf(resources);
  out.begin(raw);

  const piece = { bytes: new Uint8Array(PIECE), at: 0 };
  let at = 0;
  const flush = async () => {
    if (piece.at > 0) await out.write(piece.bytes.subarray(0, piece.at));
    piece.at = 0;
  };
  const put = async (tag: number, length: number, value: Uint8Array | null) => {
    const whole = value === null ? field(length) - length : field(length);
    at += whole;
    if (piece.at + whole > PIECE) await flush();
    head(piece, tag, length);
    if (value === null) return;
    if (whole <= PIECE) {
      piece.bytes.set(value, piece.at);
      piece.at += value.length;
    } else {
      await flush();
      await out.write(value);
    }
  };

  const placed: PlacedSpan[] = [];
  const triples: string[] = [];
  for (const { origin: above, size, scopes } of resources) {
    await put(10, size, null);
    await put(10, above.resource.length, above.resource);
    for (const scope of scopes) {
      await put(18, scope.size, null);
      await put(10, scope.origin.scope.length, scope.origin.scope);
      const triple = scope.triple.toString("hex");
      for (const n of scope.members) {
        const bytes = bytesOf(n);
        const digest = hash("sha256", bytes);
        triples.push(triple + digest);
        const scanned = { ...scanSpan(bytes), ...originOf(above, scope.origin) };
        take(scanned);
        await put(18, bytes.length, bytes);
        placed.push({
          scanned: { ...scanned, span: NOTHING },
          offset: at - bytes.length,
          length: bytes.length,
          digest,
        });
      }
      const url = Buffer.from(scope.origin.scopeSchemaUrl);
      if (url.length > 0) await put(26, url.length, url);
    }
    const url = Buffer.from(above.resourceSchemaUrl);
    if (url.length > 0) await put(26, url.length, url);
  }
  await flush();
  return { spans: placed, raw, content: hash("sha256", Buffer.from(triples.toSorted().join(""), "hex")) };
}

const originOf = (above: SpanOrigin, { scope, scopeSchemaUrl }: SpanOrigin): SpanOrigin => ({
  resource: above.resource,
  resourceSchemaUrl: above.resourceSchemaUrl,
  scope,
  scopeSchemaUrl,
});

/** Spans of equal start and id are told apart by their bytes, and ordered by them; `keyOf` reads one. */
function withoutDoubles(order: Uint32Array, { start, id }: RemoteSpans, keyOf: (n: number) => string): Uint32Array {
  const kept: number[] = [];
  for (let at = 0; at < order.length;) {
    const first = order[at]!;
    let end = at + 1;
    while (end < order.length && start[order[end]!] === start[first] && id[order[end]!] === id[first]) end++;
    if (end === at + 1) kept.push(first);
    else {
      const unique = new Map([...order.subarray(at, end)].map((n) => [keyOf(n), n]));
      kept.push(...[...unique].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, n]) => n));
    }
    at = end;
  }
  return Uint32Array.from(kept);
}
