import { filled, type Reading } from "@reenact/capture/dialect";
import { splitBy } from "./dimensions.ts";

/** Exchanges in which no model answers: recorded and compared, little is said. `agentic`: it gives a model something. */
export function thin(name: string, agentic = false): Reading {
  return {
    op: `openai.${name}`,
    kind: "HTTP",
    agentic,
    name,
    task: name,
    dimensions: splitBy({}),
    asked: (body) => ({ model: filled(body["model"]) }),
    answered: (body) => ({ id: filled(body["id"]), model: filled(body["model"]) }),
  };
}
