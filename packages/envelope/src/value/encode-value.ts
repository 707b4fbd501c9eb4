import * as types from "node:util/types";
import { type CallProgram, derivedMembers } from "./derived-members.ts";
import { builtInBase, classesDigest, className, classNames } from "./error-class.ts";
import { askedOf, describePlaceholder, isOwnDataOnly } from "./opaque-value.ts";
import { placeholderText } from "./placeholder.ts";
import { CONSTANT, MAX_NODES } from "./typed-value.ts";

/**
 * The typed text of any value (SPEC.md §6), and one line for each thing that cannot come back as it was.
 * Never throws, never touches a proxy, reads each accessor at most once.
 */
export function encodeValue(value: unknown, options: EncodeOptions = {}): EncodedValue {
  return encoded(value, options, Infinity) as EncodedValue;
}

/** Like `encodeValue`, but stops and returns null at a value with more than `most` members at all depths. */
export function encodeUpTo(most: number, value: unknown, options: EncodeOptions = {}): EncodedValue | null {
  return encoded(value, options, most);
}

export interface EncodedValue {
  readonly text: string;
  readonly lossy: string[];
}

function encoded(value: unknown, options: EncodeOptions, most: number): EncodedValue | null {
  try {
    return new Encoder(options, most).run(value);
  } catch (error) {
    if (error === TOO_MANY) return null;
    const what = `value (${error instanceof RangeError ? "too large" : "unreadable"})`;
    return { text: JSON.stringify([["?", what]]), lossy: [`${what} could not be encoded`] };
  }
}

export interface EncodeOptions {
  /**
   * default true; false leaves out the stacks of errors and what their classes make of them, for values that are only compared: paths
   * differ by machine
   */
  stacks?: boolean;
  /** runs methods and accessors of errors; default: calls them */
  call?: CallProgram;
}

const json = JSON.stringify;
const MAX_LINES = 100;
const MOST_NAMES = 1000;
const TOO_MANY = new Error("more members than were asked for");

class Encoder {
  private readonly nodes: string[] = [];
  private readonly indexes = new Map<unknown, number>();
  private readonly names = new Map<string, string>();
  /** values whose node is still to be written, with their path for people; breadth first, so never recursive */
  private readonly queue: { index: number; value: unknown; path: string; isPrivate: boolean }[] = [];
  private readonly lossy: string[] = [];
  /** whether what is read now stands in a private member of an error: what is lost there is reported only if it is reached elsewhere too */
  private isPrivate = false;
  private readonly privates = new Set<number>();
  private readonly lostInPrivates: string[] = [];
  private sharesPrivates = false;
  private readonly stacks: boolean;
  private readonly call: CallProgram;
  private room: number;

  constructor({ stacks = true, call = (fn) => fn() }: EncodeOptions, most: number) {
    this.stacks = stacks;
    this.call = call;
    this.room = most;
  }

  run(value: unknown): { text: string; lossy: string[] } {
    const root = this.ref(value, "");
    if (root < 0) return { text: String(root), lossy: this.lossy };
    for (let at = 0; at < this.queue.length; at++) {
      const { index, value: next, path, isPrivate } = this.queue[at]!;
      this.isPrivate = isPrivate;
      this.nodes[index] = this.node(next, path);
    }
    if (this.sharesPrivates) this.lossy.push(...this.lostInPrivates.slice(0, MAX_LINES - this.lossy.length));
    // before they are joined, so that a long text is copied once
    const { nodes } = this;
    nodes[0] = `[${nodes[0]}`;
    nodes.push(`${nodes.pop()}]`);
    return { text: nodes.length === 1 ? nodes[0] : nodes.join(","), lossy: this.lossy };
  }

