import { isNumberName } from "../detect/named-value.ts";
import { isPersonalName, mayNameNumber } from "../names/name-class.ts";
import { fieldContext } from "../names/field-context.ts";
import { isSecretName } from "../names/secret-name.ts";
import { SHORT_NUMBER } from "../names/secret-words.ts";
import { maySayMore } from "../names/weak-name.ts";
import { Columns, isRow } from "./columns.ts";
import { isArgument, isProgram, LONGEST_ARGUMENT, secretArguments } from "./command-arguments.ts";
import { HeadRows } from "./head-rows.ts";
import { HeaderList } from "./header-list.ts";
import { type Frame, isMark, type Leaf } from "./json-leaf.ts";
import { roleOf } from "./role.ts";
import { UnderSecret } from "./under-secret.ts";

/** Tags of typed values whose text must keep its shape, and what it is. */
export const TYPED = {
  BigInt: "digits",
  Buffer: "bytes",
  ArrayBuffer: "bytes",
  Uint8Array: "bytes",
  Uint8ClampedArray: "bytes",
  Int8Array: "bytes",
  DataView: "bytes",
  URLSearchParams: "pairs",
} as const;

const NAMES = new Set(
  "name key header field k label property attribute column param parameter ParameterKey fieldName fieldname field_name".split(
    " ",
  ),
);
const VALUES = new Set(["value", "val", "v", "ParameterValue"]);
/** What stands for the number of a thing that the object is named after. */
const NUMBERS = new Set(["number", "no", "nr", "num", "value", "val", "raw"]);
const LONGEST_NUMBER = 6;
/** `{"password": {"S": "…"}}`: what a typed value has in between. */
const TYPES = new Set(["s", "stringValue", "string_value"]);
/** Names of the label of a form's field, and of its entry. */
const FIELDS = new Set(["label", "field", "element", "selector", "question"]);
const ENTRIES = new Set(["value", "text", "answer", "content"]);
const PASSWORD = /passw(?:or)?d|passwort|passcode|contraseñ|senha|api[ _-]?key/i;
const NO_ENTRY = /forgot|reset|change|show|hide|toggle|strength|policy|error|hint|help|button/i;
const ENTRY = /^(?!(?:text|password|hidden|submit|button|yes|no|input)$)[^\s{}[\]]{4,64}$/;
const HEADERS = /headers?$/i;
const COOKIES = /cookies?$/i;
const DASH = 45;
/** Shorter numbers are no secrets, and often something else. */
export const shortestNumber = (name: string): number => (SHORT_NUMBER.test(name) ? 3 : 4);

/** Whether an array stands where the value of a name beside it would. */
const isInValue = ({ key, parent, position }: Frame): boolean =>
  VALUES.has(key) || (position === 1 && parent?.array === true);

/** Whether a list of this name is read in another way than others. */
export const namesList = (name: string): boolean =>
  HEADERS.test(name) || COOKIES.test(name) || VALUES.has(name) || name.endsWith("logprobs");

/** Whether a number may be the reference of a typed value to an element of the outer array, or to what no JSON holds. */
const mayRefer = (text: string, { index }: Frame): boolean => /^(?:-[1-6]|\d{1,9})$/.test(text) && Number(text) < index;

const LONGEST_LINE = 80;
/** The first line of base64; the words of a list are shorter. */
const LEAST_LINE = 16;
const OF_KEY = /^(?:[A-Za-z0-9+/=\\\s]*|[A-Z][A-Za-z-]{2,20}: .*)$/;
const OPENS_KEY = /^-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}\s*(?:\\[rn])*$/;

/** Of a key in JSON (JWK): its kind, and what is private. */
const JWK = new Set(["kty", "d", "p", "q", "dp", "dq", "qi", "k"]);
const JWK_VALUE = /^(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])[\w-]{42,2048}$/;

/** Members that say what the number beside them is. */
const KIND = /^(?:type|kind|category|[a-z]{2,10}(?:_type|_kind|Type|Kind))$/;
const LONGEST_KIND = 16;

