import type { CallProgram } from "./derived-members.ts";
import { classesDigest, type FindErrorClass, errorOfClass, isBuiltInError } from "./error-class.ts";
import { showDerived } from "./show-derived.ts";
import { setOwn } from "../json/json-node.ts";
import { placeholder } from "./placeholder.ts";
import { badValue, CONSTANT, isViewTag, VIEWS, type ViewTag } from "./typed-value.ts";

type Fill = (ref: (index: unknown) => unknown) => void;
interface Shell {
  value: unknown;
  /** sets what the shell refers to, once every shell exists: so cycles need no recursion */
  fill?: Fill;
  /** what needs the whole value */
  finish?: () => void;
}

export interface DecodeOptions {
  /** the classes of errors that the program has; default: none, so that errors are of look-alike classes */
  errorClass?: FindErrorClass;
  /** runs methods and accessors of these classes; default: calls them */
  call?: CallProgram;
}

interface Decoding extends DecodeOptions {
  readonly list: readonly unknown[];
  /** nothing in the text stands for what could not be encoded */
  readonly isWhole: boolean;
}

/**
 * The value of a typed text. Revives no constructor and no prototype that the text names, but for the built-in
 * errors, and errors for which `errorClass` gives a class. Throws `BAD_VALUE`.
 */
export function decodeValue(text: string, options: DecodeOptions = {}): unknown {
  let nodes: unknown;
  try {
    nodes = JSON.parse(text);
  } catch (error) {
    throw badValue("no JSON", error);
  }
  if (typeof nodes === "number") return constant(nodes);
  if (!Array.isArray(nodes) || nodes.length === 0) throw badValue("no list of nodes");
  return decodeNodes(nodes, options);
}

function decodeNodes(list: readonly unknown[], options: DecodeOptions): unknown {
  const isWhole = !list.some((node) => isNode(node, "?") || isNode(node, "Instance"));
  const decoding = { ...options, list, isWhole };
  const shells: Shell[] = list.map((node) =>
    isNode(node, "Boxed") || isView(node) ? { value: undefined } : shell(node, decoding),
  );
  const ref = (index: unknown) => {
    if (typeof index !== "number" || !Number.isInteger(index) || index >= shells.length)
      throw badValue(`bad reference ${String(index)}`);
    return index < 0 ? constant(index) : shells[index]!.value;
  };
  // These refer to finished values (a primitive, a buffer), never to each other.
  for (const [index, node] of list.entries()) {
    if (isView(node)) shells[index] = { value: view(node, list) && viewOf(node, ref) };
    else if (isNode(node, "Boxed")) shells[index] = { value: boxed(ref(node[1])) };
  }
  try {
    for (const each of shells) each.fill?.(ref);
    for (const each of shells) each.finish?.();
  } catch (error) {
    throw error instanceof Error && error.name === "EnvelopeError" ? error : badValue("cannot be built", error);
  }
  return shells[0]!.value;
}

function constant(number: number): unknown {
  switch (number) {
    case CONSTANT.undefined:
      return undefined;
    case CONSTANT.nan:
      return NaN;
    case CONSTANT.infinity:
      return Infinity;
    case CONSTANT.minusInfinity:
      return -Infinity;
    case CONSTANT.minusZero:
      return -0;
    default:
      throw badValue(`unknown constant ${number}`);
  }
}

const isNode = (node: unknown, tag: string): node is [string, ...unknown[]] => Array.isArray(node) && node[0] === tag;
const isView = (node: unknown): node is [ViewTag, unknown] =>
  Array.isArray(node) && typeof node[0] === "string" && isViewTag(node[0]);

function shell(node: unknown, options: Decoding): Shell {
  if (node === null || typeof node !== "object") return { value: node };
  if (!Array.isArray(node)) {
    const value = {};
    return { value, fill: members(value, node, true) };
  }
  return typeof node[0] === "string" ? tagged(node[0], node, options) : array(node);
}

function array(node: readonly unknown[]): Shell {
  const value: unknown[] = [];
  return {
    value,
    fill(ref) {
      value.length = node.length;
      for (const [at, index] of node.entries()) if (index !== CONSTANT.hole) value[at] = ref(index);
    },
  };
}

function tagged(tag: string, node: readonly unknown[], options: Decoding): Shell {
  const [, first, second, third] = node;
  switch (tag) {
    case "Array": {
      if (typeof first !== "number" || !Number.isInteger(first) || first < 0 || first > 4294967295)
        throw badValue("bad array length");
      const value: unknown[] = [];
      value.length = first;
      return { value, fill: members(value, second, true) };
    }
    case "null":
    case "object": {
      const value = tag === "null" ? (Object.create(null) as object) : {};
      return { value, fill: both(members(value, first, true), members(value, second, false)) };
    }
    case "Instance": {
      const value = {};
      return { value, fill: members(value, second, true) };
    }
    case "Map":
    case "Headers":
    case "Set":
      return collection(tag, node);
    case "Error":
      return error(node, options);
    default:
      return { value: scalar(tag, first, second, third) };
  }
}

