import { member, type Dimensions, type JsonMember, type JsonNode } from "@reenact/envelope";

/** What a provider's request bodies hold besides the prompt, as data. */
export interface SplitRules {
  /** fields that no model sees: bookkeeping, caching, routing */
  readonly unkeyed: readonly string[];
  /** texts that the provider minted and wants back: they round-trip and never enter a digest */
  readonly opaque: readonly string[];
  /** `type` of the objects whose `data` is opaque too */
  readonly opaqueData: string;
  /** values that belong to the agent, such as tool arguments: nothing inside of them is taken out */
  readonly verbatim: readonly string[];
  /** a mark anywhere in prompt and tools that is unkeyed, under its JSON pointer */
  readonly mark?: string;
  /** roles whose messages at the head of a conversation are the system prompt */
  readonly systemRoles?: readonly string[];
}

/** Names of the fields of one operation. Every field not named is a parameter. */
export interface PromptFields {
  readonly system?: string;
  readonly tools?: readonly string[];
  readonly messages?: string;
}

/** `model` is the one named by the path, where the body has none. */
export type Split = (body: JsonNode, model: string | undefined) => Dimensions;

/** Makes the splitters of a provider: bodies under its rules, into the dimensions that a replay compares. */
export function splitter(rules: SplitRules): (fields: PromptFields) => Split {
  return (fields) => (body, model) => splitBody(body, model, fields, rules);
}

function splitBody(body: JsonNode, model: string | undefined, fields: PromptFields, rules: SplitRules): Dimensions {
  const split: Dimensions = { params: [], unkeyed: [] };
  if (model !== undefined) split.model = model;
  if (body.type !== "object") return { ...split, params: [{ key: "", value: body }] };
  const tools: JsonNode[] = [];
  const system: JsonNode[] = [];
  const last = new Map(body.members.map(({ key, value }) => [key, value]));
  for (const { key, value } of body.members) {
    const prompt = (): JsonNode[] => promptItems(key, value, rules, split.unkeyed);
    if (last.get(key) !== value) split.params.push({ key, value });
    else if (key === "model" && value.type === "string") split.model = value.value;
    else if (key === fields.system) system.push(...prompt());
    else if (key === fields.messages) split.messages = prompt();
    else if (fields.tools?.includes(key)) tools.push(...prompt());
    else if (rules.unkeyed.includes(key)) split.unkeyed.push({ key, value });
    else split.params.push({ key, value });
  }
  if (split.messages !== undefined) system.push(...takeHead(split.messages, rules.systemRoles));
  if (system.length > 0) split.system = system;
  if (tools.length > 0) split.tools = tools;
  return split;
}

/** The items of a prompt field without marks and opaque texts. A list of tokens is one text. */
function promptItems(key: string, value: JsonNode, rules: SplitRules, unkeyed: JsonMember[]): JsonNode[] {
  if (value.type === "null") return [];
  if (value.type !== "array" || value.items[0]?.type === "number") return [bare(value, `/${key}`, rules, unkeyed)];
  return value.items.map((node, n) => bare(node, `/${key}/${n}`, rules, unkeyed));
}

/** Removes the system messages before the first other message, and returns them. */
function takeHead(messages: JsonNode[], roles: readonly string[] = []): JsonNode[] {
  const rest = messages.findIndex((message) => {
    const role = message.type === "object" ? member(message, "role") : undefined;
    return role?.type !== "string" || !roles.includes(role.value);
  });
  return messages.splice(0, rest < 0 ? messages.length : rest);
}

function bare(node: JsonNode, at: string, rules: SplitRules, unkeyed: JsonMember[]): JsonNode {
  if (node.type === "array")
    return { ...node, items: node.items.map((item, n) => bare(item, `${at}/${n}`, rules, unkeyed)) };
  if (node.type !== "object") return node;
  const type = member(node, "type");
  const sealed = type?.type === "string" && type.value === rules.opaqueData;
  const members: JsonMember[] = [];
  for (const { key, value } of node.members) {
    if (key === rules.mark) unkeyed.push({ key: `${at}/${key}`, value });
    else if (value.type === "string" && (rules.opaque.includes(key) || (sealed && key === "data")))
      members.push({ key, value: { ...value, value: "" } });
    else if (rules.verbatim.includes(key)) members.push({ key, value });
    else members.push({ key, value: bare(value, `${at}/${key}`, rules, unkeyed) });
  }
  return { ...node, members };
}
