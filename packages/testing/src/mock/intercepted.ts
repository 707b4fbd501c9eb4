import { AsyncLocalStorage } from "node:async_hooks";
import type { Frames } from "@reenact/wire";

/** A request that the code under test makes, whole. */
export interface InterceptedRequest {
  readonly method: string;
  readonly url: URL;
  /** by lower-case names */
  readonly headers: ReadonlyMap<string, string>;
  readonly raw: Buffer;
}

/** What becomes of it: an answer, an error that the client gets, or the network. */
export type Outcome =
  | { readonly frames: Frames; readonly delayMs: number; readonly pauseMs: number }
  | { readonly error: Error }
  | "pass";

/** Who answers the requests of one test. */
export interface Responder {
  /** false: the request goes to the network before its body is read */
  mayAnswer(url: URL): boolean;
  respond(request: InterceptedRequest): Outcome;
  /** Why a connection may not be opened; null: it may. */
  refusal(target: { readonly host: string; readonly port: string }): Error | null;
}

interface State {
  readonly responders: AsyncLocalStorage<Responder | undefined>;
  isInstalled: boolean;
}

const KEY = Symbol.for("reenact.mockLLM");

/** One for all copies of this module in the process: a test runner may load it anew for each file. */
function state(): State {
  const found: unknown = Reflect.get(globalThis, KEY);
  if (found !== undefined) return found as State;
  const made: State = { responders: new AsyncLocalStorage(), isInstalled: false };
  Object.defineProperty(globalThis, KEY, { value: made });
  return made;
}

/** The responder of the test whose code runs; undefined: none, and requests are let through. */
export function responderHere(): Responder | undefined {
  return state().responders.getStore();
}

export function withResponder<T>(responder: Responder | undefined, fn: () => T): T {
  return state().responders.run(responder, fn);
}

/** Calls `install` once in this process. */
export function installOnce(install: () => void): void {
  if (state().isInstalled) return;
  state().isInstalled = true;
  install();
}
