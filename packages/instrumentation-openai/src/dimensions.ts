import { member, type Dimensions, type JsonNode } from "@reenact/envelope";

/** Which fields of a request body belong to which dimension. Every field not named here is a parameter. */
export interface Fields {
  readonly system?: string;
  readonly tools?: readonly string[];
  readonly messages?: string;
}

/** Fields that no model sees: bookkeeping, caching, routing. */
const BOOKKEEPING: ReadonlySet<string> = new Set([
  "user",
  "metadata",
  "store",
  "service_tier",
  "stream_options",
  "safety_identifier",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "idempotency_key",
]);

/** Opaque texts that a provider minted and wants back: they round-trip and never enter a digest. */
const OPAQUE: ReadonlySet<string> = new Set(["signature", "encrypted_content", "thought_signature"]);

const HEAD_ROLES: ReadonlySet<string> = new Set(["system", "developer"]);

/** A splitter for bodies with these fields; `model` is the one named by the path, where the body has none. */
export function splitBy(fields: Fields): (body: JsonNode, model: string | undefined) => Dimensions {
  return (body, model) => splitBody(body, fields, model);
}

function splitBody(body: JsonNode, fields: Fields, model: string | undefined): Dimensions {
  const split: Dimensions = { params: [], unkeyed: [] };
  if (model !== undefined) split.model = model;
  if (body.type !== "object") return { ...split, params: [{ key: "", value: body }] };
  const tools: JsonNode[] = [];
  const system: JsonNode[] = [];
  const last = new Map(body.members.map(({ key, value }) => [key, value]));
  for (const { key, value } of body.members) {
    if (last.get(key) !== value) split.params.push({ key, value });
    else if (key === "model" && value.type === "string") split.model = value.value;
    else if (key === fields.system) system.push(...(value.type === "null" ? [] : [value]));
    else if (key === fields.messages) split.messages = items(value).map(blanked);
    else if (fields.tools?.includes(key)) tools.push(...items(value));
    else if (BOOKKEEPING.has(key)) split.unkeyed.push({ key, value });
    else split.params.push({ key, value });
  }
  const rest = (split.messages ?? []).findIndex((message) => !isHead(message));
  const heads = rest < 0 ? (split.messages?.length ?? 0) : rest;
  system.push(...(split.messages?.splice(0, heads) ?? []));
  if (system.length > 0) split.system = system;
  if (tools.length > 0) split.tools = tools;
  return split;
}

/** A list of tokens is one text. */
function items(value: JsonNode): JsonNode[] {
  if (value.type === "null") return [];
  return value.type === "array" && value.items[0]?.type !== "number" ? [...value.items] : [value];
}

function isHead(message: JsonNode): boolean {
  const role = message.type === "object" ? member(message, "role") : undefined;
  return role?.type === "string" && HEAD_ROLES.has(role.value);
}

function blanked(node: JsonNode): JsonNode {
  if (node.type === "array") return { ...node, items: node.items.map(blanked) };
  if (node.type !== "object") return node;
  const sealed = node.members.some(
    (m) => m.key === "type" && m.value.type === "string" && m.value.value === "reasoning.encrypted",
  );
  const members = node.members.map(({ key, value }) =>
    value.type === "string" && (OPAQUE.has(key) || (sealed && key === "data"))
      ? { key, value: { ...value, value: "" } }
      : { key, value: blanked(value) },
  );
  return { ...node, members };
}
