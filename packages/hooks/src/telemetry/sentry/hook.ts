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
 * Leaves the work of the agent's Sentry client out of the run, as the exports of OpenTelemetry are left out: its timers and
 * requests depend on connections, which a replay does not open. Only the end of `flush` and `close` is recorded, since the
 * agent may wait for it. A replay sends nothing.
 */
export const sentry: Hook = {
  name: "telemetry/sentry",
  title: "what Sentry's client sends",
  files: [{ packages: ["@sentry/core"], path: /^build\/(?:cjs|esm)\/(?:[^/]+\/)?client\.js$/, value: "Client" }],
  patch({ prototype }: { prototype: object }, undos) {
    undos.push(
      replaceMethod<Method>(prototype, "emit", unrecorded),
      replaceMethod<Method>(prototype, "sendEnvelope", sendOrNot),
      replaceMethod<PromiseFunction>(prototype, "flush", flushed),
      replaceMethod<PromiseFunction>(prototype, "close", flushed),
    );
  },
};

function unrecorded(real: Method): Method {
  return function (this: unknown, ...args) {
    return live(() => Reflect.apply(real, this, args));
  };
}

function sendOrNot(real: Method): Method {
  const send = unrecorded(real);
  return function (this: unknown, ...args) {
    return inReplay() ? Promise.resolve({}) : Reflect.apply(send, this, args);
  };
}

/** The agent may read the result: whether everything was sent in time. */
function flushed(real: PromiseFunction): PromiseFunction {
  const ordered = orderPromise(real, false);
  return function (this: unknown, ...args) {
    if (here() === null) return Reflect.apply(real, this, args);
    return Reflect.apply(ordered, this, args).then((all) => recordedValue("M", () => Number(all), true) !== 0);
  };
}
