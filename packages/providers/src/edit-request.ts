import { list, object, readJson, text, writeJson, type JsonObject } from "./wire/json.ts";

/** One change of a request to a model. `null` as a parameter's value leaves the parameter out. */
export type RequestEdit =
  | { readonly what: "model"; readonly value: string }
  | { readonly what: "system"; readonly value: string }
  | { readonly what: "prompt"; readonly value: string }
  | { readonly what: "params"; readonly name: string; readonly value: unknown };

/** Where the bodies of an operation have their texts. */
interface EditableFields {
  readonly messages: string;
  /** field of the system prompt; absent: it is the messages of these roles at the head */
  readonly system?: string;
}

const EDITABLE: Readonly<Record<string, EditableFields>> = {
  "openai.chat": { messages: "messages" },
  "openai.responses": { messages: "input", system: "instructions" },
  "anthropic.messages": { messages: "messages", system: "system" },
  "mistral.chat": { messages: "messages" },
  "cohere.chat": { messages: "messages" },
  "ollama.chat": { messages: "messages" },
};
const SYSTEM_ROLES = ["system", "developer"];

/** Whether requests of this operation (`provider.operation`) can be edited. */
export const isEditable = (op: string): boolean => Object.hasOwn(EDITABLE, op);

/**
 * The body with these changes; the very text where they change nothing. Throws an `Error` whose message says why a change
 * cannot be made: the body has no such part.
 */
export function editRequest(op: string, body: string, edits: readonly RequestEdit[]): string {
  const fields = EDITABLE[op];
  const before = readJson(body);
  if (fields === undefined) throw new Error(`requests of ${op} cannot be edited`);
  if (typeof before !== "object" || before === null) throw new Error("its body is no JSON object");
  const after = edits.reduce((sum, edit) => edited(sum, edit, fields), object(before));
  // an SDK writes compact JSON: a body that another hand wrote is kept where nothing changes
  return writeJson(after) === writeJson(before) ? body : writeJson(after);
}

function edited(body: JsonObject, edit: RequestEdit, fields: EditableFields): JsonObject {
  switch (edit.what) {
    case "model":
      if (text(body["model"]) === undefined) throw new Error("its body names no model");
      return { ...body, model: edit.value };
    case "system":
      return withSystem(body, edit.value, fields);
    case "prompt":
      return withPrompt(body, edit.value, fields);
    case "params":
      return withMember(body, edit.name.split("."), edit.value);
  }
}

/** Where there is a field and messages at the head, too, both are the system prompt: one text stands for all of it. */
function withSystem(body: JsonObject, value: string, { messages, system }: EditableFields): JsonObject {
  const all = list(body[messages]);
  const head = all.findIndex((message) => !SYSTEM_ROLES.includes(roleOf(message)));
  const rest = head === -1 ? [] : all.slice(head);
  const isHeaded = rest.length < all.length;
  if (system !== undefined && !(isHeaded && body[system] === undefined))
    return { ...body, ...(isHeaded ? { [messages]: rest } : {}), [system]: value };
  const role = isHeaded ? roleOf(all[0]) : "system";
  return { ...body, [messages]: [{ role, content: value }, ...rest] };
}

/** The text of the last message of the user. */
function withPrompt(body: JsonObject, value: string, { messages }: EditableFields): JsonObject {
  const asked = body[messages];
  if (typeof asked === "string") return { ...body, [messages]: value };
  const all = list(asked);
  const last = all.findLastIndex((message) => roleOf(message) === "user" && !isToolResult(message));
  if (last === -1) throw new Error("it has no message of a user");
  const message = object(all[last]);
  const content = contentWith(message["content"], value);
  return { ...body, [messages]: all.with(last, { ...message, content }) };
}

/** Parts that are no text, such as images, stay, results of tools ahead of a new text; of several texts the first is replaced, and the others go. */
function contentWith(content: unknown, value: string): unknown {
  if (!Array.isArray(content)) return value;
  const texts = list(content).map((part) => typeof object(part)["text"] === "string");
  const first = texts.indexOf(true);
  if (first === -1) return [...list(content), { type: textTypeOf(list(content)), text: value }];
  return list(content).flatMap((part, n) =>
    n === first ? { ...object(part), text: value } : texts[n] === true ? [] : part,
  );
}

/** OpenAI's Responses name parts of what is asked `input_text`, `input_image`. */
const textTypeOf = (parts: readonly unknown[]): string =>
  parts.some((part) => text(object(part)["type"])?.startsWith("input_")) ? "input_text" : "text";

/** Anthropic gives results of tools as messages of the user. */
function isToolResult(message: unknown): boolean {
  const parts = list(object(message)["content"]);
  return parts.length > 0 && parts.every((part) => object(part)["type"] === "tool_result");
}

const roleOf = (message: unknown): string => text(object(message)["role"]) ?? "";

function withMember(body: JsonObject, [name = "", ...below]: readonly string[], value: unknown): JsonObject {
  if (below.length > 0) return { ...body, [name]: withMember(object(body[name]), below, value) };
  const { [name]: _, ...others } = body;
  return value === null ? others : { ...body, [name]: value };
}
