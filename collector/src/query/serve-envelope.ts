import type { Context } from "hono";
import { rangeOf } from "../store/object-body.ts";
import type { ObjectBody } from "../store/object-store.ts";
import { ApiError } from "./api-error.ts";
import { type ByteRange, byteRange } from "./byte-range.ts";
import { ENVELOPE_TYPE } from "./routes.ts";

/** Where the bytes of an envelope come from. `etag` null: the answer must not be cached. */
export type EnvelopeSource = { readonly etag: string | null } & (
  | { readonly bodies: readonly ObjectBody[] }
  | { readonly length: number; readonly read: (range: ByteRange) => AsyncGenerator<Uint8Array> }
);

/** All of it or the range that is asked for, piece by piece. Throws `BAD_RANGE`, and what reading the first piece throws. */
export async function serveEnvelope(ask: Context, source: EnvelopeSource): Promise<Response> {
  const size = "bodies" in source ? source.bodies.reduce((sum, { length: bytes }) => sum + bytes, 0) : source.length;
  const range = byteRange(ask.req.header("range"), size);
  if (range === "bad") throw new ApiError("BAD_RANGE", `the envelope has ${size} bytes`);
  const { offset, length } = range ?? { offset: 0, length: size };
  const pieces = "bodies" in source ? rangeOf(source.bodies, { offset, length }) : source.read({ offset, length });
  // before any header: what cannot be read at all is an error with a status and a length of its own
  const first = await pieces.next();
  ask.header("content-type", ENVELOPE_TYPE);
  ask.header("content-length", String(length));
  ask.header("accept-ranges", "bytes");
  if (source.etag !== null) ask.header("etag", source.etag);
  ask.header("x-content-type-options", "nosniff");
  if (range) ask.header("content-range", `bytes ${offset}-${offset + length - 1}/${size}`);
  ask.status(range ? 206 : 200);
  return ask.body(streamOf(first, pieces));
}

/** `first`, then the rest, each read when it is taken. A read that fails breaks the stream off; cancelling it closes `rest`. */
function streamOf(
  first: IteratorResult<Uint8Array, unknown>,
  rest: AsyncGenerator<Uint8Array>,
): ReadableStream<Uint8Array> {
  let ready: typeof first | null = first;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = ready ?? (await rest.next());
        ready = null;
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: async () => void (await rest.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}
