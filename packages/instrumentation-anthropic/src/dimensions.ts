import { member, type Dimensions, type JsonMember, type JsonNode } from "@reenact/envelope";

/** Fields that no model sees: bookkeeping, caching, routing. */
const BOOKKEEPING: ReadonlySet<string> = new Set([
  "metadata",
  "service_tier",
  "cache_control",
  "user_profile_id",
  "workspace_id",
]);

/** Opaque texts that Anthropic minted and wants back: they round-trip and never enter a digest. */
const OPAQUE: ReadonlySet<string> = new Set(["signature", "encrypted_content", "encrypted_index"]);

/**
 * Every field that is neither prompt, tools nor bookkeeping is a parameter. Cache marks inside of prompt and tools
 * are taken out and stand among the unkeyed, under their JSON pointer.
 */
export function splitMessages(body: JsonNode, model: string | undefined): Dimensions {
  const split: Dimensions = { params: [], unkeyed: [] };
  if (model !== undefined) split.model = model;
  if (body.type !== "object") return { ...split, params: [{ key: "", value: body }] };
  const last = new Map(body.members.map(({ key, value }) => [key, value]));
  for (const { key, value } of body.members) {
    if (last.get(key) !== value) split.params.push({ key, value });
    else if (key === "model" && value.type === "string") split.model = value.value;
    else if (key === "system" || key === "tools" || key === "messages") {
      const found = items(value).map((node, n) =>
        bare(node, value.type === "array" ? `/${key}/${n}` : `/${key}`, split.unkeyed),
      );
      if (found.length > 0 || key === "messages") split[key] = found;
    } else if (BOOKKEEPING.has(key)) split.unkeyed.push({ key, value });
    else split.params.push({ key, value });
  }
  return split;
}

function items(value: JsonNode): JsonNode[] {
  if (value.type === "null") return [];
  return value.type === "array" ? value.items : [value];
}

/** The arguments and results of tools are the agent's own words: nothing is taken out of them but the block's marks. */
function bare(node: JsonNode, at: string, unkeyed: JsonMember[]): JsonNode {
  if (node.type === "array") return { ...node, items: node.items.map((item, n) => bare(item, `${at}/${n}`, unkeyed)) };
  if (node.type !== "object") return node;
  const type = member(node, "type");
  const redacted = type?.type === "string" && type.value === "redacted_thinking";
  const members: JsonMember[] = [];
  for (const { key, value } of node.members) {
    if (key === "cache_control") unkeyed.push({ key: `${at}/${key}`, value });
    else if (value.type === "string" && (OPAQUE.has(key) || (redacted && key === "data"))) {
      members.push({ key, value: { ...value, value: "" } });
    } else if (key === "input" || key === "input_schema") members.push({ key, value });
    else members.push({ key, value: bare(value, `${at}/${key}`, unkeyed) });
  }
  return { ...node, members };
}