/** `https://kv.vault.azure.net/secrets/db-password/…` */
const VAULT_ID = /^https:\/\/[\w-]{1,63}\.vault\.[\w.-]{2,64}\/secrets\/[\w-]/;
const LONGEST_VAULT_ID = 256;

interface Named {
  /** what the number beside it is of: a passport */
  kind?: Leaf;
  numbered?: Leaf[];
  jwk?: Leaf[];
  name?: Leaf;
  value?: Leaf[];
  field?: Leaf;
  entry?: Leaf;
  /** its id is the address of a secret in a vault */
  isOfVault?: boolean;
  /** arrays and objects that stand for the value */
  inner?: Frame[];
}

/** Takes note of a member that says what its object is; false: it does not. */
function noteShape(frame: Frame, { start, end }: Leaf, name: string, text: string): boolean {
  if (isMark(name)) frame.marks += `${name}=${text.slice(start, end)};`;
  else if (name === "type" && frame.parent === null) frame.type = text.slice(start, end);
  else if (name === "jsonrpc" && frame.parent === null) frame.type = "jsonrpc";
  else return false;
  return true;
}

function nameAll(leaves: readonly Leaf[], name: string): void {
  for (const leaf of leaves) leaf.key = name;
}

/** Finds which leaves stand for the value of a secret name that is not the member they stand under. */
export class LeafNames {
  readonly #valueOf: (leaf: Leaf) => string;
  readonly #allNumbers: boolean;
  /** strings of arrays in arrays, and of lists of headers: perhaps pairs of a name and a value */
  readonly #lists = new Map<Frame, Leaf[]>();
  /** strings under `name` and `value` of one object */
  readonly #named = new Map<Frame, Named>();
  /** indices in the outer array of values of secret members (typed values) */
  readonly #aliases = new Map<number, string>();
  /** indices in the outer array of the keys and values of a typed map */
  readonly #maps: [key: number, value: number][] = [];
  readonly #references = new Map<Frame, number[]>();
  /** arrays in which a private key has begun, and the least length of the next line */
  readonly #keys = new Map<Frame, number>();
  /** lists of arguments: by their name, or since an option stands in them */
  readonly #commands = new Map<Frame, Leaf[]>();
  readonly #columns = new Columns();
  readonly #headRows: HeadRows;
  readonly #headers: HeaderList;
  readonly #underSecret: UnderSecret;
  readonly #mayBeTyped: boolean;
  /** the array whose numbers were asked about last */
  #numbersOf: Frame | null = null;
  #mayHoldNumbers = false;
  #outer: Frame | null = null;
  #pending = false;

  /** `mayBeTyped`: the text may be that of a typed value that was not decoded */
  constructor(valueOf: (leaf: Leaf) => string, allNumbers: boolean, mayBeTyped = true) {
    this.#valueOf = valueOf;
    this.#allNumbers = allNumbers;
    this.#mayBeTyped = mayBeTyped;
    this.#headers = new HeaderList(valueOf);
    this.#headRows = new HeadRows(valueOf);
    this.#underSecret = new UnderSecret(valueOf);
  }

  /** Takes note of a string that is no member's name. */
  string(frame: Frame, leaf: Leaf, name: string, text: string): void {
    if (frame.secret !== "") this.#underSecret.add(leaf);
    if (frame.array) this.#element(frame, leaf, text);
    else this.#member(frame, leaf, name, text);
  }

