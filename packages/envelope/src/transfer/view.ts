import { ATTR } from "../schema/attributes.ts";
import { WireReader } from "../otlp/wire-reader.ts";
import { WireWriter } from "../otlp/wire-writer.ts";

export interface View {
  /** whether an attribute of a span goes along */
  keep(key: string): boolean;
  /** bytes values become base64 text: Phoenix answers 200 and drops a span that has one */
  readonly bytesAsText: boolean;
  /** written into each resource as `openinference.project.name`; null: as it is */
  readonly project: string | null;
}

const PROJECT = "openinference.project.name";

/** `full`: every attribute; `openinference`: those for people, and the run's id to find the way back. */
export function viewOf(options: {
  view: "full" | "openinference";
  bytesAsText: boolean;
  project?: string | undefined;
}): View {
  const full = options.view === "full";
  return {
    keep: (key) => full || !key.startsWith("reenact.") || key === ATTR.runId,
    bytesAsText: options.bytesAsText,
    project: options.project ?? null,
  };
}

/** An ExportTraceServiceRequest as a destination is to see it. What the view leaves alone keeps its very bytes. */
export function viewTraces(body: Uint8Array, view: View): Uint8Array {
  return rewritten(new WireReader(body), {
    1: (resource) => rewritten(resource, { 1: (each) => viewResource(each, view), 2: (each) => viewScope(each, view) }),
  }).finish();
}

type Rules = Readonly<Record<number, (reader: WireReader) => WireWriter | null>>;

/** Copies a message; fields with a rule are made anew, or left out where it gives null. */
export function rewritten(reader: WireReader, rules: Rules): WireWriter {
  const out = new WireWriter();
  for (let start = reader.at, field = reader.field(); field !== 0; start = reader.at, field = reader.field()) {
    const rule = rules[field];
    if (!rule) {
      reader.skip();
      out.raw(reader.bytes.subarray(start, reader.at));
      continue;
    }
    const inner = rule(reader.message());
    if (inner) out.message(field, inner);
  }
  return out;
}

function viewScope(reader: WireReader, view: View): WireWriter {
  return rewritten(reader, { 2: (span) => viewSpan(span, view) });
}

function viewSpan(reader: WireReader, view: View): WireWriter {
  const nested = (each: WireReader) => rewritten(each, { 3: (attribute) => viewValues(attribute, view) });
  const linked = (each: WireReader) => rewritten(each, { 4: (attribute) => viewValues(attribute, view) });
  return rewritten(reader, {
    9: (attribute) => (view.keep(keyOf(attribute)) ? viewValues(attribute, view) : null),
    11: nested,
    13: linked,
  });
}

function viewResource(reader: WireReader, view: View): WireWriter {
  if (view.project === null) return rewritten(reader, { 1: (attribute) => viewValues(attribute, view) });
  const out = rewritten(reader, {
    1: (attribute) => (keyOf(attribute) === PROJECT ? null : viewValues(attribute, view)),
  });
  return out.message(1, new WireWriter().string(1, PROJECT).message(2, new WireWriter().string(1, view.project)));
}

/** Of a KeyValue; the reader stays where it is. */
function keyOf(reader: WireReader): string {
  const probe = new WireReader(reader.bytes, reader.at, reader.end);
  let key = "";
  for (let field = probe.field(); field !== 0; field = probe.field()) {
    if (field === 1) key = probe.string();
    else probe.skip();
  }
  return key;
}

function viewValues(reader: WireReader, view: View): WireWriter {
  if (!view.bytesAsText) return rewritten(reader, {});
  return rewritten(reader, { 2: viewValue });
}

function viewValue(reader: WireReader): WireWriter {
  const out = new WireWriter();
  for (let start = reader.at, field = reader.field(); field !== 0; start = reader.at, field = reader.field()) {
    if (field === 7) out.string(1, Buffer.from(reader.chunk()).toString("base64"));
    else if (field === 5) out.message(5, rewritten(reader.message(), { 1: viewValue }));
    else if (field === 6)
      out.message(6, rewritten(reader.message(), { 1: (entry) => rewritten(entry, { 2: viewValue }) }));
    else {
      reader.skip();
      out.raw(reader.bytes.subarray(start, reader.at));
    }
  }
  return out;
}
