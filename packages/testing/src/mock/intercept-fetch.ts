import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import type { Frames } from "@reenact/wire";
import { type Outcome, type Responder, responderHere } from "./intercepted.ts";

type Fetch = typeof globalThis.fetch;

/** Wraps the global `fetch`. Outside of tests with `mockLLM()` it calls the one that was there. */
export function interceptFetch(): void {
  const real = globalThis.fetch;
  const watched = function fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const responder = responderHere();
    return responder === undefined ? real(input, init) : answer(responder, real, input, init);
  };
  Object.defineProperty(watched, "length", { value: real.length });
  globalThis.fetch = watched;
}

async function answer(
  responder: Responder,
  real: Fetch,
  input: RequestInfo | URL,
  init: RequestInit | undefined,
): Promise<Response> {
  const request = new Request(input, init);
  const url = new URL(request.url);
  if (!/^https?:$/.test(url.protocol) || !responder.mayAnswer(url)) return real(request, onlyDispatcher(init));
  const { signal } = request;
  const raw = Buffer.from(await request.clone().arrayBuffer());
  const outcome = responder.respond({ method: request.method, url, headers: new Map(request.headers), raw });
  if (outcome === "pass") return real(request, onlyDispatcher(init));
  if ("error" in outcome) throw outcome.error;
  await pause(outcome.delayMs, signal);
  return responseOf(outcome, request);
}

/** A `Request` takes all other options over. */
function onlyDispatcher(init: RequestInit | undefined): RequestInit {
  return init !== undefined && "dispatcher" in init ? ({ dispatcher: init.dispatcher } as RequestInit) : {};
}

type Answered = Extract<Outcome, { frames: Frames }>;

function responseOf({ frames, pauseMs }: Answered, { url, signal }: Request): Response {
  const parts = frames.parts.entries();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = parts.next();
        if (next.done === true) return controller.close();
        const [at, bytes] = next.value;
        // each part in a turn of its own, as from a connection
        if (at > 0 && pauseMs > 0) await pause(pauseMs, signal);
        else await turn();
        signal.throwIfAborted();
        controller.enqueue(new Uint8Array(bytes));
      },
    },
    { highWaterMark: 0 },
  );
  const isEmpty = frames.status === 204 || frames.status === 304;
  const { status, reason: statusText = "", headers } = frames;
  const response = new Response(isEmpty ? null : body, { status, statusText, headers: { ...headers } });
  Object.defineProperty(response, "url", { value: url });
  return response;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (ms <= 0) return;
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}
