import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CLOSE_GRACE, type Opening } from "../close-stack.ts";
import { CollectorError } from "../collector-error.ts";
import type { CollectorConfig } from "../config-schema.ts";
import { createMetricsDoor } from "../metrics/metrics-door.ts";
import { createReceiver, MEMORY, type Receiver } from "../receive/receiver.ts";
import { createPages } from "../query/pages.ts";
import type { Role } from "../roles.ts";
import { UI_FOLDER } from "../ui-folder.ts";
import { version } from "../version.ts";
import type { Access } from "./access.ts";
import type { Answers } from "./answers.ts";
import { createFront } from "./front.ts";
import { openGrpc } from "./open-grpc.ts";
import { openPort } from "./open-port.ts";
import type { Storage } from "./storage.ts";

/** for bodies that are too large for memory */
const incomingOf = (config: CollectorConfig) => join(config.data, "incoming");

/** Takes spans, for any port. */
export function openReceiver(
  config: CollectorConfig,
  {
    access,
    storage: {
      journal: { journal },
    },
  }: { readonly access: Access; readonly storage: Storage },
  { log, stack }: Opening,
): Receiver {
  const { bodyBytes, pendingBytes, freeDiskBytes } = config.limits;
  const receiver = createReceiver(
    { bodyBytes, pendingBytes, folder: incomingOf(config), minFreeBytes: freeDiskBytes, version },
    { journal, keys: access.keys, allowList: access.allowList, log },
  );
  stack.add("receiver", () => receiver.close());
  return receiver;
}

interface PortsDeps {
  readonly access: Access;
  readonly receiver: Receiver;
  readonly answers: Answers;
}

/** Opens the port of HTTP, and that of gRPC where the settings name one. Throws `CollectorError`. */
export async function openPorts(
  config: CollectorConfig,
  { access, receiver, answers }: PortsDeps,
  { stack }: Opening,
): Promise<{ readonly http: string; readonly grpc: string | null }> {
  const { host, port, grpcPort } = config.listen;
  const does = (role: Role) => config.roles.includes(role);
  const front = createFront({
    receive: does("receive") ? receiver.handle : () => false,
    api: does("query") ? answers.api : { fetch: () => notHere(config.roles) },
    refuse: access.allowList,
    closed: answers.closed,
    missing: answers.missing,
    metrics: answers.metrics,
    refuseMetrics: createMetricsDoor(host, access.keys),
    pages: does("query") ? createPages(UI_FOLDER) : () => null,
  });
  const tls = config.listen.tls && { cert: pem(config.listen.tls.cert), key: pem(config.listen.tls.key) };
  const http = await openPort({ host, port, tls }, front);
  stack.add("server", () => {
    answers.setReady(false);
    receiver.drain();
    answers.endStreams();
    return http.close(CLOSE_GRACE);
  });
  const bodyBytes = Math.min(config.limits.bodyBytes, MEMORY);
  const grpc =
    grpcPort === undefined || !does("receive")
      ? null
      : await openGrpc({ host, port: grpcPort, tls, bodyBytes, folder: incomingOf(config) }, receiver);
  if (grpc) stack.add("grpc", () => grpc.close(CLOSE_GRACE));
  answers.setReady(true);
  return { http: http.url, grpc: grpc?.url ?? null };
}

const notHere = (roles: readonly Role[]): Response =>
  Response.json(
    { error: { code: "NOT_FOUND", message: `this process does not do that: its roles are ${roles.join(", ")}` } },
    { status: 404 },
  );

function pem(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CollectorError("BAD_CONFIG", `listen.tls: ${path}: ${why}`, "name a readable PEM file", { cause });
  }
}
