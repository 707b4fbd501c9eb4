import { isUtf8 } from "node:buffer";
import { recogniseCall } from "@reenact/replay";
import { type Answer, type Ask, formatOf, framesOf, readAsk } from "@reenact/wire";
import type { InterceptedRequest, Outcome, Responder } from "./intercepted.ts";
import { MockError, type MockErrorCode } from "./mock-error.ts";
import { type ModelCall, quoted, wordsOf } from "./model-call.ts";
import { isFor, type ScriptLine, type Seen } from "./script.ts";

type Operation = NonNullable<ReturnType<typeof recogniseCall>>;

/** Answers the calls of one test by its script. */
export class ScriptResponder implements Responder {
  readonly calls: ModelCall[] = [];
  readonly failures: MockError[] = [];
  readonly #lines: readonly ScriptLine[];
  readonly #pass: readonly string[] | "all";
  #isOver = false;

  /** `pass`: hosts that requests may go to that are no calls of a model */
  constructor(lines: readonly ScriptLine[], pass: readonly string[] | "all") {
    this.#lines = lines;
    this.#pass = pass;
  }

  /** The test has ended: what comes now is answered with an error. */
  end(): void {
    this.#isOver = true;
  }

  mayAnswer(url: URL): boolean {
    if (!isLoopback(url.hostname)) return true;
    // a server of the test itself: only its paths that a model could have are read, and none where the test names it
    return !this.#pass.includes(url.hostname) && formatOf(url.pathname) !== null;
  }

  respond(request: InterceptedRequest): Outcome {
    const operation = recognise(request);
    if (operation === null) return this.#other(request);
    const n = this.calls.length + 1;
    const ask = askOf(request, n);
    const call = callOf(request, ask, operation, n);
    try {
      const line = this.#isOver ? undefined : this.#lineFor(call, operation);
      this.calls.push({ ...call, answeredBy: line?.words ?? null });
      return line === undefined ? this.#unexpected(call, ask) : this.#answer(line, call, ask);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const message = `a function of the script threw for call ${String(n)}, ${wordsOf(call)}: ${why}`;
      return this.#fail(new MockError("BAD_SCRIPT", message, "correct that function of the test", { cause }), ask);
    }
  }

  #answer(line: ScriptLine, call: Seen, ask: Ask): Outcome {
    line.left -= 1;
    line.used += 1;
    const trouble = troubleOf(line, call, ask);
    if (trouble !== null) return this.#fail(trouble, ask);
    const { delayMs = 0, pauseMs = 0 } = line.options;
    return { frames: framesOf(ask, line.answer(call)), delayMs, pauseMs };
  }

  /** Lines that answered nothing. */
  unused(): readonly ScriptLine[] {
    return this.#lines.filter(({ left, options }) => left > 0 && options.times !== Infinity);
  }

  refusal({ host, port }: { readonly host: string; readonly port: string }): MockError | null {
    if (this.#mayReach(host)) return null;
    const error = new MockError(
      "REFUSED_REQUEST",
      `a connection to ${host}:${port} was asked for past fetch and node:http: by HTTP/2, undici's request(), a database, or a client that was made before @reenact/testing was imported`,
      `import @reenact/testing first, give the client a transport over fetch or node:http, or allow it: mockLLM({ pass: [${JSON.stringify(host)}] })`,
    );
    this.failures.push(error);
    return error;
  }

  #mayReach(host: string): boolean {
    return isLoopback(host) || this.#pass === "all" || this.#pass.includes(host);
  }

  #lineFor(call: Seen, { kind }: Operation): ScriptLine | undefined {
    return this.#lines.find((line) => line.left > 0 && (line.answers === "any" || kind === "LLM") && isFor(line, call));
  }

  #unexpected(call: Seen, ask: Ask): Outcome {
    const nth = `call ${String(call.n)} was not expected: ${wordsOf(call)}`;
    if (this.#isOver)
      return this.#fail(
        new MockError(
          "UNEXPECTED_CALL",
          `${nth}. It came after run() had ended`,
          "await in the test what makes this call",
        ),
        ask,
      );
    const left = this.unused().map(({ words }) => words);
    const given = this.#lines.filter(({ used }) => used > 0).map(({ words }) => words);
    const state =
      left.length > 0
        ? `No answer that is left is for it: ${left.join("; ")}`
        : given.length > 0
          ? `All answers were given: ${given.join("; ")}`
          : "No answers were given to mockLLM()";
    return this.#fail(
      new MockError(
        "UNEXPECTED_CALL",
        `${nth}. ${state}`,
        "add .reply(…), .toolCall(…) or, for embeddings and the like, .json(…), or find out in the calls of the mock why it is made",
      ),
      ask,
    );
  }

  #fail(error: MockError, ask: Ask): Outcome {
    this.failures.push(error);
    return { frames: framesOf(ask, refusal(error.message)), delayMs: 0, pauseMs: 0 };
  }

  #other({ method, url }: InterceptedRequest): Outcome {
    if (this.#mayReach(url.hostname)) return "pass";
    const error = new MockError(
      "REFUSED_REQUEST",
      `${method} ${url.origin}${url.pathname} is no call of a model, and a test with mockLLM() reaches no other host`,
      `mockLLM({ pass: [${JSON.stringify(url.hostname)}] }), or replace what makes this request`,
    );
    this.failures.push(error);
    return { error };
  }
}

/** No client tries it again. */
function refusal(message: string): Answer {
  return { failure: { status: 400, type: "invalid_request_error", message }, headers: { "x-should-retry": "false" } };
}

function troubleOf({ tools, words, answers }: ScriptLine, call: Seen, ask: Ask): MockError | null {
  const trouble = (code: MockErrorCode, message: string, next: string): MockError =>
    new MockError(code, `call ${String(call.n)}, ${wordsOf(call)}: ${message}`, next);
  if (answers === "chat" && ask.api === "other")
    return trouble(
      "NO_FORMAT",
      `the format of ${call.method} ${new URL(call.url).pathname} cannot be written`,
      "answer it with .json(…)",
    );
  const offered = call.tools.map(({ name }) => name);
  const lacking = tools.filter((name) => !offered.includes(name));
  if (lacking.length === 0) return null;
  return trouble(
    "TOOL_NOT_OFFERED",
    `the answer "${words}" calls ${lacking.map(quoted).join(", ")}, and the request offers ${offered.map(quoted).join(", ") || "no tool"}`,
    "correct the name, give the tool to the model, or set { notOffered: true } if the model is to make it up",
  );
}

function recognise({ method, url, headers, raw }: InterceptedRequest): Operation | null {
  return recogniseCall({ method, url, headers: [...headers], body: isUtf8(raw) ? raw.toString("utf8") : null });
}

function askOf({ method, url, headers, raw }: InterceptedRequest, n: number): Ask {
  const path = `${url.pathname}${url.search}`;
  const retryCount = headers.get("x-stainless-retry-count");
  return readAsk({ method, path, retryCount, raw }, `smockn${String(n).padStart(6, "0")}`);
}

function callOf({ method, url, headers }: InterceptedRequest, ask: Ask, { op }: Operation, n: number): Seen {
  const { model, stream, system, messages, lastUser, results: toolResults, tools, body } = ask;
  const request = { method, url: url.href, headers: Object.fromEntries(headers) };
  return { n, operation: op, model, stream, system, messages, lastUser, toolResults, tools, body, ...request };
}

function isLoopback(host: string): boolean {
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}
