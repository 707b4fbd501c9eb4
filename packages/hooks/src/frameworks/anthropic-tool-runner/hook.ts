import type { AnyFunction, Hook } from "@reenact/capture/hook";

interface Tool {
  readonly name: string;
  readonly run?: AnyFunction;
}
interface Context {
  readonly toolUse?: { readonly id?: string };
}

/** Anthropic's tool runners call each tool in `runRunnableTool`, which reads the input and makes content of what the tool throws. */
export const anthropicToolRunner: Hook = {
  name: "frameworks/anthropic-tool-runner",
  title: "tools of Anthropic's tool runner",
  files: [{ packages: ["@anthropic-ai/sdk"], path: /^lib\/tools\/BetaRunnableTool\.m?js$/, value: "runRunnableTool" }],
  errors: [{ packages: ["@anthropic-ai/sdk"], path: /^lib\/tools\/ToolError\.m?js$/, value: "ToolError" }],
  versions: { from: "1.0.0", below: "2.0.0" },
  tools: {
    kind: "TOOL",
    args([given, ...rest], watch) {
      const tool = given as Tool;
      const { name, run } = tool;
      if (typeof run !== "function") return [given, ...rest];
      const callId = ([, context]: readonly unknown[]): string | undefined =>
        (context as Context | undefined)?.toolUse?.id;
      const watched = Object.create(tool, { run: { value: watch({ name, run, self: tool, callId }) } }) as Tool;
      return [watched, ...rest];
    },
  },
};
