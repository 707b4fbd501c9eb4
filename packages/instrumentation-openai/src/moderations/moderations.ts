import { filled, type Reading } from "@reenact/capture/dialect";
import { splitBy } from "../dimensions.ts";

export const moderations: Reading = {
  op: "openai.moderations",
  kind: "GUARDRAIL",
  agentic: true,
  name: "moderations",
  task: "moderation",
  dimensions: splitBy({ messages: "input" }),
  asked: (body) => ({ model: filled(body["model"]) }),
  answered: (body) => ({ id: filled(body["id"]), model: filled(body["model"]) }),
};