  #element(frame: Frame, leaf: Leaf, text: string): void {
    this.#line(frame, leaf, text);
    this.#columns.element(frame, leaf);
    this.#headRows.cell(frame, leaf);
    this.#headers.element(frame, leaf);
    if (isArgument(frame.key, text, leaf.start)) this.#commands.set(frame, []);
    if (!HEADERS.test(frame.key) && (frame.parent?.array !== true || frame.index > 2)) return;
    const list = this.#lists.get(frame);
    if (list === undefined) this.#lists.set(frame, [leaf]);
    else list.push(leaf);
  }

  #member(frame: Frame, leaf: Leaf, name: string, text: string): void {
    if (name === "role") frame.role = roleOf(text.slice(leaf.start, leaf.end));
    else if (name === "model" && frame.parent === null) frame.asks = true;
    const lower = name.length > 6 ? name : name.toLowerCase();
    if (!noteShape(frame, leaf, name, text)) this.#nameOrValue(frame, leaf, lower);
    this.#numberOrKind(frame, leaf, name, lower);
    if (name === "id" && VAULT_ID.test(text.slice(leaf.start, Math.min(leaf.end, leaf.start + LONGEST_VAULT_ID))))
      this.#of(frame).isOfVault = true;
    if (JWK.has(name)) (this.#of(frame).jwk ??= []).push(leaf);
    if (FIELDS.has(lower)) this.#of(frame).field = leaf;
    else if (ENTRIES.has(lower)) this.#of(frame).entry = leaf;
    this.#innerValue(frame, leaf);
  }

  /** {"key": "authorization", "value": {"stringValue": "…"}} */
  #innerValue({ parent, key }: Frame, leaf: Leaf): void {
    if (parent !== null && !parent.array && VALUES.has(key)) (this.#of(parent).value ??= []).push(leaf);
  }

  #nameOrValue(frame: Frame, leaf: Leaf, lower: string): void {
    if (NAMES.has(lower)) {
      this.#of(frame).name = leaf;
      this.#columns.named(frame, leaf);
    } else if (VALUES.has(lower)) {
      (this.#of(frame).value ??= []).push(leaf);
      if (isSecretName(frame.key) || isPersonalName(frame.key)) leaf.key = frame.key;
    } else if (TYPES.has(lower) && isSecretName(frame.key)) leaf.key = frame.key;
  }

  #numberOrKind(frame: Frame, leaf: Leaf, name: string, lower: string): void {
    // {"passport": {"number": "…"}}
    if (name.length <= LONGEST_NUMBER && NUMBERS.has(lower) && leaf.key === name && isNumberName(frame.key))
      leaf.key = frame.key;
    // {"type": "passport", "number": "…"}
    if (name.length <= LONGEST_KIND && KIND.test(name)) this.#of(frame).kind = leaf;
    else if (NUMBERS.has(lower) && leaf.key === name) (this.#of(frame).numbered ??= []).push(leaf);
  }

  /** An array of lines: what follows the one that opens a private key is secret up to the one that closes it. */
  #line(frame: Frame, leaf: Leaf, text: string): void {
    const isOpen = this.#keys.has(frame);
    if (!isOpen && text.charCodeAt(leaf.start) !== DASH) return;
    const line = text.slice(leaf.start, Math.min(leaf.end, leaf.start + LONGEST_LINE));
    if (OPENS_KEY.test(line)) this.#keys.set(frame, LEAST_LINE);
    else if (isOpen && (line.length < (this.#keys.get(frame) ?? 0) || !OF_KEY.test(line))) this.#keys.delete(frame);
    else if (isOpen) {
      leaf.key = "private_key";
      this.#keys.set(frame, 0);
    }
  }

  /** Whether a number is to be a leaf; `settle` takes it out again where it proves to be a reference, or to be nothing. */
  number(frame: Frame, name: string, text: string, start: number, end: number): boolean {
    if (name === "logprob") frame.isScored = true;
    if (this.#mayBeTyped) this.#reference(frame, name, text, start, end);
    if (this.#allNumbers) return (this.#pending = true);
    // a secret is a run of digits, however long
    if (end - start < shortestNumber(name) || !this.#mayBeNumber(frame, name)) return false;
    const number = Number(text.slice(start, end));
    if (Math.abs(number) < 1e21 && !Number.isInteger(number)) return false;
    return (this.#pending = true);
  }

  /** Takes note of a number that has become a leaf. */
  digits(frame: Frame, leaf: Leaf, name: string): void {
    if (frame.array) {
      this.#columns.element(frame, leaf);
      this.#headRows.cell(frame, leaf);
      if (frame.index === 1) this.#lists.get(frame)?.push(leaf);
    } else if (VALUES.has(name)) {
      (this.#of(frame).value ??= []).push(leaf);
      if (mayNameNumber(frame.key)) leaf.key = frame.key;
    }
  }

  #mayBeNumber(frame: Frame, name: string): boolean {
    if (!frame.array) return VALUES.has(name) || mayNameNumber(name);
    if (frame.index === 1 && this.#lists.has(frame)) return true;
    // an element of the outer array may be what a secret member of a typed value refers to
    if (frame.parent === null && this.#aliases.size > 0) return true;
    if (frame !== this.#numbersOf) {
      this.#numbersOf = frame;
      const isCell = this.#headRows.mayHoldNumber(frame);
      this.#mayHoldNumbers = isCell || isRow(frame) || mayNameNumber(frame.key) || isInValue(frame);
    }
    return this.#mayHoldNumbers;
  }

  #reference(frame: Frame, name: string, text: string, start: number, end: number): void {
    if (frame.parent?.array !== true || frame.parent.parent !== null) return;
    const value = Number(text.slice(start, end));
    if (!Number.isInteger(value) || value < 0) return;
    if (!frame.array && isSecretName(name)) this.#aliases.set(value, name);
    else if (frame.array && this.#lists.has(frame)) {
      const list = this.#references.get(frame);
      if (list === undefined) this.#references.set(frame, [value]);
      else list.push(value);
    }
  }

  closed(frame: Frame): void {
    if (frame.parent === null && frame.array && this.#mayBeTyped) this.#outer = frame;
    this.#inner(frame);
    if (frame.array) this.#closedArray(frame);
    else this.#closedObject(frame);
  }

  #closedObject(frame: Frame): void {
    for (const [name, cell] of this.#columns.of(frame)) this.#name(name, [cell]);
    const named = this.#named.get(frame);
    if (named === undefined) return;
    const { jwk, name, value = [], field, entry, inner, kind, numbered, isOfVault } = named;
    if (kind !== undefined && numbered !== undefined) this.#numberOf(kind, numbered);
    if (jwk !== undefined) this.#jsonWebKey(jwk);
    if (field !== undefined && entry !== undefined) this.#enter(field, entry);
    if (isOfVault === true) nameAll(value, "secret_value");
    if (name === undefined) return;
    this.#name(name, value);
    if (inner !== undefined) this.#underSecret.name(this.#valueOf(name), inner);
    if (COOKIES.test(frame.key)) nameAll(value, "session_cookie");
  }

  /** Members of a key in JSON: one alone may be anything. */
  #jsonWebKey(members: readonly Leaf[]): void {
    if (members.length < 2) return;
    for (const member of members) if (JWK_VALUE.test(this.#valueOf(member))) member.key = "private_key";
  }

  #closedArray(frame: Frame): void {
    for (const [name, value] of this.#headers.of(frame)) value.key = this.#valueOf(name);
    for (const [name, cell] of this.#headRows.of(frame)) this.#name(name, [cell]);
    const list = this.#lists.get(frame);
    if (list === undefined) return;
    const [first, second] = list;
    if (first?.position === 0) this.#tagOrName(frame, first, second);
    if (list.length !== frame.index || (!HEADERS.test(frame.key) && frame.index !== 2)) return;
    for (const [i, value] of list.entries()) {
      const name = i % 2 === 1 ? list[i - 1] : undefined;
      if (name !== undefined) this.#name(name, [value]);
    }
  }

  /** An array whose first element is a text: perhaps the tag of a typed value, or a name whose value is no text. */
  #tagOrName(frame: Frame, first: Leaf, second: Leaf | undefined): void {
    if (this.#mayBeTyped && frame.parent?.array === true && frame.parent.parent === null)
      this.#typed(frame, this.#valueOf(first), second);
    const inner = frame.index === 2 ? this.#named.get(frame)?.inner : undefined;
    if (inner !== undefined) this.#underSecret.name(this.#valueOf(first), inner);
  }

  /** The leaves that stay, each under the name that decides what it is. */
  settle(leaves: Leaf[]): Leaf[] {
    this.#underSecret.settle(leaves);
    if (this.#maps.length > 0) this.#nameMaps(leaves);
    if (this.#commands.size > 0) this.#nameArguments(leaves);
    if (this.#aliases.size > 0) {
      for (const leaf of leaves) {
        if (leaf.frame !== null && leaf.frame === this.#outer) leaf.key = this.#aliases.get(leaf.position) ?? leaf.key;
      }
    }
    return this.#pending ? leaves.filter((leaf) => !leaf.isNumber || this.#isValue(leaf)) : leaves;
  }

  /** `["curl", "-u", "ada:…"]`, `{"command": "curl", "args": ["-u", "ada:…"]}`: arguments in which something is found in the command as one text, but not in them alone. */
  #nameArguments(leaves: readonly Leaf[]): void {
    const programs = new Map<Frame | null, Leaf[]>();
    for (const leaf of leaves) {
      if (leaf.frame !== null && !leaf.isNumber) this.#commands.get(leaf.frame)?.push(leaf);
      if (isProgram(leaf)) programs.set(leaf.frame, [leaf]);
    }
    for (const [{ parent }, list] of this.#commands) {
      const all = [...(programs.get(parent) ?? []), ...list];
      const command = all.map((leaf) => (leaf.end - leaf.start > LONGEST_ARGUMENT ? null : this.#valueOf(leaf)));
      for (const at of secretArguments(command)) (all[at] as Leaf).key = "password";
    }
  }

  /** Numbers in the elements of an outer array are mostly references of a typed value. */
  #isValue(leaf: Leaf): boolean {
    const { frame, key } = leaf;
    const outer = this.#outer;
    if (!this.#allNumbers && !mayNameNumber(key)) return false;
    if (outer === null || frame === null || frame === outer || frame.parent !== outer) return true;
    if (this.#allNumbers && !mayRefer(this.#valueOf(leaf), outer)) return true;
    if (isSecretName(key)) return [...this.#aliases.keys()].some((position) => position >= outer.index);
    return isPersonalName(key) && Number(this.#valueOf(leaf)) >= outer.index;
  }

  /** An array or an object that stands where a value does: beside its name, or second in a pair. */
  #inner(frame: Frame): void {
    const { parent } = frame;
    if (parent === null || !(parent.array ? frame.position === 1 && parent.index === 1 : VALUES.has(frame.key))) return;
    (this.#of(parent).inner ??= []).push(frame);
  }

  #typed(frame: Frame, tag: string, second: Leaf | undefined): void {
    if (tag === "Map") {
      const refs = this.#references.get(frame) ?? [];
      for (let i = 0; i + 1 < refs.length; i += 2) this.#maps.push([refs[i] ?? 0, refs[i + 1] ?? 0]);
    } else if (second !== undefined && Object.hasOwn(TYPED, tag)) second.typed = TYPED[tag as keyof typeof TYPED];
  }

  #nameMaps(leaves: readonly Leaf[]): void {
    const byPosition = new Map<number, Leaf>();
    for (const leaf of leaves) if (leaf.frame === this.#outer && !leaf.isNumber) byPosition.set(leaf.position, leaf);
    for (const [key, value] of this.#maps) {
      const name = byPosition.get(key);
      if (name !== undefined && isSecretName(this.#valueOf(name))) this.#aliases.set(value, this.#valueOf(name));
    }
  }

  #name(name: Leaf, values: readonly Leaf[]): void {
    const text = this.#valueOf(name);
    if (isSecretName(text) || maySayMore(text) || fieldContext(text).cue.kinds !== 0)
      for (const value of values) value.key = text;
  }

  /** `{"selector": "#password", "text": "…"}`: one word that is put into such a field */
  #enter(field: Leaf, entry: Leaf): void {
    const label = this.#valueOf(field);
    if (label.length > LONGEST_LINE || !PASSWORD.test(label) || NO_ENTRY.test(label)) return;
    if (ENTRY.test(this.#valueOf(entry))) entry.key = "password";
  }

  /** `{"type": "passport", "number": "…"}`: the kind of a document is the name of its number. */
  #numberOf(kind: Leaf, numbers: readonly Leaf[]): void {
    const name = this.#valueOf(kind);
    if (name.length > LONGEST_LINE || !isNumberName(name.toLowerCase())) return;
    for (const number of numbers) if (/\d{4}/.test(this.#valueOf(number))) number.key = name.toLowerCase();
  }

  #of(frame: Frame): Named {
    let entry = this.#named.get(frame);
    if (entry === undefined) this.#named.set(frame, (entry = {}));
    return entry;
  }
}
