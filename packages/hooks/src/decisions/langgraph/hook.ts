import type { Hook } from "@reenact/capture/hook";

/** `interrupt()` of LangGraph returns the answer of a person once the graph goes on; where it asks, it throws. */
export const langgraphDecisions: Hook = {
  name: "decisions/langgraph",
  title: "interrupts of LangGraph",
  files: [{ packages: ["@langchain/langgraph"], path: /^dist\/interrupt\.(?:js|cjs)$/, value: "interrupt" }],
  versions: { from: "1.0.0", below: "2.0.0" },
  decisions: { stops: true, decisions: ([asked], answer) => [{ name: "interrupt", asked, answer }] },
};
