import { badOtlp, WireReader } from "../otlp/wire-reader.ts";
import { WireWriter } from "../otlp/wire-writer.ts";
import { rewritten } from "./view.ts";

/** Where a value of a request stands. */
export interface ValuePlace {
  /** name that it stands under: of its attribute, or of its member in a map; "" for other texts of a span */
  readonly key: string;
  /** names from the attribute down, with slashes between them and for the dots in them */
  readonly path: string;
}

/** Returns the new value for each value of a request. An error that it throws ends the walk. */
export interface OnValue {
  text(text: string, place: ValuePlace): string;
  bytes(bytes: Uint8Array, place: ValuePlace): Uint8Array;
  number(number: number | bigint, place: ValuePlace): number | bigint;
  truth(truth: boolean, place: ValuePlace): boolean;
  /** the name of an attribute, or of a member of a map */
  name(name: string): string;
}

const DEEPEST = 64;
const NOWHERE: ValuePlace = { key: "", path: "" };

/**
 * An ExportTraceServiceRequest with every value in it mapped: attributes of all kinds, names, status messages and trace
 * states, also of resources, scopes, events and links. Ids and times stay. Throws for what is no such request.
 */
export function mapValues(body: Uint8Array, on: OnValue): Uint8Array {
  const text = (place: ValuePlace) => (reader: WireReader) =>
    new WireWriter().raw(Buffer.from(on.text(textOf(reader), place)));
  const plain = text(NOWHERE);
  const pair = (above: string, depth: number) => (reader: WireReader) => {
    const key = keyOf(reader);
    const path = above + key.replaceAll(".", "/");
    const place = { key, path };
    const name = (each: WireReader) => new WireWriter().raw(Buffer.from(on.name(textOf(each))));
    return rewritten(reader, { 1: name, 2: (each) => value(each, place, depth) });
  };
  const value = (reader: WireReader, place: ValuePlace, depth: number): WireWriter => {
    if (depth > DEEPEST) throw badOtlp("value nested too deep", reader.at);
    const out = new WireWriter();
    for (let start = reader.at, field = reader.field(); field !== 0; start = reader.at, field = reader.field()) {
      if (field === 1) out.message(1, text(place)(reader.message()));
      else if (field === 2) out.varint(2, on.truth(reader.uint() !== 0, place) ? 1 : 0);
      else if (field === 3) out.varint(3, BigInt(on.number(reader.int64(), place)));
      else if (field === 4) out.double(4, Number(on.number(reader.double(), place)));
      else if (field === 5) out.message(5, rewritten(reader.message(), { 1: (item) => value(item, place, depth + 1) }));
      else if (field === 6) out.message(6, rewritten(reader.message(), { 1: pair(`${place.path}/`, depth + 1) }));
      else if (field === 7) out.message(7, new WireWriter().raw(on.bytes(reader.chunk(), place)));
      else {
        reader.skip();
        out.raw(reader.bytes.subarray(start, reader.at));
      }
    }
    return out;
  };
  const attribute = pair("", 0);
  const event = (reader: WireReader) => rewritten(reader, { 2: plain, 3: attribute });
  const link = (reader: WireReader) => rewritten(reader, { 3: plain, 4: attribute });
  const status = (reader: WireReader) => rewritten(reader, { 2: plain });
  const span = (reader: WireReader) =>
    rewritten(reader, { 3: plain, 5: plain, 9: attribute, 11: event, 13: link, 15: status });
  const scope = (reader: WireReader) => rewritten(reader, { 1: plain, 2: plain, 3: attribute });
  const scoped = (reader: WireReader) => rewritten(reader, { 1: scope, 2: span, 3: plain });
  const resource = (reader: WireReader) => rewritten(reader, { 1: attribute });
  const resourced = (reader: WireReader) => rewritten(reader, { 1: resource, 2: scoped, 3: plain });
  return rewritten(new WireReader(body), { 1: resourced }).finish();
}

const textOf = (reader: WireReader): string =>
  Buffer.from(reader.bytes.buffer, reader.bytes.byteOffset + reader.at, reader.end - reader.at).toString("utf8");

/** Of a KeyValue; the reader stays where it is. */
function keyOf(reader: WireReader): string {
  const probe = new WireReader(reader.bytes, reader.at, reader.end);
  let key = "";
  for (let field = probe.field(); field !== 0; field = probe.field())
    if (field === 1) key = probe.string();
    else probe.skip();
  return key;
}
