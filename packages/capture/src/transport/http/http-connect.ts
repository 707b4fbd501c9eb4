import type http from "node:http";
import net from "node:net";

/** Finds a request its socket, as Node's own constructor does it: through its agent, or by `createConnection`. */
export function connectWith(
  agent: http.Agent | undefined,
  request: http.ClientRequest,
  options: http.RequestOptions,
): void {
  if (agent !== undefined) {
    (agent as unknown as { addRequest(request: http.ClientRequest, options: http.RequestOptions): void }).addRequest(
      request,
      options,
    );
    return;
  }
  const given = { ...options } as http.RequestOptions & net.NetConnectOpts & { path?: string };
  if (options.socketPath) given.path = options.socketPath;
  else Reflect.deleteProperty(given, "path");
  if (typeof options.createConnection !== "function") {
    request.onSocket(net.createConnection(given));
    return;
  }
  let created = false;
  const take = (error: Error | null, socket?: unknown): void => {
    if (created) return;
    created = true;
    if (error) process.nextTick(() => request.emit("error", error));
    else request.onSocket(socket as net.Socket);
  };
  try {
    const socket = options.createConnection(given, take);
    if (socket) take(null, socket);
  } catch (error) {
    take(error as Error);
  }
}
