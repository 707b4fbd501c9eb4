import { parentPort } from "node:worker_threads";
import { BadBody } from "./body-encoding.ts";
import { type PackedBody, unpackBody } from "./unpack-body.ts";
import type { UnpackReply } from "./unpacker.ts";

const port = parentPort!;

port.on("message", ({ packed, limit }: { packed: PackedBody; limit: number }) => {
  try {
    const body = unpackBody(packed, limit);
    const { buffer } = body.bytes;
    const own = buffer instanceof ArrayBuffer && buffer.byteLength === body.bytes.byteLength;
    port.postMessage({ body } satisfies UnpackReply, own ? [buffer] : []);
  } catch (error) {
    const status = error instanceof BadBody ? error.status : null;
    port.postMessage({ status, message: (error as Error).message } satisfies UnpackReply);
  }
});
