import { recordError } from "@reenact/envelope";
import { type RunFrame, stepFrame, isLive, live } from "../../run/context.ts";
import { recogniseBy } from "../../span/recognise.ts";
import { recogniseFetch } from "../recognise-fetch.ts";
import { originals } from "../../patch/originals.ts";
import { openStep, settle, type OpenStep } from "../../span/open-step.ts";
import type { ExchangeDraft } from "../../span/step-content.ts";
import { collectToolCalls } from "../../span/answer.ts";
import type { Content } from "../../source/answer.ts";
import { isOwnPort } from "../own-ports.ts";
import { roomy } from "../../patch/stack-room.ts";
import { guarded, hasWarned } from "../../fault/faults.ts";
import { isServerMode } from "../../run/server-mode.ts";
import { noteUnrecordedModel } from "../../inbound/agent-signs.ts";
import { recorder } from "../../run/recorder.ts";
import { watchBody } from "../body.ts";
import { exchangeDraft, exchangeStep } from "../exchange-step.ts";
import type { ExchangeSource } from "../exchange-source.ts";
import { HeldExchange } from "../held-exchange.ts";
import { LiveExchange } from "../live-exchange.ts";
import { ServedExchange } from "../served-exchange.ts";
import { type OutgoingRequest, readRequest } from "../request.ts";
import { responseOf, type Head } from "../response.ts";
import type { SendRequest } from "../send-request.ts";
import { errorOfExchange } from "../../span/error-of-exchange.ts";

type Fetch = typeof globalThis.fetch;

/** Bytes of a refused answer that are read ahead. */
const READ_AHEAD = 64 * 1024;

/** Wraps a `fetch`: the global one, or one that a client is given as an option. Recorded once, at the outermost. */
export function watchFetch(fetch: Fetch): Fetch {
  const real = roomy(fetch as (...args: never[]) => unknown) as Fetch;
  const refuse = fetch === originals.fetch ? refuseAsNode : undefined;
  const watched = function fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const frame = stepFrame();
    if (frame === null || isLocal(input)) {
      if (frame === null) guarded("unrecorded", undefined, () => noteUnrecorded(input, init));
      return real(input, init);
    }
    // before its body is touched
    if (isPassed(frame, input, init)) return real(input, init);
    const request = guarded("request", null, () => readRequest(input, init));
    if (request === null) return real(input, init);
    // a call to a server of this very program: its handler is recorded, the loopback between them is not
    if (isOwnPort(request.url)) return live(() => real(input, init));
    return callFetch(frame, request, real, undefined, refuse);
  };
  for (const name of ["name", "length"] as const)
    Object.defineProperty(watched, name, { value: fetch[name], configurable: true });
  return watched;
}

/** Not recorded, in a run whose prelude was dropped and that only an agentic call can begin again. */
function isPassed({ run }: RunFrame, input: RequestInfo | URL, init: RequestInit | undefined): boolean {
  if (!run.resting) return false;
  return guarded("request", true, () => recogniseFetch(run.dialects, input, init)?.agentic !== true);
}

/** A model called in a server, outside every `agent()`: said once, since nothing of it is kept. */
function noteUnrecorded(input: RequestInfo | URL, init: RequestInit | undefined): void {
  if (!isServerMode() || isLive() || hasWarned("unrecorded")) return;
  const request = readRequest(input, init);
  if (request === null || request.body instanceof Promise) return;
  if (recogniseBy(recorder.dialects, request.method, request.url, request.headers, request.body)?.agentic)
    noteUnrecordedModel();
}

/** `data:` and `blob:` never leave the process (an SDK probes with one before an upload). */
function isLocal(input: RequestInfo | URL): boolean {
  return /^(data|blob):/i.test(
    typeof input === "string" ? input : input instanceof URL ? input.href : (input?.url ?? ""),
  );
}

/** A call that was aborted. */
type Refuse = (reason: unknown) => Promise<never>;

const refused: Refuse = (reason) => Promise.reject(reason);

/** Node's own `fetch` gives the reason, which is the program's, another stack. Nothing is sent. */
function refuseAsNode(reason: unknown): Promise<never> {
  return live(() => originals.fetch("data:,", { signal: AbortSignal.abort(reason) })) as Promise<never>;
}

/** What the agent's client gets of an answer: a `Response`, or what it makes one of itself. */
export type MakeAnswer<T> = (body: ReadableStream<Uint8Array<ArrayBuffer>> | null, head: Head) => T;

