import type { Decision, Hook } from "@reenact/capture/hook";

/** `Command` of LangGraph, as its own code knows it */
interface GraphCommand {
  readonly lg_name: "Command";
  readonly resume?: unknown;
}

/**
 * `interrupt()` of LangGraph returns the answer of a person once the graph goes on; where it asks, it throws. `mapCommand` gets the
 * `Command` with which the graph goes on: of an `interrupt()` in a tool, which a replay does not run, the answer is seen there only.
 */
export const langgraphDecisions: Hook = {
  name: "decisions/langgraph",
  title: "interrupts of LangGraph",
  files: [
    { packages: ["@langchain/langgraph"], path: /^dist\/interrupt\.(?:js|cjs)$/, value: "interrupt" },
    { packages: ["@langchain/langgraph"], path: /^dist\/pregel\/io\.(?:js|cjs)$/, value: "mapCommand" },
  ],
  versions: { from: "1.0.0", below: "2.0.0" },
  decisions: {
    stops: true,
    decisions: ([given], result) =>
      isCommand(given) ? resumeOf(given) : [{ name: "interrupt", asked: given, answer: result }],
  },
};

function resumeOf({ resume }: GraphCommand): readonly Decision[] {
  return resume === undefined || resume === null ? [] : [{ name: "resume", answer: resume }];
}

const isCommand = (given: unknown): given is GraphCommand =>
  typeof given === "object" && given !== null && Reflect.get(given, "lg_name") === "Command";
