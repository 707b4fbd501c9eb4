import net from "node:net";
import { isInProcess, isOutside } from "../run/context.ts";
import { guarded, steppedAside } from "../fault/faults.ts";
import { replaceMethod } from "../patch/replace-method.ts";
import { servesRequests } from "../run/server-mode.ts";
import { mayCallModel } from "./agent-signs.ts";
import { nodeHttp } from "../transport/http/node-http.ts";
import { isOwnClient } from "../transport/own-ports.ts";
import { InboundRequest } from "./inbound-request.ts";

type Emit = (this: net.Server, ...args: unknown[]) => boolean;

/** Events by which a server hands a request over. */
const REQUESTS = new Set<unknown>(["request", "checkContinue", "checkExpectation"]);

/** Property of a request that has its run: a set of them costs the garbage collector more. */
const KNOWN = Symbol("reenact.request");

/** Whether a request is in no run: one that the process sends to itself is a part of its own run. */
function isFromOutside(request: unknown): boolean {
  if (isOutside()) return true;
  return isInProcess() && request instanceof nodeHttp.IncomingMessage && !isOwnClient(request.socket);
}

/**
 * Makes each request that a server of `node:http` or `node:https` gets a run of its own, once this process is a server: see
 * `servesRequests`. A request that takes no agentic step is not written.
 */
export function watchRequests(): () => void {
  // what servers of both protocols inherit from; an own method that calls the inherited one, so that there is one to replace
  const { prototype } = net.Server;
  const inherited = Object.getOwnPropertyDescriptor(prototype, "emit") === undefined;
  if (inherited) Object.defineProperty(prototype, "emit", ownMethod(prototype.emit));
  const undo = replaceMethod<Emit>(
    prototype,
    "emit",
    (real) =>
      function emit(this: net.Server, ...args) {
        const call = (): boolean => Reflect.apply(real, this, args);
        const [event, request, response] = args;
        if (!REQUESTS.has(event) || !servesRequests() || !isFromOutside(request) || !mayCallModel()) return call();
        const inbound = guarded("request", null, () => opened(request, response));
        return inbound === null ? call() : inbound.begin(call);
      },
  );
  return () => {
    undo();
    if (inherited) Reflect.deleteProperty(prototype, "emit");
  };
}

function ownMethod(value: unknown): PropertyDescriptor {
  return { value, writable: true, enumerable: false, configurable: true };
}

/** Null for a request that is handed on a second time, as one server does to another. */
function opened(request: unknown, response: unknown): InboundRequest | null {
  if (!(request instanceof nodeHttp.IncomingMessage) || !(response instanceof nodeHttp.ServerResponse)) return null;
  if (KNOWN in request || steppedAside("request")) return null;
  Object.defineProperty(request, KNOWN, { value: true });
  return new InboundRequest(request, response);
}
