import {
  Metadata,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import type { Keys } from "../keys.ts";
import { encodeResponse, encodeRetryStatus } from "../otlp-answer.ts";
import type { Receiver } from "../receiver.ts";
import { type Outcome, refused, STATUS } from "../status.ts";

export interface GrpcOptions {
  host: string;
  /** 0: a free one */
  port: number;
  /** of one request, inflated */
  bodyBytes: number;
  /** PEM */
  tls?: { cert: string; key: string } | undefined;
}

export interface GrpcListening {
  port: number;
  /** Takes no more calls; resolves when those under way are answered, or after `graceMs` without them. */
  close(graceMs: number): Promise<void>;
}

const bytes = {
  serialize: (value: Uint8Array) => Buffer.from(value),
  // the call gets the bytes as they came: the same scan runs on them as over HTTP
  deserialize: (value: Buffer) => value,
};

const TRACE_SERVICE: ServiceDefinition = {
  Export: {
    path: "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes.serialize,
    requestDeserialize: bytes.deserialize,
    responseSerialize: bytes.serialize,
    responseDeserialize: bytes.deserialize,
  },
};

/** OTLP/gRPC on a port of its own. Rejects with what the socket says. */
export async function listenGrpc(options: GrpcOptions, receiver: Receiver, keys: Keys): Promise<GrpcListening> {
  const { host, tls } = options;
  const server = new Server({
    "grpc.max_receive_message_length": options.bodyBytes,
    "grpc.max_concurrent_streams": 256,
    "grpc.max_connection_idle_ms": 600_000,
  });

  async function take(call: ServerUnaryCall<Buffer, Uint8Array>): Promise<Outcome> {
    const [authorization] = call.metadata.get("authorization");
    const admission = keys.admit(authorization?.toString(), "ingest");
    if (admission.is !== "known") return refused(admission.is, admission.message);
    const { tenant } = admission.identity;
    const { pending } = receiver;
    const full = pending.full(tenant);
    if (full === "all") return refused("unavailable", "too much is waiting for the disk");
    if (full === "tenant") return refused("tooMany", "too much of this tenant is waiting for the disk");
    const { length } = call.request;
    pending.add(tenant, length);
    try {
      return await receiver.intake.take(tenant, [call.request]);
    } finally {
      pending.add(tenant, -length);
    }
  }

  function answer(outcome: Outcome, callback: sendUnaryData<Uint8Array>): void {
    receiver.count(outcome);
    if (outcome.is === "accepted") return callback(null, encodeResponse(outcome, "protobuf"));
    const { grpc, retry } = STATUS[outcome.status];
    const metadata = new Metadata();
    if (retry) metadata.set("grpc-status-details-bin", Buffer.from(encodeRetryStatus(outcome)));
    callback({ code: grpc, details: outcome.message, metadata });
  }

  const service: UntypedServiceImplementation = {
    Export: (call: ServerUnaryCall<Buffer, Uint8Array>, callback: sendUnaryData<Uint8Array>) => {
      take(call).then(
        (outcome) => answer(outcome, callback),
        () => answer(refused("unavailable", "a fault in the collector"), callback),
      );
    },
  };
  server.addService(TRACE_SERVICE, service);

  const credentials = tls
    ? ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(tls.cert), private_key: Buffer.from(tls.key) }])
    : ServerCredentials.createInsecure();
  const name = host.includes(":") ? `[${host.replace(/^\[|\]$/g, "")}]` : host;
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${name}:${options.port}`, credentials, (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { port, close: (graceMs) => close(server, graceMs) };
}

async function close(server: Server, graceMs: number): Promise<void> {
  const timer = setTimeout(() => server.forceShutdown(), graceMs).unref();
  await new Promise<void>((resolve) => {
    server.tryShutdown(() => resolve());
  });
  clearTimeout(timer);
}
