import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { errorCode } from "@reenact/envelope";
import { BadBody, announcedSize } from "./body-encoding.ts";
import { type PackedBody, type UnpackedBody, unpackBody } from "./unpack-body.ts";

/** A reply of the worker; replies come in the order of the requests. */
export type UnpackReply = { body: UnpackedBody } | { status: BadBody["status"] | null; message: string };

export interface Unpacker {
  /** Rejects with `BadBody`. Large bodies take their turn in a worker, one at a time; `bytes` may be moved there. */
  unpack(packed: PackedBody): Promise<UnpackedBody>;
  close(): Promise<void>;
}

/** Inflated bytes that the receiver's own thread takes on: some 5 ms. */
const OWN_BYTES = 2 * 2 ** 20;
/** JSON takes longer. */
const OWN_JSON_BYTES = 2 ** 20;

/** The heap of the worker, MiB: a JSON body that needs more is refused. */
const HEAP_MB = 2048;

/** `limit`: bytes of a body when unpacked. */
export function createUnpacker(limit: number): Unpacker {
  let worker: Worker | null = null;
  const asked: { resolve(body: UnpackedBody): void; reject(error: Error): void }[] = [];

  function start(): Worker {
    const source = import.meta.filename.endsWith(".ts");
    const url = new URL(`unpack-worker${extname(import.meta.filename)}`, import.meta.url);
    const started = new Worker(url, {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      ...(source && { execArgv: ["--conditions=@reenact/source"] }),
    });
    started.unref();
    started.on("message", (reply: UnpackReply) => {
      const waiting = asked.shift();
      if ("body" in reply) waiting?.resolve(reply.body);
      else waiting?.reject(reply.status ? new BadBody(reply.status, reply.message) : new Error(reply.message));
      if (asked.length === 0) started.unref();
    });
    started.on("error", (error) => {
      worker = null;
      const [first, ...others] = asked.splice(0);
      const outgrown = errorCode(error) === "ERR_WORKER_OUT_OF_MEMORY";
      first?.reject(outgrown ? new BadBody("tooLarge", `needs more than ${HEAP_MB} MiB to be read`) : error);
      for (const each of others) each.reject(error);
    });
    return started;
  }

  function inWorker(packed: PackedBody): Promise<UnpackedBody> {
    return new Promise((resolve, reject) => {
      worker ??= start();
      worker.ref();
      asked.push({ resolve, reject });
      const { buffer } = packed.bytes;
      const own = buffer instanceof ArrayBuffer && buffer.byteLength === packed.bytes.byteLength;
      worker.postMessage({ packed, limit }, own ? [buffer] : []);
    });
  }

  return {
    unpack: async (packed) => {
      const own = Math.min(limit, packed.type === "json" ? OWN_JSON_BYTES : OWN_BYTES);
      if (packed.bytes.length > own || announcedSize(packed.bytes, packed.encoding) > own) return inWorker(packed);
      try {
        return unpackBody(packed, own);
      } catch (error) {
        if (own < limit && error instanceof BadBody && error.status === "tooLarge") return inWorker(packed);
        throw error;
      }
    },
    close: async () => {
      await worker?.terminate();
      worker = null;
    },
  };
}
