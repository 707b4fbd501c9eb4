export interface ToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface Failure {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

/** What a model says to one request. All fields are optional: an empty answer is an empty text. */
export interface Answer {
  /** one text per choice where the request asks for more than one */
  readonly text?: string | readonly string[];
  readonly thinking?: string;
  readonly calls?: readonly ToolCall[];
  /** the text deltas of a stream, or their number; default: one for about every six letters */
  readonly pieces?: number | readonly string[];
  /** the model that the answer names; default: that of the request, with a date or version */
  readonly model?: string;
  /** an error instead of an answer */
  readonly failure?: Failure;
  /** an error event in the middle of a stream */
  readonly interrupt?: Failure;
  /** a JSON document instead of a model's answer, for paths that are no model's */
  readonly json?: unknown;
  readonly status?: number;
  readonly reason?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