  private ref(value: unknown, path: string): number {
    if (--this.room < 0) throw TOO_MANY;
    if (value === undefined) return CONSTANT.undefined;
    if (typeof value === "number") {
      if (Number.isNaN(value)) return CONSTANT.nan;
      if (value === Infinity) return CONSTANT.infinity;
      if (value === -Infinity) return CONSTANT.minusInfinity;
      if (Object.is(value, -0)) return CONSTANT.minusZero;
    }
    const known = this.indexes.get(value);
    if (known !== undefined) {
      if (!this.isPrivate && this.privates.has(known)) this.sharesPrivates = true;
      return known;
    }
    const index = this.nodes.length;
    this.nodes.push("null");
    if (this.isPrivate) this.privates.add(index);
    const full = index >= MAX_NODES;
    if (!full) this.indexes.set(value, index);
    if (full) this.nodes[index] = this.lose(path, "more than 1,000,000 values");
    else this.queue.push({ index, value, path, isPrivate: this.isPrivate });
    return index;
  }

  /** Index of a value that holds no other, which most do; null: it has to be looked at. */
  private leaf(value: unknown): number | null {
    const type = typeof value;
    if (type === "number" ? !isPlainNumber(value as number) : type !== "string" && type !== "boolean" && value !== null)
      return null;
    if (--this.room < 0) throw TOO_MANY;
    const known = this.indexes.get(value);
    if (known !== undefined) return known;
    const index = this.nodes.length;
    if (index >= MAX_NODES) return null;
    this.indexes.set(value, index);
    this.nodes.push(json(value));
    return index;
  }

  /** JSON of a name; an array of objects has the same ones again and again. */
  private name(key: string): string {
    let text = this.names.get(key);
    if (text === undefined) {
      text = json(key);
      if (this.names.size < MOST_NAMES) this.names.set(key, text);
    }
    return text;
  }

  private lose(path: string, what: string): string {
    this.say(path, `${what} could not be encoded`);
    return json(["?", what]);
  }

  private say(path: string, line: string): void {
    const lines = this.isPrivate ? this.lostInPrivates : this.lossy;
    if (lines.length < MAX_LINES) lines.push(`${path === "" ? "value" : path}: ${line}`);
  }

  private node(value: unknown, path: string): string {
    switch (typeof value) {
      case "bigint":
        return json(["BigInt", String(value)]);
      case "symbol": {
        const key = Symbol.keyFor(value);
        return key === undefined ? this.lose(path, describePlaceholder(value)) : json(["Symbol", key]);
      }
      case "function":
        return this.lose(path, describePlaceholder(value));
      case "object":
        if (value === null) return "null";
        try {
          return this.object(value, path);
        } catch (error) {
          if (error === TOO_MANY) throw error;
          return this.lose(path, `${className(value)} (${error instanceof Error ? error.name : "threw"} when read)`);
        }
      default:
        return json(value);
    }
  }

  private object(value: object, path: string): string {
    if (types.isProxy(value)) return this.lose(path, "proxy");
    const lost = placeholderText(value);
    if (lost !== null) return json(["?", lost]);
    if (Array.isArray(value)) return this.array(value, path);
    if (types.isNativeError(value) || value instanceof DOMException || value instanceof Error)
      return this.error(value, path);
    const special = this.special(value, path);
    if (special !== null) {
      this.noteExtra(value, path);
      return special;
    }
    const proto: unknown = Object.getPrototypeOf(value);
    if (proto === null && !types.isModuleNamespaceObject(value)) {
      return `["null",${this.members(value, path, true)},${this.members(value, path, false)}]`;
    }
    if (types.isModuleNamespaceObject(value) || isPlainPrototype(proto)) {
      const hidden = this.members(value, path, false);
      const own = this.members(value, path, true);
      return hidden === "{}" ? own : `["object",${own},${hidden}]`;
    }
    const asked = askedOf(value);
    if (asked !== null) {
      this.say(path, `${className(value)} kept as what it asks`);
      return `["Instance",${json(className(value))},${this.members(asked, path, true)}]`;
    }
    if (!isOwnDataOnly(value)) return this.lose(path, describePlaceholder(value));
    this.say(path, `${className(value)} kept as its own data`);
    return `["Instance",${json(className(value))},${this.members(value, path, true)}]`;
  }

