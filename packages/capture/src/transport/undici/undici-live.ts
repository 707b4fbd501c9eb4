import type { HeaderPairs } from "@reenact/envelope";
import type { Controller, DispatchHandler, RawHeaders } from "./undici-handler.ts";

/** The parts of a `Response` that a live exchange is read from. */
type Answer = Pick<Response, "status" | "statusText" | "url" | "redirected" | "type" | "body"> & {
  readonly headers: HeaderPairs;
};

/** Makes the real call. Its answer is what came over the wire, and is read no faster than the agent takes it. */
export function dispatchLive(
  dispatch: (handler: DispatchHandler) => unknown,
  { url, signal, onTrailers }: { url: string; signal: AbortSignal; onTrailers: (raw: RawHeaders) => void },
): Promise<Response> {
  const answered = Promise.withResolvers<Answer>();
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  let abort: (reason: unknown) => void = () => {};
  let resume = (): void => {};
  const onAbort = (): void => abort(signal.reason);
  const over = (): void => signal.removeEventListener("abort", onAbort);
  signal.addEventListener("abort", onAbort);
  const begun = (stop: typeof abort): void => {
    abort = stop;
    if (signal.aborted) stop(signal.reason);
  };
  const head = (status: number, raw: RawHeaders, statusText: string, more: () => void): false => {
    resume = more;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        start: (c) => void (stream = c as never),
        pull: () => resume(),
        cancel: (why) => abort(why),
      },
      { highWaterMark: 0 },
    );
    const facts = { url, redirected: false, type: "basic" } as const;
    answered.resolve({ ...facts, status, statusText, headers: pairsOf(raw), body });
    return false;
  };
  const data = (chunk: Uint8Array): false => {
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
    answered.reject(error as Error);
    try {
      stream?.error(error);
    } catch {
      // it was left
    }
  };
  dispatch({
    onConnect: (stop) => begun(stop as typeof abort),
    onHeaders: (status, raw, more, text) => {
      if ((status as number) < 200) return true;
      return head(status as number, raw as RawHeaders, text as string, more as () => void);
    },
    onData: (chunk) => data(chunk as Uint8Array),
    onComplete: (raw) => end((raw ?? []) as RawHeaders),
    onError: fail,
    onRequestStart: (c) => begun((reason) => (c as Controller).abort(reason)),
    onResponseStart: (c, status, headers, text) => {
      if ((status as number) < 200) return;
      const controller = c as Controller;
      const raw = controller.rawHeaders ?? Object.entries(headers as Record<string, string>).flat();
      controller.pause();
      head(status as number, raw, text as string, () => controller.resume());
    },
    onResponseData: (c, chunk) => {
      (c as Controller).pause();
      data(chunk as Uint8Array);
    },
    onResponseEnd: (c) => end((c as Controller).rawTrailers ?? []),
    onResponseError: (_, error) => fail(error),
  });
  return answered.promise as Promise<unknown> as Promise<Response>;
}

/** Names and values of the wire; a value may be a list of those that came under one name. */
function pairsOf(raw: RawHeaders): HeaderPairs {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const value = raw[i + 1] as RawHeaders[number];
    for (const each of Array.isArray(value) ? value : [value]) pairs.push([text(raw[i]), text(each)]);
  }
  return pairs;
}

function text(part: unknown): string {
  return Buffer.isBuffer(part) ? part.toString("latin1") : String(part);
}
