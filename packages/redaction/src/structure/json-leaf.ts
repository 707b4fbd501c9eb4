import type { ViewTag } from "@reenact/envelope";
import { isSecretName } from "../names/secret-name.ts";

/** An object or an array on the way to a leaf. */
export interface Frame {
  readonly parent: Frame | null;
  readonly array: boolean;
  /** name under which it stands; an array's elements inherit it */
  readonly key: string;
  /** the secret name that it stands under, however deep; empty: none */
  readonly secret: string;
  /** index in the parent, when that is an array */
  readonly position: number;
  /** number of the element or member now read */
  index: number;
  /** members that tell parallel streams apart: `index=0`, `item_id=…` */
  marks: string;
  /** top-level members that say what an event is */
  type: string;
  done: boolean;
  /** what its member `role` says, of an object */
  role: string;
  /** the outermost object is a request of a model */
  asks: boolean;
  /** it has a log probability: what it calls a token is a piece of text */
  isScored: boolean;
  /** where its content begins in the text; 0: it is none of a text */
  readonly from: number;
  /** numbers of one byte that it begins with, of an object under their indices */
  octets: number;
  /** it says that it is a Buffer */
  isBuffer: boolean;
}

/** An array or object that begins below `parent`, under the name `key`; the outermost one has none. */
export function newFrame(parent: Frame | null, array: boolean, key: string, from: number): Frame {
  const name = parent === null ? "" : key;
  return {
    parent,
    array,
    key: name,
    secret: parent === null ? "" : isSecretName(name) ? name : parent.secret,
    position: parent?.index ?? 0,
    from,
    index: 0,
    marks: "",
    type: "",
    done: false,
    role: "",
    asks: false,
    isScored: false,
    octets: 0,
    isBuffer: false,
  };
}

/** A string of a JSON text, or a number that may be secret. Offsets are those of its content, without the quotes. */
export interface Leaf {
  readonly start: number;
  readonly end: number;
  /** true: the content holds escapes and must be decoded */
  readonly escaped: boolean;
  readonly frame: Frame | null;
  readonly position: number;
  /** it is itself a member's name */
  readonly isName: boolean;
  readonly isNumber: boolean;
  /** the member's name, or the array's, that it stands under */
  readonly member: string;
  /** the name that decides what it is: mostly `member` */
  key: string;
  /** what the tag of a typed value says it is; null: a text like any other */
  typed: TypedText | null;
}

/**
 * What the text of a typed value is, where a token could not be read back as one: digits of a whole number, a time in
 * milliseconds, the source of an expression, an address, parameters; base64 of bytes, or of the numbers of a view;
 * bytes as JSON shows them, in a list of numbers or under their indices.
 */
export type TypedText = "digits" | "time" | "pattern" | "url" | "pairs" | "bytes" | "octets" | ViewTag;

/** Members that tell parallel streams apart. */
const MARKS = new Set(["index", "output_index", "content_index", "summary_index", "item_id", "contentBlockIndex"]);

/** The strings that tell streams and events apart. */
export function isMark(name: string): boolean {
  return MARKS.has(name);
}