function collection(tag: "Map" | "Headers" | "Set", node: readonly unknown[]): Shell {
  if (tag === "Set") {
    const value = new Set<unknown>();
    return { value, fill: (ref) => node.slice(1).forEach((index) => value.add(ref(index))) };
  }
  if (node.length % 2 === 0) throw badValue("half an entry");
  const value = tag === "Map" ? new Map<unknown, unknown>() : new Headers();
  return {
    value,
    fill(ref) {
      for (let at = 1; at < node.length; at += 2) {
        const [key, item] = [ref(node[at]), ref(node[at + 1])];
        if (value instanceof Map) value.set(key, item);
        else value.append(String(key), String(item));
      }
    },
  };
}

function scalar(tag: string, first: unknown, second: unknown, third: unknown): unknown {
  if (tag === "Date" && (first === null || typeof first === "number")) return new Date(first ?? NaN);
  if (typeof first !== "string") throw badValue(`bad ${JSON.stringify(tag)} node`);
  try {
    switch (tag) {
      case "BigInt":
        return BigInt(first);
      case "URL":
        return new URL(first);
      case "URLSearchParams":
        return new URLSearchParams(first);
      case "Symbol":
        return Symbol.for(first);
      case "Buffer":
        return Buffer.from(first, "base64");
      case "ArrayBuffer":
        return new Uint8Array(Buffer.from(first, "base64")).buffer;
      case "RegExp": {
        const value = new RegExp(first, String(second));
        value.lastIndex = Number(third);
        return value;
      }
    }
  } catch (error) {
    throw badValue(`bad ${tag}`, error);
  }
  if (tag === "?") return placeholder(String(first));
  throw badValue(`unknown tag ${JSON.stringify(tag)}`);
}

function error(node: readonly unknown[], { errorClass, call = (fn) => fn(), list, isWhole }: Decoding): Shell {
  const [, names, base, name, message, digest, derived, ...groups] = node;
  if (typeof names !== "string" || typeof base !== "string" || typeof name !== "string" || !isBuiltInError(base))
    throw badValue("bad Error node");
  let isOfProgram = false;
  const find: FindErrorClass = (...of) => {
    const Class = errorClass?.(...of) ?? null;
    isOfProgram = Class !== null;
    return Class;
  };
  const text = typeof message === "string" ? message : undefined;
  const own = new Map(groups.flatMap((group) => Object.entries(group ?? {})));
  const held = list[own.get("message") as number];
  const value = errorOfClass(names, base, text ?? (typeof held === "string" ? held : undefined), name, find);
  // they get the places that they have in the record
  for (const key of ["message", "errors"]) Reflect.deleteProperty(value, key);
  if (own.has("stack")) Reflect.deleteProperty(value, "stack");
  const fills = groups.map((group, n) => members(value, group, n % 2 === 1));
  const made = {};
  const fill = members(made, derived, true);
  return {
    value,
    fill(ref) {
      for (const each of fills) each(ref);
      fill(ref);
    },
    finish() {
      const all = { name, ...(text === undefined ? {} : { message: text }), ...made };
      if (!isOfProgram) showDerived(value, all, "look-alike");
      else if (classesDigest(value) === digest) call(() => showDerived(value, all, isWhole ? "whole" : "in part"));
    },
  };
}

const both =
  (a: Fill, b: Fill): Fill =>
  (ref) => (a(ref), b(ref));

function members(target: object, node: unknown, enumerable: boolean): Fill {
  if (node === null || typeof node !== "object" || Array.isArray(node)) throw badValue("bad properties");
  return (ref) => {
    for (const [key, index] of Object.entries(node)) {
      if (enumerable && !Object.hasOwn(target, key) && !(target instanceof Error)) setOwn(target, key, ref(index));
      else Object.defineProperty(target, key, { value: ref(index), enumerable, writable: true, configurable: true });
    }
  };
}

function boxed(value: unknown): unknown {
  if (value === null || value === undefined || typeof value === "object") throw badValue("bad Boxed node");
  return Object(value);
}

/** A view may refer only to a buffer. */
function view([, source]: readonly unknown[], list: readonly unknown[]): true {
  if (typeof source === "string" || (typeof source === "number" && isNode(list[source], "ArrayBuffer"))) return true;
  throw badValue("a view of something that is no buffer");
}

function viewOf([tag, source]: readonly [ViewTag, unknown], ref: (index: unknown) => unknown): ArrayBufferView {
  const buffer =
    typeof source === "string" ? new Uint8Array(Buffer.from(source, "base64")).buffer : (ref(source) as ArrayBuffer);
  try {
    return new VIEWS[tag](buffer);
  } catch (error) {
    throw badValue(`bad ${tag}`, error);
  }
}