/** One call as a step of the frame's run. */
export function callFetch<T = Response>(
  frame: RunFrame,
  request: OutgoingRequest,
  real: SendRequest,
  made: MakeAnswer<T> = responseOf as MakeAnswer<never>,
  refuse: Refuse = refused,
): Promise<T> {
  const { signal, method } = request;
  const known = request.body instanceof Promise ? undefined : request.body;
  const { run, path } = frame;
  const operation = recogniseBy(run.dialects, method, request.url, request.headers, known ?? request.outline);
  const retry = Number(request.headers.find(([k]) => k.toLowerCase() === "x-stainless-retry-count")?.[1] ?? 0);
  const named = exchangeStep(operation, method, request.url);
  const options = optionsOf(request);
  const address = { method, url: request.url.href };
  const contentOf = (body: string | Uint8Array | null): Content => ({
    ...address,
    headers: request.headers,
    body,
    ...options,
  });
  const step = openStep(frame, {
    ...named,
    path,
    retryOf: run.retries.previous(path, named.op, known, retry),
    content: known === undefined ? null : contentOf(known),
    address,
  });
  const draft = exchangeDraft(method, {
    via: "fetch",
    url: address.url,
    ...options,
    requestHeaders: request.headers,
    requestBody: known,
    bodyKnown: known !== undefined || request.outline !== undefined,
  });
  step.exchange = draft;
  if (request.body instanceof Promise)
    request.body.then(
      (body) => {
        draft.requestBody = body;
        // of a call that was over before, no record has the whole
        const isOpen = step.state === "open" && draft.end === null;
        if (isOpen && step.answer.from !== "held") run.source.late(step, contentOf(body));
      },
      () => {},
    );
  const { answer } = step;
  if (answer.from === "miss") return failed(step, draft, answer.error);
  if (signal?.aborted) {
    draft.end = "aborted";
    run.closed(step);
    return refuse(signal.reason);
  }
  if (answer.from === "exchange") {
    request.begin(false);
    return shell(step, draft, request, new ServedExchange(step, draft, answer), made, refuse);
  }
  if (answer.from === "held") {
    request.begin(false);
    return shell(step, draft, request, new HeldExchange(step, draft, answer, request, real), made, refuse);
  }
  run.inFlight(step);
  request.begin(true);
  return shell(step, draft, request, new LiveExchange(step, draft, request, real), made, refuse);
}

function optionsOf({ redirect, fetchOptions }: OutgoingRequest): Pick<ExchangeDraft, "redirect" | "options"> {
  return {
    ...(redirect === undefined ? {} : { redirect }),
    ...(fetchOptions === undefined ? {} : { options: fetchOptions }),
  };
}

function failed(step: OpenStep, draft: ExchangeDraft, error: Error): Promise<never> {
  draft.error = recordError(error);
  draft.end = "error";
  step.error = errorOfExchange(draft);
  step.run.closed(step);
  return Promise.reject(error);
}

/** What the agent sees: the same code over either source. Its own acts (abort, cancel) are not journaled. */
function shell<T>(
  step: OpenStep,
  draft: ExchangeDraft,
  request: OutgoingRequest,
  source: ExchangeSource,
  made: MakeAnswer<T>,
  refuse: Refuse,
): Promise<T> {
  const { signal } = request;
  let over = false;
  let body: ReturnType<typeof watchBody> | undefined;
  let rejectHead: (reason: unknown) => void = () => {};
  const finish = (): void => {
    over = true;
    signal?.removeEventListener("abort", onAbort);
  };
  function onAbort(): void {
    if (over) return;
    finish();
    const reason: unknown = signal?.reason;
    draft.end = body === undefined ? "aborted" : "cancelled";
    guarded("answer", undefined, () => collectToolCalls(step));
    if (body === undefined) rejectHead(reason);
    else body.fail(reason);
    request.leave();
    source.stop(reason);
    step.run.closed(step);
  }
  const promise = new Promise<T>((resolve, reject) => {
    rejectHead = (reason) => {
      const refusal = refuse(reason);
      // where this promise is settled already, the refusal has no handler: it must not end the process as unhandled
      refusal.catch(() => {});
      resolve(refusal);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    source.head(
      () => over,
      (head: Head) => {
        if (!head.hasBody) {
          finish();
          ended("complete");
          resolve(made(null, head));
          return;
        }
        body = watchBody(step, source, head.status >= 400 ? READ_AHEAD : 0, {
          over: () => over,
          complete: () => {
            finish();
            ended("complete");
          },
          failed: () => {
            finish();
            ended("error");
          },
          cancelled: (why) => {
            finish();
            draft.end = "cancelled";
            // SDKs leave a stream at its end marker, before its end: for the agent the answer is whole
            guarded("answer", undefined, () => collectToolCalls(step));
            source.stop(why);
            // a refused answer that is dropped unread is read on behind the agent's back, and ended then
            if (!(head.status >= 400 && step.answer.from === "live")) step.run.closed(step);
          },
        });
        resolve(made(body.stream, head));
      },
      (error) => {
        finish();
        ended("error");
        reject(error);
      },
      resolve,
    );
  });
  function ended(end: "complete" | "error"): void {
    draft.end = end;
    step.error = errorOfExchange(draft);
    guarded("answer", undefined, () => collectToolCalls(step));
    // a run that was over before its stream has ended the step
    if (step.state === "open") settle(step);
  }
  return promise;
}

export function installFetch(): () => void {
  const before = globalThis.fetch;
  globalThis.fetch = watchFetch(originals.fetch);
  return () => {
    globalThis.fetch = before;
  };
}
