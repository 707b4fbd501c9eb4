import { basename, dirname, resolve } from "node:path";
import { type AnyFunction, type HandlerPlace, type Hook, live } from "@reenact/capture/hook";
import { isStreaming, lambdaStream, streamedOutcome } from "./response-stream.ts";

/** What is used of what the runtime tells a function beside its event. */
interface Context {
  getRemainingTimeInMillis?(): number;
}

type Callback = (error?: unknown, value?: unknown) => void;

/** What a function is told of its invocation as plain data. */
const PLAIN = [
  "awsRequestId",
  "clientContext",
  "functionName",
  "functionVersion",
  "identity",
  "invokedFunctionArn",
  "logGroupName",
  "logStreamName",
  "memoryLimitInMB",
  "tenantId",
  "xRayTraceId",
];
/** The runtime tries these in this order. */
const ENDINGS = ["", ".js", ".mjs", ".cjs"];

/** Where the function stands that a handler setting names: `folder/file.name`; null: it names none. */
export function lambdaPlace(handler: string, root: string, from: string): HandlerPlace | null {
  const [, file = "", name = ""] = /^([^.]*)\.(.+)$/.exec(basename(handler)) ?? [];
  if (file === "" || name.includes(".")) return null;
  return { file: resolve(root, dirname(handler), file), endings: ENDINGS, name, from };
}

/** When the time of an invocation is over, epoch ms; undefined: it has no end. */
function deadlineOf(context: Context): number | undefined {
  const left = context.getRemainingTimeInMillis;
  if (left === undefined) return undefined;
  return live(() => {
    for (;;) {
      const [before, remaining, after] = [Date.now(), left.call(context), Date.now()];
      if (before === after) return before + remaining;
    }
  });
}

/** A function whose third argument is called with its answer; Node 24's runtime has none. */
function hasCallback(handler: AnyFunction): boolean {
  return !isStreaming(handler) && handler.length >= 3;
}

/** The answer comes by the callback, unless the function returns a promise. */
function carryOutWithCallback(
  call: (given: readonly unknown[]) => unknown,
  [event, context, callback]: readonly unknown[],
) {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const answered: Callback = (error, value) => {
    if (error === undefined || error === null) resolve(value);
    // a text is an error too
    else reject(error as Error);
    (callback as Callback | undefined)?.(error, value);
  };
  const returned = call([event, context, answered]);
  if (returned instanceof Promise) return { outcome: returned };
  return {
    outcome: promise,
    give(settled: unknown): unknown {
      void Promise.resolve(settled).catch(() => {});
      return returned;
    },
  };
}

export const awsLambda: Hook = {
  name: "jobs/aws-lambda",
  title: "invocations of AWS Lambda",
  handler: {
    by: "aws-lambda",
    place({ _HANDLER: handler, LAMBDA_TASK_ROOT: root, AWS_LAMBDA_FUNCTION_NAME: name = handler }) {
      return handler === undefined || root === undefined ? null : lambdaPlace(handler, root, name ?? handler);
    },
    read([event, second, third], handler) {
      const context = (isStreaming(handler) ? third : second) as Readonly<Record<string, unknown>> & Context;
      const text = JSON.stringify(event) as string | undefined;
      const known = PLAIN.flatMap((name) => (context[name] === undefined ? [] : [[name, context[name]]]));
      const told = {
        ...(Object.fromEntries(known) as Readonly<Record<string, unknown>>),
        deadline: deadlineOf(context),
      };
      return {
        told: () => ({ event: text === undefined ? undefined : (JSON.parse(text) as unknown), context: told }),
      };
    },
    given({ event, context }, handler) {
      const { deadline, ...plain } = context as Readonly<Record<string, unknown>>;
      const own = { ...plain, getRemainingTimeInMillis: () => Number(deadline ?? Infinity) - Date.now() };
      if (isStreaming(handler)) return [event, lambdaStream(), own];
      return hasCallback(handler) ? [event, own, () => {}] : [event, own];
    },
    carryOut(call, given, handler) {
      if (isStreaming(handler)) return streamedOutcome(call, given);
      return hasCallback(handler) ? carryOutWithCallback(call, given) : { outcome: call(given) };
    },
  },
};
