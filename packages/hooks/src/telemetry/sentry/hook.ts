import {
  recordedValue,
  here,
  type Hook,
  inReplay,
  live,
  orderPromise,
  type PromiseFunction,
  replaceMethod,
} from "@reenact/capture/hook";

type Method = (this: unknown, ...args: unknown[]) => unknown;

/**
 * What the agent's Sentry client gathers and sends speaks of the run and is no part of it, like what OpenTelemetry exports:
 * spans of connections, which a replay does not have, set its timers and fill its posts. Only the end of a flush is.
 */
export const sentry: Hook = {
  name: "telemetry/sentry",
  title: "what Sentry's client sends",
  files: [{ packages: ["@sentry/core"], path: /^build\/(?:cjs|esm)\/(?:[^/]+\/)?client\.js$/, value: "Client" }],
  patch({ prototype }: { prototype: object }, undos) {
    undos.push(
      replaceMethod<Method>(prototype, "emit", aside),
      replaceMethod<Method>(prototype, "sendEnvelope", sendOrNot),
      replaceMethod<PromiseFunction>(prototype, "flush", flushed),
      replaceMethod<PromiseFunction>(prototype, "close", flushed),
    );
  },
};

function aside(real: Method): Method {
  return function (this: unknown, ...args) {
    return live(() => Reflect.apply(real, this, args));
  };
}

function sendOrNot(real: Method): Method {
  const send = aside(real);
  return function (this: unknown, ...args) {
    return inReplay() ? Promise.resolve({}) : Reflect.apply(send, this, args);
  };
}

/** Whether all was sent in time is a value that the agent may read. */
function flushed(real: PromiseFunction): PromiseFunction {
  const ordered = orderPromise(real, false);
  return function (this: unknown, ...args) {
    if (here() === null) return Reflect.apply(real, this, args);
    return Reflect.apply(ordered, this, args).then((all) => recordedValue("M", () => Number(all), true) !== 0);
  };
}
