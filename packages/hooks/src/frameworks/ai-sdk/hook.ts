import type { AnyFunction, Hook } from "@reenact/capture/hook";

interface Tool {
  readonly execute?: AnyFunction;
}
interface Execution {
  readonly toolCall: { readonly toolName: string; readonly toolCallId: string };
  readonly tools?: Readonly<Record<string, Tool>>;
}

/**
 * The AI SDK runs each tool of `generateText`, `streamText` and its agents in `executeToolCall`, which looks the tool up by name,
 * calls its `execute` and makes the part of the result. Only `execute` is a step: callbacks and parts are the same in a replay.
 */
export const aiSdk: Hook = {
  name: "frameworks/ai-sdk",
  title: "tools of the AI SDK",
  files: [{ packages: ["ai"], path: /^dist\/index\.m?js$/, value: "executeToolCall" }],
  versions: { from: "6.0.0", below: "8.0.0" },
  tools: {
    kind: "TOOL",
    args([given, ...rest], watch) {
      const execution = given as Execution;
      const { toolName, toolCallId } = execution.toolCall;
      const tool = execution.tools?.[toolName];
      const run = tool?.execute;
      if (tool === undefined || typeof run !== "function") return [given, ...rest];
      const execute = watch({ name: toolName, run: yielding(run), source: run, self: tool, callId: () => toolCallId });
      const watched = Object.create(tool, { execute: { value: execute } }) as Tool;
      return [{ ...execution, tools: { ...execution.tools, [toolName]: watched } }, ...rest];
    },
  },
};

/** A tool may give any asynchronous iterable, of which the SDK reads all: as a generator it is recorded yield by yield. */
function yielding(run: AnyFunction): AnyFunction {
  return function (...args) {
    const out: unknown = Reflect.apply(run, this, args);
    return isIterable(out) && !isGenerator(out) ? all(out) : out;
  };
}

const isGenerator = (value: object): boolean => Object.prototype.toString.call(value) === "[object AsyncGenerator]";

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

async function* all(values: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  yield* values;
}