  private special(value: object, path: string): string | null {
    if (types.isDate(value)) {
      const time = Date.prototype.getTime.call(value);
      return json(["Date", Number.isNaN(time) ? null : time]);
    }
    if (types.isRegExp(value)) return json(["RegExp", value.source, value.flags, value.lastIndex]);
    if (types.isMap(value)) {
      const refs = Array.from(Map.prototype.entries.call(value) as Iterable<[unknown, unknown]>, ([key, item], at) => [
        this.ref(key, `${path}.key(${at})`),
        this.ref(item, `${path}.get(${at})`),
      ]).flat();
      return `[${['"Map"', ...refs].join(",")}]`;
    }
    if (types.isSet(value)) {
      const refs = Array.from(Set.prototype.values.call(value) as Iterable<unknown>, (item, at) =>
        this.ref(item, `${path}.item(${at})`),
      );
      return `[${['"Set"', ...refs].join(",")}]`;
    }
    if (types.isAnyArrayBuffer(value)) {
      if (types.isSharedArrayBuffer(value)) this.say(path, "shared memory kept as a copy");
      return base64Node("ArrayBuffer", Buffer.from(value));
    }
    if (ArrayBuffer.isView(value)) return this.view(value, path);
    if (types.isBoxedPrimitive(value)) return `["Boxed",${this.ref(value.valueOf(), path)}]`;
    if (value instanceof URL) return json(["URL", value.href]);
    if (value instanceof URLSearchParams) return json(["URLSearchParams", value.toString()]);
    if (value instanceof Headers) {
      const refs = [...value].flatMap(([name, text]) => [this.ref(name, path), this.ref(text, `${path}.get(${name})`)]);
      return `[${['"Headers"', ...refs].join(",")}]`;
    }
    return null;
  }

  private view(value: ArrayBufferView, path: string): string {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    if (Buffer.isBuffer(value)) return base64Node("Buffer", bytes);
    const tag = types.isTypedArray(value) ? value[Symbol.toStringTag] : "DataView";
    const whole = value.byteLength === value.buffer.byteLength;
    return `[${json(tag)},${whole ? this.ref(value.buffer, `${path}.buffer`) : json(bytes.toString("base64"))}]`;
  }

  private array(value: readonly unknown[], path: string): string {
    this.noteClass(value, Array, path);
    const keys = Object.keys(value);
    const dense = keys.length <= value.length && (keys.length === 0 || isIndexBelow(keys.at(-1)!, value.length));
    if (dense && value.length - keys.length <= 8 + keys.length) {
      const refs: number[] = [];
      for (let at = 0; at < value.length; at++) {
        refs.push(Object.hasOwn(value, at) ? this.read(value, at, path) : CONSTANT.hole);
      }
      return `[${refs.join(",")}]`;
    }
    return `["Array",${value.length},${this.members(value, path, true)}]`;
  }

  private error(value: Error, path: string): string {
    const { name }: { name: unknown } = value;
    // before its own members are listed
    const derived = this.stacks ? derivedMembers(value, this.call) : {};
    const digest = this.stacks ? classesDigest(value) : "";
    const head = [classNames(value), builtInBase(value), String(name), messageOf(value), digest].map((part) =>
      json(part),
    );
    const refs = new Map(
      Object.entries(derived).map(([key, item]) => [key, this.leaf(item) ?? this.ref(item, pathOf(path, key))]),
    );
    const made = Array.from(refs, ([key, ref]) => `${this.name(key)}:${ref}`);
    return `["Error",${[...head, `{${made.join(",")}}`, ...this.ownOfError(value, path, refs)].join(",")}]`;
  }

  /** Own members of an error in their order, in groups: those that are not enumerable, those that are, and so on in turns. */
  private ownOfError(value: Error, path: string, derived: ReadonlyMap<string, number>): string[] {
    const groups: string[][] = [];
    for (const key of Reflect.ownKeys(value)) {
      const { enumerable = false, ...own } = Object.getOwnPropertyDescriptor(value, key) ?? {};
      if (typeof key === "symbol") {
        if (enumerable) this.say(path, `property ${String(key)} left out`);
        continue;
      }
      if ((key === "stack" && !this.stacks) || (key === "message" && !holdsMessage(value))) continue;
      // a method whose outcome is kept is known by it
      const made = typeof own.value === "function" ? derived.get(key) : undefined;
      const ref = made ?? this.memberOfError(value, key, path, enumerable);
      while (groups.length === 0 || (groups.length % 2 === 0) !== enumerable) groups.push([]);
      groups.at(-1)?.push(`${this.name(key)}:${ref}`);
    }
    return groups.map((group) => `{${group.join(",")}}`);
  }

