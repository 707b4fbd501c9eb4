import type { AnyFunction, Hook } from "@reenact/capture/hook";

interface Handoff {
  toolName: string;
  readonly agent: object;
  readonly agentName: string;
  onInvokeHandoff: AnyFunction;
}

/**
 * A hand-off is a tool to the model, and a step under that name. Its result is an agent, which no record can hold: the step's is
 * the agent's name.
 */
export const openaiAgentsHandoffs: Hook = {
  name: "frameworks/openai-agents-handoffs",
  title: "hand-offs of OpenAI Agents",
  files: [{ packages: ["@openai/agents-core"], path: /^dist\/handoff\.m?js$/, value: "handoff" }],
  versions: { from: "0.20.0", below: "0.21.0" },
  tools: {
    kind: "TOOL",
    result(value, watch) {
      const handoff = value as Handoff;
      const { agent, agentName, toolName, onInvokeHandoff: real } = handoff;
      const run: AnyFunction = async (...args) => {
        await Reflect.apply(real, handoff, args);
        return agentName;
      };
      const invoke = watch({ name: toolName, run, source: null, args: ([, input]) => [input] });
      handoff.onInvokeHandoff = async (...args) => {
        await invoke(...args);
        return agent;
      };
      return handoff;
    },
  },
};
