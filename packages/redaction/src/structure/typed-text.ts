import { createHash } from "node:crypto";
import { isViewTag, textOf, type ViewTag, VIEWS } from "@reenact/envelope";
import { applied, type Change, unscanned } from "../scrub/change.ts";
import { type ScanContext, leafChanges } from "../scrub/scan-context.ts";
import type { Nesting } from "../scrub/nesting.ts";
import { isPieceOfText } from "../names/plain-under-secret.ts";
import { isSecretName } from "../names/secret-name.ts";
import { pairsChanges } from "./form.ts";
import type { Leaf, TypedText } from "./json-leaf.ts";
import { decodeLiteral, encodeChanges } from "./literal.ts";
import { OCTET, octetsOf } from "./octet-list.ts";
import { isMediaBytes, octetChanges } from "./octets.ts";
import { REDACTED } from "./redacted-url.ts";

const NONE: readonly Change[] = [];

/** Changes of the text of a typed value, which stays one of its type. Offsets count from the start of `raw`. */
export function typedChanges(
  raw: string,
  leaf: Leaf,
  typed: TypedText,
  context: ScanContext,
  nest: Nesting,
): readonly Change[] {
  const value = leaf.escaped ? decodeLiteral(raw) : raw;
  if (value === null) return [unscanned(0, raw.length)];
  const changes = isViewTag(typed)
    ? viewChanges(value, typed, leaf, context, nest)
    : READERS[typed](value, leaf, context, nest);
  return leaf.escaped ? encodeChanges(raw, 0, changes) : changes;
}

type Reader = (value: string, leaf: Leaf, context: ScanContext, nest: Nesting) => readonly Change[];

const READERS: Readonly<Record<Exclude<TypedText, ViewTag>, Reader>> = {
  digits(value, leaf, context, nest) {
    const found = read(value, leaf, context, nest);
    return whole(value, found, nines(value));
  },
  /** Another time, from which this one cannot be told, and which is known again. */
  time(value, leaf, context, nest) {
    const time = Number(value);
    if (isStandIn(time)) return NONE;
    const shown = new Date(time).toISOString();
    const found = read(shown, leaf, context, nest);
    return found.length === 0 ? NONE : whole(value, found, standIn(applied(shown, found)));
  },
  pattern(value, leaf, context, nest) {
    const found = read(value, leaf, context, nest);
    const put = applied(value, found);
    const isOne = FLAGS.every((flags) => !isPattern(value, flags) || isPattern(put, flags));
    return isOne ? found : whole(value, found, tokensOf(found));
  },
  url(value, leaf, context, nest) {
    if (value.startsWith(REDACTED)) return NONE;
    const found = read(value, leaf, context, nest);
    return URL.canParse(applied(value, found)) ? found : whole(value, found, `${REDACTED}${tokensOf(found)}`);
  },
  pairs: (value, leaf, context, nest) =>
    isWhole(leaf, context, nest)
      ? read(value, leaf, context, nest)
      : pairsChanges(value, 0, value.length, context, nest),
  bytes(value, leaf, context, nest) {
    const bytes = Buffer.from(value, "base64");
    return bytesChanges(value, bytes, leaf, context, nest, (put) => put.toString("base64"));
  },
  octets(value, leaf, context, nest) {
    return bytesChanges(value, octetsOf(value), leaf, context, nest, (put) => numbersAs(value, put));
  },
};

/** Bytes written as other bytes were: `1, 2`, `"0":1,"1":2`, with the same white space. */
function numbersAs(written: string, bytes: Buffer): string {
  const [first, second] = [...written.matchAll(OCTET)];
  if (first === undefined || second === undefined) return written;
  const head = written.slice(0, first.index);
  const between = written.slice(first.index + first[0].length, second.index);
  const tail = /\s*$/.exec(written)?.[0] ?? "";
  return (
    head + Array.from(bytes, (byte, i) => (i === 0 ? "" : between.replace('"1"', `"${i}"`)) + byte).join("") + tail
  );
}

export const nines = (digits: string): string => digits.replace(/[0-9]/g, "9");

const tokensOf = (found: readonly Change[]): string => found.map((change) => change.with).join("_");

/** One change for all of a value, counted as what was found first in it. */
function whole(value: string, found: readonly Change[], put: string): readonly Change[] {
  const [first] = found;
  return first === undefined || put === value ? NONE : [{ ...first, start: 0, end: value.length, with: put }];
}

