import { CollectorError } from "../collector-error.ts";
import { type GrpcListening, type GrpcOptions, listenGrpc } from "../receive/grpc-server.ts";
import type { Receiver } from "../receive/receiver.ts";
import { portOwner } from "./port-owner.ts";

/** OTLP/gRPC, with words for what may be wrong: a busy port names its owner. Throws `CollectorError`. */
export async function openGrpc(options: GrpcOptions, receiver: Receiver): Promise<GrpcListening & { url: string }> {
  const { host, port, tls } = options;
  try {
    const listening = await listenGrpc(options, receiver);
    const name = host.includes(":") ? `[${host}]` : host;
    return { ...listening, url: `${tls ? "https" : "http"}://${name}:${listening.port}` };
  } catch (cause) {
    const owner = port === 0 ? null : portOwner(port);
    const why = owner === null ? (cause instanceof Error ? cause.message : String(cause)) : `it is in use by ${owner}`;
    const next = "choose another listen.grpcPort, or leave it out";
    throw new CollectorError("PORT_BUSY", `cannot listen for gRPC on ${host}:${port}: ${why}`, next, { cause });
  }
}
