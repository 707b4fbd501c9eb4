import type { Json } from "./json.ts";

export interface ToolOffer {
  readonly name: string;
  readonly schema: Json;
}

/** One message of a request, in words: `text` has images and sounds as their size. */
export interface AskMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly text: string;
  /** names of the tools that an answer of the model asks for */
  readonly asksFor?: readonly string[];
}

/** What a request of a model asks for, in one form for all formats. */
export interface Ask {
  /** name of the format: `chat`, `responses`, `messages`, `gemini`, …; `other` for none of ours */
  readonly api: string;
  readonly method: string;
  /** with its query */
  readonly path: string;
  /** stands in the ids of the answer */
  readonly serial: string;
  readonly model: string;
  readonly stream: boolean;
  /** {} where the body is no JSON object */
  readonly body: Json;
  readonly raw: Buffer;
  /** 0 for a first try; counted by the client's own header, else by equal bodies */
  readonly attempt: number;
  /** the instructions beside the messages and in them; empty: none */
  readonly system: string;
  readonly messages: readonly AskMessage[];
  /** text of the last message that a person wrote */
  readonly lastUser: string;
  /** answers of the model that the request already contains */
  readonly turns: number;
  /** what the tools said since the model's last answer */
  readonly results: readonly string[];
  readonly tools: readonly ToolOffer[];
}