/** Changes of a text under the name of the leaf. */
function read(text: string, leaf: Leaf, context: ScanContext, nest: Nesting): readonly Change[] {
  const key = isSecretName(leaf.key) && isPieceOfText(leaf.key, text) ? "" : leaf.key;
  return leafChanges(text, key, context, nest);
}

/** Whether all of the value goes, because of where it stands. */
const isWhole = (leaf: Leaf, { isOn, paths }: ScanContext, { path }: Nesting): boolean =>
  (isOn("AUTH") && isSecretName(leaf.key)) || (path !== null && paths?.of(path) === "deny");

/** Bytes that are a text are that text. Of others that have to go, the token is that of their base64. */
function bytesChanges(
  value: string,
  bytes: Buffer,
  leaf: Leaf,
  context: ScanContext,
  nest: Nesting,
  write: (bytes: Buffer) => string,
): readonly Change[] {
  const goes = isWhole(leaf, context, nest);
  const latin = bytes.toString("latin1");
  const text = !goes && isMediaBytes(latin, "") ? null : printable(textOf(bytes));
  const plain = text ?? (goes ? bytes.toString("base64") : latin);
  const found = text === null && !goes ? octetChanges(latin, "", context) : read(plain, leaf, context, nest);
  if (found.length === 0) return NONE;
  return whole(value, found, write(Buffer.from(applied(plain, found), text === null ? "latin1" : "utf8")));
}

/** Numbers that are all characters are their text; what replaces them is one number for each character, too. */
function viewChanges(value: string, tag: ViewTag, leaf: Leaf, context: ScanContext, nest: Nesting): readonly Change[] {
  const bytes = new Uint8Array(Buffer.from(value, "base64"));
  const text = tag === "DataView" ? null : charactersOf(new VIEWS[tag](bytes.buffer));
  const goes = isWhole(leaf, context, nest);
  const latin = Buffer.from(bytes).toString("latin1");
  const plain = text ?? (goes ? value : latin);
  const found = text === null && !goes ? octetChanges(latin, "", context) : read(plain, leaf, context, nest);
  if (found.length === 0) return NONE;
  const put = text === null ? tokensOf(found) : applied(text, found);
  return whole(value, found, Buffer.from(viewOf(tag, put).buffer).toString("base64"));
}

function viewOf(tag: ViewTag, text: string): ArrayBufferView<ArrayBuffer> {
  const units = Array.from(text, (character) => character.charCodeAt(0) & 0x7f);
  if (tag === "DataView") return Uint8Array.from(units);
  const isLong = tag === "BigInt64Array" || tag === "BigUint64Array";
  const view = VIEWS[tag] as unknown as new (numbers: readonly (number | bigint)[]) => ArrayBufferView<ArrayBuffer>;
  return new view(isLong ? units.map(BigInt) : units);
}

/** Longer ones are samples of something. */
const MOST_CHARACTERS = 64 * 1024;

function charactersOf(view: ArrayBufferView): string | null {
  const numbers = Array.from(view as unknown as Iterable<number | bigint>);
  if (numbers.length === 0 || numbers.length > MOST_CHARACTERS) return null;
  const units = numbers.map(Number);
  return units.every((unit) => Number.isInteger(unit) && unit >= 32 && unit < 127)
    ? units.map((unit) => String.fromCharCode(unit)).join("")
    : null;
}

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]/;
const printable = (text: string | null): string | null => (text === null || CONTROL.test(text) ? null : text);

/** Times of one year, each at the last millisecond of a second: a date that code can go on with. */
const STAND_IN_FROM = Date.UTC(1900, 0, 1);
const STAND_IN_SECONDS = 365 * 24 * 60 * 60;
const LAST_MILLISECOND = 999;

const isStandIn = (time: number): boolean =>
  time >= STAND_IN_FROM &&
  time < STAND_IN_FROM + STAND_IN_SECONDS * 1000 &&
  (time - STAND_IN_FROM) % 1000 === LAST_MILLISECOND;

function standIn(token: string): string {
  const number = createHash("sha256").update(token).digest().readUIntBE(0, 6);
  return String(STAND_IN_FROM + (number % STAND_IN_SECONDS) * 1000 + LAST_MILLISECOND);
}

const FLAGS = ["", "u", "v"];

function isPattern(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags).flags === flags;
  } catch {
    return false;
  }
}
