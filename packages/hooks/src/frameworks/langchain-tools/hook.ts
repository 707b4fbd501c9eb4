import type { Hook } from "@reenact/capture/hook";

interface Tool {
  readonly name: string;
  /** the user's function, where the tool was made by `tool()` or `DynamicTool` */
  readonly func?: unknown;
  readonly _call: unknown;
}

/**
 * LangChain runs each tool, of an agent or by `invoke`, through `StructuredTool.call`, which checks the input, calls `_call`
 * and makes the message of the result. Only `_call` is a step: callbacks and messages are the same in a replay.
 */
export const langchainTools: Hook = {
  name: "frameworks/langchain-tools",
  title: "LangChain's tools",
  files: [{ packages: ["@langchain/core"], path: /^dist\/tools\/index\.(?:js|cjs)$/, value: "StructuredTool" }],
  versions: { from: "1.0.0", below: "2.0.0" },
  step: {
    kind: "TOOL",
    within: "call",
    method: "_call",
    name: (tool) => (tool as Tool).name,
    // the others are LangChain's own: the run manager and the configuration
    args: ([input]) => [input],
    callId: ([, , config]) => (config as { toolCall?: { id?: string } } | undefined)?.toolCall?.id,
    body: (tool) => (tool as Tool).func ?? Reflect.get(Object.getPrototypeOf(tool) as object, "_call"),
  },
};
