import { filled } from "../../wire/json.ts";
import type { OperationSpec } from "../../operation.ts";
import { splitBy } from "../split.ts";

export const moderations: OperationSpec = {
  kind: "GUARDRAIL",
  agentic: true,
  task: "moderation",
  dimensions: splitBy({ messages: "input" }),
  request: (body) => ({ model: filled(body["model"]) }),
  response: (body) => ({ id: filled(body["id"]), model: filled(body["model"]) }),
};
