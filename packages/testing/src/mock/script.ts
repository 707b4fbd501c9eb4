import type { Answer, ToolCall } from "@reenact/wire";
import { type ModelCall, quoted } from "./model-call.ts";

/** The model of a call, or what decides by the whole call. */
export type When = string | RegExp | ((call: Seen) => boolean);

/** A call as a script sees it. */
export type Seen = Omit<ModelCall, "answeredBy">;

export interface AnswerOptions {
  /** answers only calls of this model, or for which this returns true; default: the next call */
  when?: When;
  /** how many calls it answers; default 1; `Infinity`: any number, none too */
  times?: number;
  /** milliseconds before the answer */
  delayMs?: number;
  /** milliseconds before each further part of a stream */
  pauseMs?: number;
  /** of the response */
  headers?: Readonly<Record<string, string>>;
}

export interface ReplyOptions extends AnswerOptions {
  /** reasoning before the answer */
  thinking?: string;
  /** an error in the middle of a stream, after half of its parts */
  breaksWith?: { type?: string; message?: string };
}

export interface ToolCallOptions extends ReplyOptions {
  /** what the model says beside the call */
  text?: string;
  /** the model makes the tool up: without it a tool that the request does not offer is an error */
  notOffered?: boolean;
}

/** One line of a script. */
export interface ScriptLine {
  readonly options: AnswerOptions;
  /** of an error, in words: `reply "Refunded."` */
  readonly words: string;
  /** tools that the request has to offer */
  readonly tools: readonly string[];
  /** `chat`: only a model that speaks is answered with it; `any`: every call of a provider, embeddings too */
  readonly answers: "chat" | "any";
  answer(call: Seen): Answer;
  /** how many calls it still answers */
  left: number;
  used: number;
}

export function replyLine(
  text: string | readonly string[] | ((call: Seen) => string),
  options: ReplyOptions = {},
): ScriptLine {
  if (!(typeof text === "string" || typeof text === "function" || isTexts(text)))
    throw new TypeError(`mockLLM().reply() takes a text, a list of texts or a function, not ${typeof text}`);
  const words = typeof text === "function" ? "reply by a function" : `reply ${quoted([text].flat().join(""))}`;
  return line(words, options, "chat", [], (call) => {
    const said = typeof text === "function" ? text(call) : text;
    if (!(typeof said === "string" || isTexts(said)))
      throw new TypeError(`reply() got ${typeof said} from its function`);
    const pieces = isTexts(said) ? { pieces: said } : {};
    return { text: [said].flat().join(""), ...pieces, ...spoken(options) };
  });
}

export function toolCallLine(calls: readonly ToolCall[], options: ToolCallOptions = {}): ScriptLine {
  if (calls.length === 0) throw new TypeError("mockLLM().toolCalls() takes at least one { name, args }");
  for (const { name, args } of calls) {
    if (typeof name !== "string" || name === "") throw new TypeError("mockLLM().toolCall() takes the name of a tool");
    if (typeof args !== "object" || args === null || Array.isArray(args))
      throw new TypeError(`mockLLM().toolCall(${JSON.stringify(name)}, …) takes the tool's arguments as an object`);
  }
  const names = calls.map(({ name }) => name);
  const words = `toolCall ${names.join(", ")}`;
  return line(words, options, "chat", options.notOffered === true ? [] : names, () => ({
    ...(options.text === undefined ? {} : { text: options.text }),
    calls,
    ...spoken(options),
  }));
}

/** @param status 400 to 599 */
export function errorLine(
  status: number,
  { type, message, ...options }: AnswerOptions & { type?: string; message?: string } = {},
): ScriptLine {
  if (!Number.isInteger(status) || status < 400 || status > 599)
    throw new TypeError(`mockLLM().error() takes a status from 400 to 599, not ${String(status)}`);
  // clients try again at once, not after their back-off
  const headers = { "retry-after-ms": "1", ...options.headers };
  const given = { status, type: type ?? typeOf(status), message: message ?? `mockLLM answers ${String(status)}` };
  return line(`error ${String(status)}`, { ...options, headers }, "any", [], () => ({ failure: given }));
}

export function jsonLine(json: unknown, options: AnswerOptions & { status?: number } = {}): ScriptLine {
  const status = options.status === undefined ? {} : { status: options.status };
  return line("json", options, "any", [], () => ({ json, ...status }));
}

function line(
  words: string,
  options: AnswerOptions,
  answers: ScriptLine["answers"],
  tools: readonly string[],
  answer: (call: Seen) => Answer,
): ScriptLine {
  const { when, times = 1, headers } = options;
  if (!(times > 0)) throw new TypeError(`mockLLM(): times is ${String(times)}, and has to be 1 or more`);
  const condition =
    when === undefined ? "" : typeof when === "function" ? " when its function says so" : ` when ${String(when)}`;
  return {
    options,
    words: `${words}${condition}`,
    tools,
    answers,
    answer: (call) => ({ model: call.model, ...answer(call), ...(headers === undefined ? {} : { headers }) }),
    left: times,
    used: 0,
  };
}

export function isFor({ options: { when } }: ScriptLine, call: Seen): boolean {
  if (when === undefined) return true;
  if (typeof when === "function") return when(call);
  return typeof when === "string" ? call.model === when : when.test(call.model);
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

function spoken({ thinking, breaksWith }: ReplyOptions): Pick<Answer, "thinking" | "interrupt"> {
  const { type = "server_error", message = "the stream broke off" } = breaksWith ?? {};
  return {
    ...(thinking === undefined ? {} : { thinking }),
    ...(breaksWith === undefined ? {} : { interrupt: { status: 500, type, message } }),
  };
}

const TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

function typeOf(status: number): string {
  return TYPES[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
}
