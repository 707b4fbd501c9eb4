import type { AskMessage, Json, ToolOffer } from "@reenact/wire";

/** One call of a model that the code under test has made. */
export interface ModelCall {
  /** from 1, in the order in which the calls came */
  readonly n: number;
  /** provider and operation: `openai.chat`, `openai.responses`, `anthropic.messages`, … */
  readonly operation: string;
  readonly model: string;
  readonly stream: boolean;
  /** the instructions, wherever the format has them; empty: none */
  readonly system: string;
  /** all messages, the oldest first; pictures and sounds as their size */
  readonly messages: readonly AskMessage[];
  /** text of the last message of the user */
  readonly lastUser: string;
  /** what the tools returned since the model's last answer */
  readonly toolResults: readonly string[];
  /** the tools that the request offers */
  readonly tools: readonly ToolOffer[];
  /** the request's body as JSON; {} where it is none */
  readonly body: Json;
  readonly method: string;
  readonly url: string;
  /** by lower-case names */
  readonly headers: Readonly<Record<string, string>>;
  /** what answered it, in words, such as `reply "Refunded."`; null: nothing did */
  readonly answeredBy: string | null;
}

const SHOWN = 80;

/** A call in one line of an error. */
export function wordsOf(call: Omit<ModelCall, "answeredBy">): string {
  const said = call.lastUser === "" ? "" : `; last message of the user: ${quoted(call.lastUser)}`;
  const results = call.toolResults.map(quoted).join(", ");
  return `${call.operation} (${call.model || "no model"})${said}${results === "" ? "" : `; tools returned: ${results}`}`;
}

export function quoted(text: string): string {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}
