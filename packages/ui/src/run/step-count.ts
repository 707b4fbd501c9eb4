import type { Run } from "../api/call.ts";

/** Steps of a run, attempts folded. Runs of other instrumentations have no slots: of those, what is known to be a step counts. */
export const stepCount = ({ steps, llm, toolCalls }: Run): number => (steps === 0 ? llm + toolCalls : steps);
