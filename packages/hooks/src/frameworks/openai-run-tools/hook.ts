import type { AnyFunction, Hook, WatchTool } from "@reenact/capture/hook";

interface Tool {
  readonly type: string;
  readonly function: { readonly name?: string; readonly function?: AnyFunction };
  /** of a tool that a schema library has made */
  readonly $callback?: AnyFunction;
}
interface Params {
  readonly tools?: readonly Tool[];
}

/** `runTools` of OpenAI's client calls the functions of its parameters, whole or as a stream, in `_runTools`. */
export const openaiRunTools: Hook = {
  name: "frameworks/openai-run-tools",
  title: "tools of OpenAI's runTools",
  files: [
    { packages: ["openai"], path: /^lib\/AbstractChatCompletionRunner\.m?js$/, value: "AbstractChatCompletionRunner" },
  ],
  versions: { from: "7.0.0", below: "8.0.0" },
  tools: {
    kind: "TOOL",
    method: "_runTools",
    args([client, given, ...rest], watch) {
      const params = given as Params;
      return [client, { ...params, tools: params.tools?.map((tool) => watched(tool, watch)) }, ...rest];
    },
  },
};

function watched(tool: Tool, watch: WatchTool): Tool {
  const { $callback, function: definition } = tool;
  if ($callback !== undefined) {
    const callback = watch({ name: definition.name ?? $callback.name, run: $callback, self: undefined });
    return Object.create(tool, { $callback: { value: callback } }) as Tool;
  }
  const run = definition?.function;
  if (tool.type !== "function" || typeof run !== "function") return tool;
  const name = definition.name || run.name;
  return { ...tool, function: { ...definition, name, function: watch({ name, run, self: definition }) } };
}
