import { filled, type Reading } from "@reenact/capture/dialect";
import { splitMessages } from "./dimensions.ts";

/** Exchanges in which no model answers: recorded and compared, little is said. `agentic`: a model runs because of it. */
export function thin(name: string, agentic = false): Reading {
  return {
    op: `anthropic.${name}`,
    kind: "HTTP",
    agentic,
    name,
    task: name,
    dimensions: splitMessages,
    asked: () => ({}),
    answered: (body) => ({ id: filled(body["id"]) }),
  };
}
