import type { HeaderPairs } from "@reenact/envelope";
import type { SentAnswer } from "../send-request.ts";
import type { DispatchHandler, RawHeaders } from "./undici-handler.ts";

/** Makes the real call. Its answer is what came over the wire, and is read no faster than the agent takes it. */
export function dispatchLive(
  dispatch: (handler: DispatchHandler) => unknown,
  { url, signal, onTrailers }: { url: string; signal: AbortSignal; onTrailers: (raw: RawHeaders) => void },
): Promise<SentAnswer> {
  const answered = Promise.withResolvers<SentAnswer>();
  let stream: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  let abort: (reason: unknown) => void = () => {};
  let resume = (): void => {};
  const onAbort = (): void => abort(signal.reason);
  const over = (): void => signal.removeEventListener("abort", onAbort);
  signal.addEventListener("abort", onAbort);
  const begun = (stop: typeof abort): void => {
    abort = stop;
    if (signal.aborted) stop(signal.reason);
  };
  const head = (status: number, raw: readonly unknown[], statusText: string, more: () => void): false => {
    resume = more;
    const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
      start: (controller) => void (stream = controller),
      pull: () => resume(),
      cancel: (why) => abort(why),
    };
    const body = new ReadableStream(source, { highWaterMark: 0 });
    const facts = { url, redirected: false, type: "basic" } as const;
    answered.resolve({ ...facts, status, statusText, headers: pairsOf(raw), body });
    return false;
  };
  const data = (chunk: Uint8Array<ArrayBuffer>): false => {
    stream?.enqueue(chunk);
    return false;
  };
  const end = (raw: RawHeaders): void => {
    over();
    onTrailers(raw);
    stream?.close();
  };
  const fail = (error: unknown): void => {
    over();
    answered.reject(error);
    try {
      stream?.error(error);
    } catch {
      // it was left
    }
  };
  dispatch({
    onConnect: begun,
    onHeaders: (status, raw, more, text) => status < 200 || head(status, raw, text, more),
    onData: data,
    onComplete: (raw) => end(raw ?? []),
    onError: fail,
    onRequestStart: (controller) => begun((reason) => controller.abort(reason)),
    onResponseStart: (controller, status, headers, text) => {
      if (status < 200) return;
      const raw = controller.rawHeaders ?? Object.entries(headers).flat();
      controller.pause();
      head(status, raw, text, () => controller.resume());
    },
    onResponseData: (controller, chunk) => {
      controller.pause();
      data(chunk);
    },
    onResponseEnd: (controller) => end(controller.rawTrailers ?? []),
    onResponseError: (_, error) => fail(error),
  });
  return answered.promise;
}

/** Names and values of the wire; a value may be a list of those that came under one name. */
export function pairsOf(raw: readonly unknown[]): HeaderPairs {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const value = raw[i + 1];
    const values: unknown[] = Array.isArray(value) ? value : [value];
    for (const each of values) pairs.push([text(raw[i]), text(each)]);
  }
  return pairs;
}

function text(part: unknown): string {
  return Buffer.isBuffer(part) ? part.toString("latin1") : String(part);
}
