import { WireReader, WireWriter } from "@reenact/envelope";
import type { BadSpan } from "./check-traces.ts";

/** The field of each message on the way down to the spans: resource spans, scope spans, span. */
const PATH = [1, 2, 2];

/** The same ExportTraceServiceRequest without these spans; everything else keeps its bytes and its order. */
export function dropSpans(message: Uint8Array, bad: readonly BadSpan[]): Uint8Array {
  const dropped = new Set(bad.map(({ from }) => from));
  return copy(new WireReader(message), 0, dropped).finish();
}

function copy(reader: WireReader, level: number, dropped: ReadonlySet<number>): WireWriter {
  const writer = new WireWriter();
  for (let from = reader.at, field = reader.field(); field !== 0; from = reader.at, field = reader.field()) {
    if (field === PATH[level] && level < PATH.length - 1) {
      writer.message(field, copy(reader.message(), level + 1, dropped));
    } else {
      reader.skip();
      const isDropped = field === PATH[level] && dropped.has(from);
      if (!isDropped) writer.raw(reader.bytes.subarray(from, reader.at));
    }
  }
  return writer;
}
