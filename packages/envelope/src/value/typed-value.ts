import { EnvelopeError } from "../envelope-error.ts";

/** Numbers that stand for a value inside a node; other references are indexes of nodes. */
export const CONSTANT = { undefined: -1, hole: -2, nan: -3, infinity: -4, minusInfinity: -5, minusZero: -6 } as const;

export type ViewTag =
  | "Int8Array"
  | "Uint8Array"
  | "Uint8ClampedArray"
  | "Int16Array"
  | "Uint16Array"
  | "Int32Array"
  | "Uint32Array"
  | "Float32Array"
  | "Float64Array"
  | "BigInt64Array"
  | "BigUint64Array"
  | "DataView";

/** Typed arrays and views by tag. A table of ours: nothing is looked up by a name that was read. */
export const VIEWS: Readonly<Record<ViewTag, new (buffer: ArrayBuffer) => ArrayBufferView>> = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
};

export const isViewTag = (tag: string): tag is ViewTag => Object.hasOwn(VIEWS, tag);

/** Content type that marks a text as the typed encoding of a value, since it is valid JSON too. */
export const VALUE_MIME = "application/vnd.reenact.value+json";

/** The same, of the values of one stream in their order, each on a line of its own. */
export const VALUE_LINES_MIME = "application/vnd.reenact.values+json-lines";

/** Past this many nodes values become placeholders. */
export const MAX_NODES = 1_000_000;

/** What a placeholder reads as: `{"reenact.placeholder": "function lookup"}`. */
export interface Placeholder {
  readonly "reenact.placeholder": string;
}

export const badValue = (why: string, cause?: unknown) =>
  new EnvelopeError("BAD_VALUE", "typed value", why, cause === undefined ? {} : { cause });
