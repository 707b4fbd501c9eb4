import { guardSockets } from "./guard-sockets.ts";
import { interceptFetch } from "./intercept-fetch.ts";
import { interceptHttp } from "./intercept-http.ts";
import { installOnce, withResponder } from "./intercepted.ts";
import { MockError } from "./mock-error.ts";
import type { ModelCall } from "./model-call.ts";
import {
  type AnswerOptions,
  errorLine,
  jsonLine,
  replyLine,
  type ReplyOptions,
  type ScriptLine,
  type Seen,
  toolCallLine,
  type ToolCallOptions,
} from "./script.ts";
import { ScriptResponder } from "./script-responder.ts";

// A client keeps the `fetch` that was there when it was made, which may be when its module is imported.
installOnce(() => {
  interceptFetch();
  interceptHttp();
  guardSockets();
});

export interface MockOptions {
  /** hosts that requests and connections may go to that are no calls of a model, or `"all"`; default: only this machine's loopback */
  pass?: readonly string[] | "all";
}

/** A model that says what the test tells it to. Each of its answers is for one call, in their order. */
export interface MockLLM {
  /** The model says a text. A list: the parts of a stream. A function makes it from the call. */
  reply(text: string | readonly string[] | ((call: Seen) => string), options?: ReplyOptions): this;
  /** The model asks for one tool. */
  toolCall(name: string, args?: Readonly<Record<string, unknown>>, options?: ToolCallOptions): this;
  /** The model asks for several tools at once. */
  toolCalls(
    calls: readonly { readonly name: string; readonly args?: Readonly<Record<string, unknown>> }[],
    options?: ToolCallOptions,
  ): this;
  /** The provider answers with an error: 429, 500, … */
  error(status: number, options?: AnswerOptions & { type?: string; message?: string }): this;
  /** The provider answers with this document, whatever was asked: for embeddings and other operations. */
  json(value: unknown, options?: AnswerOptions & { status?: number }): this;
  /** The calls of models that were made, in their order. */
  readonly calls: readonly ModelCall[];
  /**
   * Calls `fn`; every call of a model that it makes is answered by the script. Resolves to what `fn` returns.
   *
   * @throws MockError if a call was made that no answer is for, even where `fn` caught its error, or if answers are left
   */
  run<T>(fn: () => T | PromiseLike<T>): Promise<T>;
}

/**
 * A scripted model for a test: no key, no network, no server. It answers every official client over `fetch` and `node:http(s)`.
 *
 * @example
 * const llm = mockLLM().toolCall("look_up_order", { id: "A-17" }).reply("Refunded.");
 * const answer = await llm.run(() => desk("Please refund A-17."));
 */
export function mockLLM({ pass = [] }: MockOptions = {}): MockLLM {
  const lines: ScriptLine[] = [];
  const responder = new ScriptResponder(lines, pass);
  let hasRun = false;
  const add = (line: ScriptLine): MockLLM => {
    lines.push(line);
    return mock;
  };
  const mock: MockLLM = {
    reply: (text, options) => add(replyLine(text, options)),
    toolCall: (name, args = {}, options = {}) => add(toolCallLine([{ name, args }], options)),
    toolCalls: (calls, options) =>
      add(
        toolCallLine(
          calls.map(({ name, args = {} }) => ({ name, args })),
          options,
        ),
      ),
    error: (status, options) => add(errorLine(status, options)),
    json: (value, options) => add(jsonLine(value, options)),
    calls: responder.calls,
    async run(fn) {
      if (hasRun) throw new TypeError("run() of a mockLLM() can be called once: make a new one for each test");
      hasRun = true;
      return withResponder(responder, () => watched(responder, fn));
    },
  };
  return mock;
}

async function watched<T>(responder: ScriptResponder, fn: () => T | PromiseLike<T>): Promise<T> {
  let value: T;
  try {
    value = await fn();
  } catch (error) {
    const [failure] = responder.failures;
    if (failure === undefined) throw error;
    failure.cause ??= error;
    throw failure;
  } finally {
    responder.end();
  }
  const [failure] = responder.failures;
  if (failure !== undefined) throw failure;
  const unused = responder.unused();
  if (unused.length === 0) return value;
  const { length } = responder.calls;
  const made =
    length === 0 ? "no call of a model was made" : `${String(length)} call${length === 1 ? " was" : "s were"} made`;
  throw new MockError(
    "UNUSED_ANSWERS",
    `${made}, and these answers were not asked for: ${unused.map(({ words, used }) => (used > 0 ? `${words} (given ${String(used)} times)` : words)).join("; ")}`,
    length === 0
      ? "check that the code runs inside run(), and that its client uses fetch or node:http"
      : "remove them, or find out why the agent ended early",
  );
}
