import { EventEmitter } from "node:events";
import * as types from "node:util/types";
import { className } from "./error-class.ts";

/**
 * Whether an instance of a class is nothing more than its own enumerable data. Handles, streams, promises and
 * everything that lives in internal slots or private fields alone is not.
 */
export function isOwnDataOnly(value: object): boolean {
  if (value instanceof EventEmitter || value instanceof EventTarget) return false;
  if (types.isPromise(value) || types.isWeakMap(value) || types.isWeakSet(value) || types.isExternal(value))
    return false;
  if (types.isGeneratorObject(value) || types.isMapIterator(value) || types.isSetIterator(value)) return false;
  if (types.isKeyObject(value) || types.isArgumentsObject(value)) return types.isArgumentsObject(value);
  if ("then" in value && typeof value.then === "function") return false;
  return Object.keys(value).length > 0;
}

/**
 * What a request that a server got asks: method, address, and the body where something has read it into a field of its
 * own. No headers: they carry what signs people in. Null for anything else.
 */
export function askedOf(value: object): Readonly<Record<string, unknown>> | null {
  if (!(value instanceof EventEmitter) || className(value) !== "IncomingMessage") return null;
  const own = (key: string): unknown => Object.getOwnPropertyDescriptor(value, key)?.value;
  const [method, url, body] = [own("method"), own("url"), own("body")];
  if (typeof method !== "string" || typeof url !== "string") return null;
  return body === undefined ? { method, url } : { method, url, body };
}

/** What a placeholder says of a value: `function lookup`, `symbol x`, `Socket`. Never throws. */
export function describePlaceholder(value: unknown): string {
  if (typeof value === "symbol") return value.description ? `symbol ${value.description}` : "symbol";
  if (typeof value === "function") {
    try {
      const name: unknown = value.name;
      return typeof name === "string" && name !== "" ? `function ${name}` : "function";
    } catch {
      return "function";
    }
  }
  return className(value as object);
}
