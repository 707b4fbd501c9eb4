import { type Fields, isFields, listOf } from "../json/json-value.ts";

/** Names of the tools that a model requested in these messages, by the id of the call. */
export function toolNames(messages: readonly unknown[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const add = (id: unknown, name: unknown): void => {
    if (typeof id === "string" && typeof name === "string") names.set(id, name);
  };
  const partsOf = (member: unknown): Fields[] => (listOf(member) ?? []).filter(isFields);
  for (const message of messages.filter(isFields)) {
    add(message["call_id"], message["name"]);
    for (const call of partsOf(message["tool_calls"]))
      add(call["id"], isFields(call["function"]) ? call["function"]["name"] : call["name"]);
    for (const part of partsOf(message["content"])) {
      add(part["id"], part["name"]);
      if (isFields(part["toolUse"])) add(part["toolUse"]["toolUseId"], part["toolUse"]["name"]);
    }
  }
  return names;
}
