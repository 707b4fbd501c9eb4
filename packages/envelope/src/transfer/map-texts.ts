import { WireReader } from "../otlp/wire-reader.ts";
import { WireWriter } from "../otlp/wire-writer.ts";
import { rewritten } from "./view.ts";

/** What a text becomes; `key` is the name of the attribute that it stands in, "" for other texts of a span. */
export type OnText = (text: string, key: string) => string;

/**
 * An ExportTraceServiceRequest with every text in it mapped: values of attributes of all kinds, names and status
 * messages, also of resources, scopes, events and links. Names of attributes, ids and bytes stay.
 */
export function mapTexts(body: Uint8Array, onText: OnText): Uint8Array {
  const text = (key: string) => (reader: WireReader) => {
    const before = Buffer.from(reader.bytes.buffer, reader.bytes.byteOffset + reader.at, reader.end - reader.at);
    return new WireWriter().raw(Buffer.from(onText(before.toString("utf8"), key)));
  };
  const value = (key: string) => (reader: WireReader) =>
    rewritten(reader, {
      1: text(key),
      5: (list) => rewritten(list, { 1: value(key) }),
      6: (map) => rewritten(map, { 1: pair }),
    });
  const pair = (reader: WireReader): WireWriter => {
    const probe = new WireReader(reader.bytes, reader.at, reader.end);
    let key = "";
    for (let field = probe.field(); field !== 0; field = probe.field())
      if (field === 1) key = probe.string();
      else probe.skip();
    return rewritten(reader, { 2: value(key) });
  };
  const plain = text("");
  const event = (reader: WireReader) => rewritten(reader, { 2: plain, 3: pair });
  const link = (reader: WireReader) => rewritten(reader, { 3: plain, 4: pair });
  const status = (reader: WireReader) => rewritten(reader, { 2: plain });
  const span = (reader: WireReader) =>
    rewritten(reader, { 3: plain, 5: plain, 9: pair, 11: event, 13: link, 15: status });
  const scope = (reader: WireReader) => rewritten(reader, { 1: plain, 3: pair });
  const scoped = (reader: WireReader) => rewritten(reader, { 1: scope, 2: span });
  const resource = (reader: WireReader) => rewritten(reader, { 1: pair });
  const resourced = (reader: WireReader) => rewritten(reader, { 1: resource, 2: scoped });
  return rewritten(new WireReader(body), { 1: resourced }).finish();
}
