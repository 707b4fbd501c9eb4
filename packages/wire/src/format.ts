import type { Answer, Failure } from "./answer.ts";
import type { Ask } from "./ask.ts";
import type { Json } from "./json.ts";

/** One wire format of a provider: how a request is read and an answer written. */
export interface Format {
  readonly name: string;
  /** of the path without its query */
  readonly path: RegExp;
  /** content type of a stream; default: `text/event-stream; charset=utf-8` */
  readonly mime?: string;
  /** name of the header that holds the request's id; default: `x-request-id` */
  readonly idHeader?: string;
  /** the request in the form of OpenAI's chat: model, stream, system, messages, tools; default: the body is in it */
  read?(body: Json, path: string): Json;
  document(ask: Ask, answer: Answer): unknown;
  /** the events of a stream; absent: the format has none */
  events?(ask: Ask, answer: Answer): (string | Uint8Array)[];
  /** a body of bytes, in parts, with its content type, instead of a document */
  bytes?(ask: Ask): { readonly mime: string; readonly parts: Uint8Array[] };
  /** the document of an error */
  failure(failure: Failure, ask: Ask): Json;
  /** an error in the middle of a stream */
  failureEvent?(failure: Failure, ask: Ask): string | Uint8Array;
}
