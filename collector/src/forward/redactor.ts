import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { type DestinationPolicy, knownFromEnvironment, loadScopeKey, type ScrubberOptions } from "@reenact/redaction";
import { CollectorError } from "../collector-error.ts";
import type { Environment } from "../config.ts";

/** The reply of the thread to one request; replies come in the order of the requests. */
export type RedactReply = { readonly body: Uint8Array } | { readonly why: string };

/** Redacts the requests for one destination on a thread of its own, so that receiving does not wait. */
export interface Redactor {
  /** Resolves with the redacted ExportTraceServiceRequest. Rejects if it could not be redacted: then it must not be sent. */
  redact(body: Uint8Array): Promise<Uint8Array>;
  /** Ends the thread; requests that wait are rejected. */
  close(): Promise<void>;
}

/** Attempts per request. When the thread ends during the last one, the request is taken for the cause and is rejected. */
const TRIES = 2;

interface Asked {
  readonly body: Uint8Array;
  tried: number;
  resolve(body: Uint8Array): void;
  reject(error: Error): void;
}

/**
 * The key of its tokens is `REENACT_REDACTION_KEY` (or its command), so that a value has the token that it has in records of recorders with
 * that key; else one that is made in `folder`, for this user alone. Throws `CollectorError` where there is no key or no thread.
 */
export async function startRedactor(
  policy: DestinationPolicy,
  from: { readonly env: Environment; readonly folder: string; readonly destination: string },
): Promise<Redactor & { readonly ownKey: boolean }> {
  const key = loadScopeKey({ env: from.env, folder: from.folder, loopback: true });
  const refused = (why: string, cause?: unknown) =>
    new CollectorError(
      "BAD_CONFIG",
      `forward ${from.destination}: redaction: ${why}`,
      "set REENACT_REDACTION_KEY to 32 random bytes in hex; OPERATIONS.md, Redaction",
      { cause },
    );
  if ("error" in key) throw refused(key.error);
  const redactor = overThread({ key: key.key, policy, known: knownFromEnvironment(from.env) });
  // a thread that cannot start would let everything become dead letters
  await redactor.redact(new Uint8Array()).catch((error: unknown) => {
    throw refused(error instanceof Error ? error.message : String(error), error);
  });
  return { ...redactor, ownKey: key.origin === "file" || key.origin === "generated" };
}

function overThread(options: ScrubberOptions): Redactor {
  let worker: Worker | null = null;
  let closed = false;
  let asked: Asked[] = [];

  function start(): Worker {
    const source = import.meta.filename.endsWith(".ts");
    const url = new URL(`redact-worker${extname(import.meta.filename)}`, import.meta.url);
    const started = new Worker(url, {
      workerData: options,
      ...(source && { execArgv: ["--conditions=@reenact/source"] }),
    });
    started.unref();
    const gone = (why: string): void => {
      if (worker !== started) return;
      worker = null;
      const [first, ...others] = asked;
      asked = [];
      if (first !== undefined && ++first.tried < TRIES) ask(first);
      else first?.reject(new Error(`the redaction thread ended: ${why}`));
      others.forEach(ask);
    };
    started.on("message", (reply: RedactReply) => {
      const one = asked.shift();
      if (asked.length === 0) started.unref();
      if ("body" in reply) one?.resolve(reply.body);
      else one?.reject(new Error(reply.why));
    });
    started.on("error", (error) => gone(error.message));
    started.on("exit", (code) => gone(`exit ${code}`));
    return started;
  }

  function ask(one: Asked): void {
    if (closed) return one.reject(new Error("closed"));
    try {
      worker ??= start();
      worker.ref();
      asked.push(one);
      worker.postMessage(one.body, []);
    } catch (error) {
      asked = asked.filter((each) => each !== one);
      one.reject(error as Error);
    }
  }

  return {
    redact: (body) => new Promise((resolve, reject) => ask({ body, tried: 0, resolve, reject })),
    async close() {
      closed = true;
      const left = asked;
      asked = [];
      for (const { reject } of left) reject(new Error("closed"));
      await worker?.terminate();
      worker = null;
    },
  };
}
