import type { OperationSpec } from "./operation.ts";
import type { Split } from "./split.ts";
import { filled } from "./wire/json.ts";

/** Makes the operations without an answer of a model: recorded and compared, with a short view. */
export function auxiliaries(dimensions: Split): (task: string, options?: { agentic: boolean }) => OperationSpec {
  return (task, options = { agentic: false }) => ({
    kind: "HTTP",
    agentic: options.agentic,
    task,
    dimensions,
    request: (body) => ({ model: filled(body["model"]) }),
    response: (body) => ({ id: filled(body["id"]), model: filled(body["model"]) }),
  });
}
