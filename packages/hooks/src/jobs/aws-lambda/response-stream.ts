import { Writable } from "node:stream";
import { bodyValue, type CarriedOut, CollectedBody, guarded } from "@reenact/capture/hook";

/** By which the runtime knows a function that writes its response. */
const STREAMING = Symbol.for("aws.lambda.runtime.handler.streaming");
const HTTP_RESPONSE = "application/vnd.awslambda.http-integration-response";

/** The stream that such a function is given. */
interface ResponseStream extends Writable {
  setContentType?(type: string): void;
  /** called before the first byte of the body: writes status and headers */
  _onBeforeFirstWrite?(write: (chunk: unknown) => void): void;
}

export function isStreaming(handler: object): boolean {
  return STREAMING in handler;
}

/** A stream for a function that no platform waits for. `take` gets what is written; default: it is dropped. */
export function lambdaStream(take: (chunk: Uint8Array) => void = () => {}): ResponseStream {
  const stream: ResponseStream = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      take(chunk);
      done();
    },
  });
  stream.setContentType = () => {};
  return stream;
}

/** What the runtime gives programs as `awslambda`. */
export const awslambda = {
  streamifyResponse(handler: object): object {
    return Object.assign(handler, { [STREAMING]: "response" });
  },
  HttpResponseStream: {
    from(stream: ResponseStream, prelude: unknown): ResponseStream {
      stream.setContentType?.(HTTP_RESPONSE);
      stream._onBeforeFirstWrite = (write) => {
        write(JSON.stringify(prelude));
        write(new Uint8Array(8));
      };
      return stream;
    },
  },
};

/** The run comes to what the function writes; the platform gets what it returns. */
export function streamedOutcome(call: (given: readonly unknown[]) => unknown, given: readonly unknown[]): CarriedOut {
  const written = watchWrites(given[1] as ResponseStream);
  const returned = call(given);
  if (!(returned instanceof Promise)) return { outcome: returned };
  return {
    outcome: returned.then((value: unknown) => ({ ...guarded("hooks", {}, written), returned: value })),
    give: async (settled) => ((await settled) as { returned: unknown }).returned,
  };
}

/** Copies what is written, and says what it came to. */
function watchWrites(stream: ResponseStream): () => Record<string, unknown> {
  const body = new CollectedBody(() => true);
  let type = "application/octet-stream";
  const watch = (name: "write" | "end" | "setContentType", see: (first: unknown, second: unknown) => void): void => {
    const real: unknown = Reflect.get(stream, name);
    if (typeof real !== "function") return;
    const value = function (this: unknown, ...args: unknown[]): unknown {
      guarded("hooks", undefined, () => see(args[0], args[1]));
      return Reflect.apply(real, this, args);
    };
    Object.defineProperty(stream, name, { value, writable: true, enumerable: false, configurable: true });
  };
  const take = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === "function" || chunk === undefined || chunk === null) return;
    const isBytes = typeof chunk === "string" || chunk instanceof Uint8Array;
    body.add(isBytes ? chunk : JSON.stringify(chunk), encoding);
  };
  watch("write", take);
  watch("end", take);
  watch("setContentType", (given) => (type = String(given)));
  return () => {
    const head = preludeOf(stream);
    const headers = head === null ? { "content-type": type } : headersOf(head);
    return {
      ...(head === null ? { type } : { head }),
      body: bodyValue(body, headers),
      ...(body.isWhole ? {} : { cut: body.length }),
    };
  };
}

/** Status and headers that stand before the body; null: the function has given none. */
function preludeOf(stream: ResponseStream): unknown {
  let text: string | null = null;
  stream._onBeforeFirstWrite?.((chunk) => {
    if (typeof chunk === "string") text = chunk;
  });
  return text === null ? null : (JSON.parse(text) as unknown);
}

function headersOf(head: unknown): Record<string, string> {
  const { headers = {} } = head as { headers?: Record<string, unknown> };
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}
