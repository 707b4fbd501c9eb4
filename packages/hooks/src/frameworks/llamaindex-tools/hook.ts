import { type AnyFunction, type Hook, inReplay } from "@reenact/capture/hook";

interface Tool {
  readonly metadata: { readonly name: string };
  readonly call?: AnyFunction;
}
interface ToolCall {
  readonly id?: string;
}

/** The tool that LlamaIndex makes for an agent that may hand over to others. */
const HAND_OFF = "handOff";

/**
 * LlamaIndex calls each tool of its agents and workflows in `callTool`, which reads the input and makes a message of what the
 * tool gives or throws. The user's own function is hidden in the tool, so a changed tool is not told by its source.
 */
export const llamaindexTools: Hook = {
  name: "frameworks/llamaindex-tools",
  title: "LlamaIndex's tools",
  files: [{ packages: ["@llamaindex/core"], path: /^agent\/dist\/index\.c?js$/, value: "callTool" }],
  versions: { from: "0.6.0", below: "0.7.0" },
  tools: {
    kind: "TOOL",
    args([given, toolCall, ...rest], watch) {
      const tool = given as Tool | undefined;
      if (typeof tool?.call !== "function") return [given, toolCall, ...rest];
      const { metadata, call } = tool;
      const callId = (): string | undefined => (toolCall as ToolCall).id;
      const { name } = metadata;
      const step = watch({ name, run: call, self: tool, callId });
      const handOver: AnyFunction = async (...given) => {
        const told = await step(...given);
        // it only notes, in the state of the workflow, which agent is next: a replay has to know it, too
        if (inReplay()) Reflect.apply(call, tool, given);
        return told;
      };
      const watched: unknown = Object.create(tool, {
        // of the tool's class, which keeps it in a private field
        metadata: { value: metadata },
        call: { value: name === HAND_OFF ? handOver : step },
      });
      return [watched, toolCall, ...rest];
    },
  },
};
