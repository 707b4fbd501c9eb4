import type { IncomingMessage, ServerResponse } from "node:http";
import { CollectorError } from "../collector-error.ts";
import type { Journal } from "../journal/journal.ts";
import { type Log, noLog } from "../log.ts";
import type { AllowList } from "./allow-list.ts";
import { createIngestDoor, type IngestDoor } from "./ingest-door.ts";
import { createIntake, type Intake } from "./intake.ts";
import type { Keys } from "./keys.ts";
import { answer, createOtlpHttp } from "./otlp-http.ts";
import { createPendingBytes, type PendingBytes } from "./pending-bytes.ts";
import { createBodyFiles } from "./body-file.ts";
import { createBodyReader } from "./read-body.ts";
import { type Outcome, refused, type StatusName } from "./status.ts";
import { createQuotas } from "./quotas.ts";
import { createUnpackAndTake, type UnpackAndTake } from "./unpack-and-take.ts";
import { createUnpacker } from "./unpacker.ts";

export interface ReceiverOptions {
  /** of one request, inflated; default 64 MiB */
  bodyBytes?: number;
  /** of one that is held in memory, inflated; larger ones, where they are allowed, go through `folder`; default 64 MiB */
  memoryBytes?: number;
  /** for requests that are too large for memory; absent: all are held there */
  folder?: string;
  /** free disk below which nothing goes there; default 0 */
  minFreeBytes?: number;
  /** received and not yet on disk, all together; default 128 MiB; at least what one in memory may have */
  pendingBytes?: number;
  /** how much of `pendingBytes` one tenant may take, 0 … 1; default 1 */
  tenantShare?: number;
  /** what a sender must keep up, bytes per second; default 16 KiB … */
  minBodyRate?: number;
  /** … once a body has taken so long, ms; default 5,000 */
  bodyGraceMs?: number;
  /** told to whoever shakes hands */
  version: string;
  /** told as well; null: not offered */
  grpcPort?: number | null;
}

export interface ReceiverDeps {
  journal: Pick<Journal, "append">;
  keys: Keys;
  allowList: AllowList;
  log?: Log;
}

export interface ReceiverCounts {
  requests: number;
  /** requests by how they ended */
  refused: Partial<Record<StatusName, number>>;
  spans: number;
  /** spans that can never be kept */
  rejectedSpans: number;
  pendingBytes: number;
}

export interface Receiver {
  /** OTLP and the handshake. False: the path is not one of these, and nothing was done. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** other transports ask the same door, what they take in goes the same way, and they tell of every answer */
  door: IngestDoor;
  intake: Intake;
  unpackAndTake: UnpackAndTake;
  pending: PendingBytes;
  count(outcome: Outcome): void;
  counts(): ReceiverCounts;
  /** From now on every request is answered with 503. */
  drain(): void;
  close(): Promise<void>;
}

/** of one request that is held in memory */
export const MEMORY = 64 * 2 ** 20;

export function createReceiver(options: ReceiverOptions, deps: ReceiverDeps): Receiver {
  const { keys, allowList, log = noLog } = deps;
  const { bodyBytes = 64 * 2 ** 20, pendingBytes = 128 * 2 ** 20 } = options;
  const memoryBytes = options.folder === undefined ? bodyBytes : Math.min(bodyBytes, options.memoryBytes ?? MEMORY);
  if (pendingBytes < memoryBytes) {
    const next = "raise limits.pendingBytes or lower limits.bodyBytes";
    throw new CollectorError("BAD_CONFIG", `limits.pendingBytes ${pendingBytes} is below ${memoryBytes}`, next);
  }
  const pending = createPendingBytes(pendingBytes, options.tenantShare ?? 1);
  const limits = {
    bodyBytes,
    memoryBytes,
    longBytes: 4 * 2 ** 20,
    minRate: options.minBodyRate ?? 16 * 1024,
    graceMs: options.bodyGraceMs ?? 5000,
  };
  const bodies = createBodyReader(limits, pending);
  const { folder, minFreeBytes = 0 } = options;
  const files =
    folder === undefined || memoryBytes === bodyBytes ? null : createBodyFiles(folder, limits, minFreeBytes);
  const unpacker = createUnpacker(memoryBytes);
  const counts: ReceiverCounts = { requests: 0, refused: {}, spans: 0, rejectedSpans: 0, pendingBytes: 0 };
  let draining = false;

  function count(outcome: Outcome): void {
    counts.requests++;
    if (outcome.is === "refused") {
      counts.refused[outcome.status] = (counts.refused[outcome.status] ?? 0) + 1;
      return;
    }
    counts.spans += outcome.spans;
    counts.rejectedSpans += outcome.rejected;
  }

  const door = createIngestDoor({ keys, allowList, pending, quotas: createQuotas(), draining: () => draining });
  const intake = createIntake(deps.journal, log);
  const unpackAndTake = createUnpackAndTake({ intake, pending, unpacker });
  const traces = createOtlpHttp({
    door,
    intake,
    pending,
    bodies,
    unpackAndTake,
    files,
    memoryBytes,
    bodyBytes,
    count,
  });

  function shakeHands(request: IncomingMessage, response: ServerResponse): void {
    const notAllowed = allowList(request.headers);
    if (notAllowed !== null) return answer(request, response, refused("forbidden", notAllowed), "json", count);
    if (request.method !== "GET" && request.method !== "HEAD") {
      return answer(request, response, refused("methodNotAllowed", "GET only"), "json", count);
    }
    const facts = {
      reenact: 1,
      version: options.version,
      // a client learns here whether its key is good, before it sends what it recorded
      authentication: keys.required ? "key" : "none",
      authorized: keys.admit(request.headers.authorization, "ingest").is === "known",
      otlp: { protobuf: "/v1/traces", json: "/v1/traces", grpcPort: options.grpcPort ?? null },
      encodings: ["identity", "gzip", "zstd"],
      maxBodyBytes: bodyBytes,
    };
    const body = JSON.stringify(facts);
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
    response.end(request.method === "HEAD" ? undefined : body);
  }

  return {
    handle: (request, response) => {
      const path = (request.url ?? "").split("?", 1)[0];
      if (path === "/v1/traces") {
        traces(request, response).catch((error: unknown) => {
          log("error", "receive.fault", { error });
          answer(request, response, refused("unavailable", "a fault in the collector"), "json", count);
        });
      } else if (path === "/v1/reenact") {
        shakeHands(request, response);
      } else if (path === "/v1/metrics" || path === "/v1/logs") {
        answer(request, response, refused("notFound", "only traces are taken here: POST /v1/traces"), "json", count);
      } else {
        return false;
      }
      return true;
    },
    door,
    intake,
    unpackAndTake,
    pending,
    count,
    counts: () => ({ ...counts, refused: { ...counts.refused }, pendingBytes: pending.total() }),
    drain: () => {
      draining = true;
    },
    close: async () => {
      draining = true;
      bodies.close();
      await unpacker.close();
    },
  };
}
