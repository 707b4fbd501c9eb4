import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type http from "node:http";
import { isLive, type RunFrame, stepFrame } from "../../run/context.ts";
import { recorder } from "../../run/recorder.ts";
import { guarded, steppedAside } from "../../fault/faults.ts";
import { isOwnPort } from "../own-ports.ts";
import { recognise } from "../../span/recognise.ts";
import { openStep } from "../../span/open-step.ts";
import { exchangeDraft, exchangeStep } from "../exchange-step.ts";
import { httpWebSocket } from "../websocket/http-web-socket.ts";
import { connectWith } from "./http-connect.ts";
import { HeldConnection } from "./held-connection.ts";
import { HttpExchange } from "./http-exchange.ts";
import { framingOf, header } from "./http-head.ts";
import { isPlainAgent, LiveConnection } from "./http-live.ts";
import { outgoing } from "./http-request.ts";
import { ServedAnswer } from "./served-answer.ts";
import { nodeHttp } from "./node-http.ts";

type Agent = http.Agent | undefined;

/** Their bytes are all known when the request is made. */
const BODYLESS = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

const exchanges = new WeakMap<object, HttpExchange>();

/**
 * Every client request asks its agent for a socket while it is constructed, whoever holds which reference to
 * `http.request` and whatever kind of agent it is. An accessor on the prototype puts a detour before that one call;
 * the request then has its `agent` property as ever.
 */
export function installHttp(): () => void {
  Object.defineProperty(nodeHttp.ClientRequest.prototype, "agent", {
    configurable: true,
    get: () => undefined,
    set(this: http.ClientRequest, agent: Agent) {
      const value = guarded("http", agent, () => detour(agent));
      Object.defineProperty(this, "agent", { value, writable: true, enumerable: true, configurable: true });
    },
  });
  subscribe("http.client.request.error", onError);
  return () => {
    Reflect.deleteProperty(nodeHttp.ClientRequest.prototype, "agent");
    unsubscribe("http.client.request.error", onError);
  };
}

function onError(message: unknown): void {
  const { request, error } = message as { request: object; error: unknown };
  exchanges.get(request)?.complained(error);
}

/** Stands in for the agent until the request asks it for a socket, which is in the same call. */
function detour(agent: Agent): Agent {
  const frame = stepFrame();
  // what a replayed program opens at its start is told by its runs
  const isOutside = frame === null && recorder.isReplay && !isLive();
  if ((frame === null && !isOutside) || steppedAside("http")) return agent;
  const addRequest = (request: http.ClientRequest, options: http.RequestOptions): void => {
    Object.assign(request, { agent });
    const begin = guarded("http", null, () => open(frame, request, options, agent));
    if (begin === null) connectWith(agent, request, options);
    else begin();
  };
  return Object.assign(
    Object.create(agent ?? null),
    agent === undefined ? { keepAlive: false, maxSockets: Infinity } : {},
    { addRequest },
  ) as Agent;
}

/** Opens the step of a request; null if it is none of ours. What it returns finds the request its socket. */
function open(
  frame: RunFrame | null,
  request: http.ClientRequest,
  options: http.RequestOptions,
  agent: Agent,
): (() => void) | null {
  const { method, url, headers, upgrades } = outgoing(request);
  if (isOwnPort(url)) return null;
  const timeout = timeoutOf(request) ?? timeoutOf(agent && Reflect.get(agent, "options"));
  if (/^websocket$/i.test(header(headers, "upgrade") ?? ""))
    return httpWebSocket(frame, { url, headers }, { request, options, agent, timeout });
  if (frame === null || upgrades) return null;
  const operation = recognise(method, url, headers, undefined);
  const { run } = frame;
  if (run.resting && operation?.agentic !== true) return null;
  const bodyless = framingOf(headers, "nothing").by === "nothing" && BODYLESS.has(method);
  const retry = Number(request.getHeader("x-stainless-retry-count") ?? 0);
  const named = exchangeStep(operation, method, url);
  const step = openStep(frame, {
    ...named,
    path: frame.path,
    retryOf: run.retries.previous(frame.path, named.op, undefined, retry),
    content: bodyless ? { method, url: url.href, headers, body: null } : null,
  });
  const draft = exchangeDraft(method, {
    via: "http",
    url: url.href,
    requestHeaders: headers,
    requestBody: bodyless ? null : undefined,
    bodyKnown: false,
  });
  step.exchange = draft;
  const { answer } = step;
  const connect = (r: http.ClientRequest): void => connectWith(agent, r, options);
  const isPlain = isPlainAgent(agent);
  const exchange = new HttpExchange(step, draft, request, (to) => {
    if (answer.from === "exchange") return new ServedAnswer(to, answer.exchange, answer.body());
    return answer.from === "held"
      ? new HeldConnection(to, { connect, isPlain })
      : new LiveConnection(to, connect, isPlain);
  });
  exchanges.set(request, exchange);
  return () => exchange.begin(timeout);
}

/** Of a request, or of an agent's options, which an agent of the user's own may not have. */
function timeoutOf(holder: unknown): number | undefined {
  const timeout: unknown = typeof holder === "object" && holder !== null ? Reflect.get(holder, "timeout") : undefined;
  return typeof timeout === "number" ? timeout : undefined;
}
