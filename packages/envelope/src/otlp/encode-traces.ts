import { type OtlpSpan, writeSpan } from "./span.ts";
import { WireWriter } from "./wire-writer.ts";

/** The bytes of the Resource and InstrumentationScope messages of a span, and their schema URLs; empty: none. */
export interface SpanOrigin {
  resource: Uint8Array;
  resourceSchemaUrl: string;
  scope: Uint8Array;
  scopeSchemaUrl: string;
}

/** One span → one TracesData message; its large texts are copied once. */
export function encodeTraces(span: OtlpSpan, origin: SpanOrigin): Uint8Array {
  const scope = new WireWriter().bytes(1, origin.scope).message(2, writeSpan(span));
  if (origin.scopeSchemaUrl !== "") scope.string(3, origin.scopeSchemaUrl);
  const resource = new WireWriter().bytes(1, origin.resource).message(2, scope);
  if (origin.resourceSchemaUrl !== "") resource.string(3, origin.resourceSchemaUrl);
  return new WireWriter().message(1, resource).finish();
}
