import type { ScannedSpan } from "../otlp/scan-traces.ts";
import { WireWriter } from "../otlp/wire-writer.ts";

/** One request of these spans, each under its own resource and scope as they came. */
export function requestOf(spans: readonly ScannedSpan[]): Uint8Array {
  const out = new WireWriter();
  for (let at = 0; at < spans.length;) {
    const head = spans[at]!;
    const resource = new WireWriter().bytes(1, head.resource);
    while (at < spans.length && sameResource(spans[at]!, head)) {
      const first = spans[at]!;
      const scope = new WireWriter().bytes(1, first.scope);
      while (at < spans.length && sameResource(spans[at]!, head) && sameScope(spans[at]!, first))
        scope.bytes(2, spans[at++]!.span);
      if (first.scopeSchemaUrl !== "") scope.string(3, first.scopeSchemaUrl);
      resource.message(2, scope);
    }
    if (head.resourceSchemaUrl !== "") resource.string(3, head.resourceSchemaUrl);
    out.message(1, resource);
  }
  return out.finish();
}

/** Spans of one message share views: equal place is equal bytes. */
const sameResource = (a: ScannedSpan, b: ScannedSpan) =>
  a.resource === b.resource && a.resourceSchemaUrl === b.resourceSchemaUrl;
const sameScope = (a: ScannedSpan, b: ScannedSpan) => a.scope === b.scope && a.scopeSchemaUrl === b.scopeSchemaUrl;

/** Two halves by bytes, none of them empty; null: a single span cannot be split. */
export function halves(spans: readonly ScannedSpan[]): [ScannedSpan[], ScannedSpan[]] | null {
  if (spans.length < 2) return null;
  const whole = spans.reduce((sum, { span }) => sum + span.length, 0);
  let at = 0;
  for (let size = 0; at < spans.length - 1 && size < whole / 2; at++) size += spans[at]!.span.length;
  const cut = Math.max(at, 1);
  return [spans.slice(0, cut), spans.slice(cut)];
}
