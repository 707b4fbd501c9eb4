import type { ServerResponse } from "node:http";

export interface ToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface Failure {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

/** An answer as it goes over the wire. */
export interface Frames {
  readonly status: number;
  readonly reason?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: readonly Uint8Array[];
}

export interface Pace {
  /** milliseconds before the head */
  readonly first?: number;
  /** milliseconds before each further part */
  readonly each?: number;
}

/** Writes frames to a response, well or badly. Ends when nothing more will be written. */
export type Deliver = (response: ServerResponse, frames: Frames, pace: Pace) => Promise<void>;

/** What the model says to one request. All fields are optional: an empty answer is an empty text. */
export interface Answer {
  /** one text per choice where the request asks for more than one */
  readonly text?: string | readonly string[];
  readonly thinking?: string;
  readonly calls?: readonly ToolCall[];
  /** number of text deltas in a stream */
  readonly pieces?: number;
  /** an error instead of an answer */
  readonly failure?: Failure;
  /** an error event in the middle of a stream */
  readonly interrupt?: Failure;
  /** a JSON document instead of a model's answer, for paths that are no model's */
  readonly json?: unknown;
  readonly status?: number;
  readonly reason?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly pace?: Pace;
  readonly deliver?: Deliver;
}