  private memberOfError(value: Error, key: string, path: string, enumerable: boolean): number {
    const before = this.isPrivate;
    this.isPrivate ||= !enumerable && key.startsWith("_");
    try {
      return this.read(value, key, path);
    } finally {
      this.isPrivate = before;
    }
  }

  private members(value: object, path: string, enumerable: boolean): string {
    const parts: string[] = [];
    const keys = Reflect.ownKeys(value);
    const uniform = keys.length === Object.keys(value).length;
    if (uniform && !enumerable) return "{}";
    for (const key of keys) {
      if (!uniform && Object.prototype.propertyIsEnumerable.call(value, key) !== enumerable) continue;
      if (typeof key === "symbol") {
        if (enumerable) this.say(path, `property ${String(key)} left out`);
      } else if (!(key === "length" && Array.isArray(value))) {
        parts.push(`${this.name(key)}:${this.read(value, key, path)}`);
      }
    }
    return `{${parts.join(",")}}`;
  }

  /** Reference to a property; one that throws when it is read is a placeholder. */
  private read(value: object, key: string | number, parent: string): number {
    let item: unknown;
    try {
      item = (value as Record<string | number, unknown>)[key];
    } catch (error) {
      const path = pathOf(parent, key);
      this.nodes.push(this.lose(path, `property that throws ${error instanceof Error ? className(error) : "a value"}`));
      return this.nodes.length - 1;
    }
    return this.leaf(item) ?? this.ref(item, pathOf(parent, key));
  }

  private noteExtra(value: object, path: string): void {
    if (ArrayBuffer.isView(value) || types.isBoxedPrimitive(value)) return;
    if (Object.keys(value).length > 0) this.say(path, `own properties of ${className(value)} left out`);
    const tag = Object.prototype.toString.call(value).slice(8, -1);
    if (className(value) !== tag) this.say(path, `class ${className(value)} kept as ${tag}`);
  }

  private noteClass(value: object, expected: { name: string }, path: string): void {
    if (className(value) !== expected.name) this.say(path, `class ${className(value)} kept as ${expected.name}`);
  }
}

/** Whether the message is an own member that can be read. */
function holdsMessage(error: Error): boolean {
  const own = Object.getOwnPropertyDescriptor(error, "message");
  return own !== undefined && (own.get === undefined || readMessage(error) !== null);
}

/** The message of an error that does not hold it itself: a class may make it by an accessor. Null: there is none. */
function messageOf(error: Error): string | null {
  if (holdsMessage(error)) return null;
  const message = readMessage(error);
  return message !== "" || error instanceof DOMException ? message : null;
}

function readMessage(error: Error): string | null {
  try {
    const { message }: { message: unknown } = error;
    return typeof message === "string" ? message : null;
  } catch {
    return null;
  }
}

/** Nothing in base64 is escaped in JSON. */
function base64Node(tag: string, bytes: Buffer): string {
  return `["${tag}","${bytes.toString("base64")}"]`;
}

function pathOf(parent: string, key: string | number): string {
  if (typeof key === "number") return `${parent}[${key}]`;
  return parent === "" ? key : `${parent}.${key}`;
}

/** Written as JSON has it. */
function isPlainNumber(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

/** `Object.prototype` of this or of another realm. */
function isPlainPrototype(proto: unknown): boolean {
  return (
    proto === Object.prototype ||
    (typeof proto === "object" &&
      proto !== null &&
      Object.getPrototypeOf(proto) === null &&
      Object.hasOwn(proto, "isPrototypeOf"))
  );
}

function isIndexBelow(key: string, length: number): boolean {
  const index = Number(key);
  return Number.isInteger(index) && index >= 0 && index < length && String(index) === key;
}
