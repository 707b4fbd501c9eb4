import type { AnyFunction, Hook } from "@reenact/capture/hook";

interface Options {
  readonly name?: string;
  readonly execute?: AnyFunction;
}
interface Details {
  readonly toolCall?: { readonly callId?: string };
}

/**
 * OpenAI Agents keeps the `execute` of a tool's options out of reach once the tool is made: it is replaced where `tool()` is called,
 * which agents as tools and tools of MCP servers go through too. A tool's guardrails, approval and messages are the same in a replay.
 */
export const openaiAgents: Hook = {
  name: "frameworks/openai-agents",
  title: "tools of OpenAI Agents",
  files: [{ packages: ["@openai/agents-core"], path: /^dist\/tool\.m?js$/, value: "tool" }],
  versions: { from: "0.20.0", below: "0.21.0" },
  tools: {
    kind: "TOOL",
    args([given, ...rest], watch) {
      const options = given as Options;
      const run = options.execute;
      if (typeof run !== "function") return [given, ...rest];
      const callId = ([, , details]: readonly unknown[]): string | undefined =>
        (details as Details | undefined)?.toolCall?.callId;
      const execute = watch({ name: toolName(options.name || run.name), run, self: options, callId });
      return [{ ...options, execute }, ...rest];
    },
  },
};

/** As the library makes it of a tool's name for the model. */
function toolName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9]/g, "_");
}
