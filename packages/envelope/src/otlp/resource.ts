import { readAttribute, writeAttributes } from "./any-value.ts";
import { WireReader } from "./wire-reader.ts";
import { WireWriter } from "./wire-writer.ts";

/** Attributes of the bytes of a Resource message. */
export function decodeResource(bytes: Uint8Array): Record<string, unknown> {
  const reader = new WireReader(bytes);
  const attributes: Record<string, unknown> = {};
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 1) readAttribute(reader.message(), attributes);
    else reader.skip();
  }
  return attributes;
}

export function encodeResource(attributes: Record<string, unknown>): Uint8Array {
  return writeAttributes(new WireWriter(), 1, attributes).finish();
}

export interface OtlpScope {
  name: string;
  version: string;
  attributes: Record<string, unknown>;
}

/** The bytes of an InstrumentationScope message, decoded. */
export function decodeScope(bytes: Uint8Array): OtlpScope {
  const reader = new WireReader(bytes);
  const scope: OtlpScope = { name: "", version: "", attributes: {} };
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 1) scope.name = reader.string();
    else if (field === 2) scope.version = reader.string();
    else if (field === 3) readAttribute(reader.message(), scope.attributes);
    else reader.skip();
  }
  return scope;
}

export function encodeScope(name: string, version = ""): Uint8Array {
  const writer = new WireWriter();
  if (name !== "") writer.string(1, name);
  if (version !== "") writer.string(2, version);
  return writer.finish();
}
