import { member, type JsonNode } from "@reenact/envelope";
import { splitter, type Split } from "../split.ts";

const splitBy = splitter({
  unkeyed: ["requestMetadata", "cache_control"],
  opaque: ["signature", "redactedContent"],
  opaqueData: "redacted_thinking",
  verbatim: ["input", "json", "input_schema"],
  mark: "cachePoint",
});

const converse = splitBy({ system: "system", tools: ["toolConfig"], messages: "messages" });

/** The tools of `toolConfig` one by one; the choice among them is a parameter. */
export const splitConverse: Split = (body, model) => {
  const config = body.type === "object" ? member(body, "toolConfig") : undefined;
  const tools = config?.type === "object" ? member(config, "tools") : undefined;
  if (body.type !== "object" || config?.type !== "object" || tools?.type !== "array") return converse(body, model);
  const rest = config.members.filter(({ key }) => key !== "tools");
  const members = body.members.flatMap((each): (typeof body.members)[number][] => {
    if (each.key !== "toolConfig") return [each];
    const choice = rest.length === 0 ? [] : [{ key: "toolChoice", value: { ...config, members: rest } as JsonNode }];
    return [{ key: "toolConfig", value: tools }, ...choice];
  });
  return converse({ ...body, members }, model);
};

/** Fields of the models that can be invoked: messages, a prompt, or texts to embed. */
export const splitInvoked: Split = (body, model) => {
  const has = (key: string): boolean => body.type === "object" && member(body, key) !== undefined;
  const messages = ["messages", "prompt", "inputText", "texts"].find(has) ?? "messages";
  return splitBy({ system: "system", tools: ["tools"], messages })(body, model);
};
