import { CollectorError } from "./collector-error.ts";
import type { GrpcListening } from "./receive/drivers/grpc.ts";
import type { Keys } from "./receive/keys.ts";
import type { ListenOptions } from "./receive/listen.ts";
import type { Receiver } from "./receive/receiver.ts";
import { portOwner } from "./port-owner.ts";

/** OTLP/gRPC, whose library is loaded only here. Throws `CollectorError`. */
export async function openGrpc(
  options: ListenOptions & { bodyBytes: number },
  receiver: Receiver,
  keys: Keys,
): Promise<GrpcListening & { url: string }> {
  const { listenGrpc } = await loadDriver();
  const { host, port, tls } = options;
  try {
    const listening = await listenGrpc(options, receiver, keys);
    const name = host.includes(":") ? `[${host}]` : host;
    return { ...listening, url: `${tls ? "https" : "http"}://${name}:${listening.port}` };
  } catch (cause) {
    const owner = port === 0 ? null : portOwner(port);
    const why = owner === null ? (cause instanceof Error ? cause.message : String(cause)) : `it is in use by ${owner}`;
    const next = "choose another listen.grpcPort, or leave it out";
    throw new CollectorError("PORT_BUSY", `cannot listen for gRPC on ${host}:${port}: ${why}`, next, { cause });
  }
}

async function loadDriver(): Promise<typeof import("./receive/drivers/grpc.ts")> {
  try {
    return await import("./receive/drivers/grpc.ts");
  } catch (cause) {
    const next = "npm install @grpc/grpc-js, or leave listen.grpcPort out";
    throw new CollectorError("BAD_CONFIG", "listen.grpcPort: @grpc/grpc-js is not installed", next, { cause });
  }
}
