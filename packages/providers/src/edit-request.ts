import { provider } from "./registry.ts";
import { list, object, readJson, text, writeJson, type JsonObject } from "./wire/json.ts";

/** One change of a request to a model. `null` as a parameter's value leaves the parameter out. */
export type RequestEdit =
  | { readonly what: "model"; readonly value: string }
  | { readonly what: "system"; readonly value: string }
  | { readonly what: "prompt"; readonly value: string }
  | { readonly what: "params"; readonly name: string; readonly value: unknown };

/** What of a request an edit can change, and what tells whether it can. */
export interface EditableRequest {
  readonly url: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body: string;
}

/** Where the bodies of an operation have their texts. */
interface EditableFields {
  readonly messages: string;
  /** field of the system prompt; absent: it is the messages of these roles at the head */
  readonly system?: string;
  /** how the system prompt stands in its field; default: as a text */
  readonly systemForm?: "blocks" | "content";
  /** field of a message that holds its parts */
  readonly parts?: "parts";
  /** whether parts that are texts say so in `type`; default: they do */
  readonly untyped?: true;
  /** parameters stand in a field of their own, but for these, which stand at the top as those do that the body has there */
  readonly params?: { readonly in: string; readonly top: readonly string[] };
}

const GENERATE: EditableFields = {
  messages: "contents",
  system: "systemInstruction",
  systemForm: "content",
  parts: "parts",
  untyped: true,
  params: {
    in: "generationConfig",
    top: [
      "tools",
      "toolConfig",
      "safetySettings",
      "cachedContent",
      "labels",
      "modelArmorConfig",
      "serviceTier",
      "store",
    ],
  },
};
const CONVERSE: EditableFields = {
  messages: "messages",
  system: "system",
  systemForm: "blocks",
  untyped: true,
  params: {
    in: "inferenceConfig",
    top: [
      "additionalModelRequestFields",
      "additionalModelResponseFieldPaths",
      "guardrailConfig",
      "outputConfig",
      "performanceConfig",
      "promptVariables",
      "requestMetadata",
      "serviceTier",
      "toolConfig",
    ],
  },
};
const OLLAMA = {
  in: "options",
  top: ["format", "keep_alive", "logprobs", "raw", "stream", "suffix", "template", "think", "tools", "top_logprobs"],
};

const EDITABLE: Readonly<Record<string, EditableFields>> = {
  "openai.chat": { messages: "messages" },
  "openai.responses": { messages: "input", system: "instructions" },
  "anthropic.messages": { messages: "messages", system: "system" },
  "google.generate": GENERATE,
  "google.generate.stream": GENERATE,
  "bedrock.converse": CONVERSE,
  "bedrock.converse.stream": CONVERSE,
  "mistral.chat": { messages: "messages" },
  "mistral.agents": { messages: "messages" },
  "cohere.chat": { messages: "messages" },
  "ollama.chat": { messages: "messages", params: OLLAMA },
  "ollama.generate": { messages: "prompt", system: "system", params: OLLAMA },
};
const SYSTEM_ROLES = ["system", "developer"];

/** Whether requests of this operation (`provider.operation`) can be edited. */
export const isEditable = (op: string): boolean => Object.hasOwn(EDITABLE, op);

/**
 * Address and body with these changes; the very texts where they change nothing. Throws an `Error` whose message says why a change
 * cannot be made: the request has no such part, or is signed.
 */
export function editRequest(
  op: string,
  request: EditableRequest,
  edits: readonly RequestEdit[],
): { readonly url: string; readonly body: string } {
  const fields = EDITABLE[op];
  const before = readJson(request.body);
  if (fields === undefined) throw new Error(`requests of ${op} cannot be edited`);
  if (typeof before !== "object" || before === null) throw new Error("its body is no JSON object");
  const url = edits.reduce(
    (sum, edit) => (edit.what === "model" ? withModelInPath(op, sum, edit.value) : sum),
    request.url,
  );
  const isNamed = modelInPath(op, request.url) !== null;
  const after = edits.reduce((sum, edit) => edited(sum, edit, fields, isNamed), object(before));
  // an SDK writes compact JSON: a body that another hand wrote is kept where nothing changes
  const body = writeJson(after) === writeJson(before) ? request.body : writeJson(after);
  if ((url !== request.url || body !== request.body) && isSigned(request))
    throw new Error(
      "it is signed (AWS Signature Version 4), and an edited one would be refused; a key of Bedrock (AWS_BEARER_TOKEN_BEDROCK) signs nothing",
    );
  return { url, body };
}

const isSigned = ({ url, headers }: EditableRequest): boolean =>
  /[?&]x-amz-signature=/i.test(url) ||
  headers.some(([name, value]) => name.toLowerCase() === "authorization" && value.startsWith("AWS4-"));

/** Where the address names the model: from and to which character. Null: it does not. */
function modelInPath(op: string, url: string): [number, number] | null {
  const found = provider(op.split(".")[0] ?? "").modelInPath?.exec(url);
  const name = found?.[1];
  if (!found || name === undefined) return null;
  const start = found.index + found[0].lastIndexOf(name);
  return [start, start + name.length];
}

function withModelInPath(op: string, url: string, model: string): string {
  const place = modelInPath(op, url);
  if (place === null) return url;
  return url.slice(0, place[0]) + encodeURIComponent(model.replace(/^models\//, "")) + url.slice(place[1]);
}

function edited(body: JsonObject, edit: RequestEdit, fields: EditableFields, isInPath: boolean): JsonObject {
  switch (edit.what) {
    case "model":
      if (text(body["model"]) !== undefined) return { ...body, model: edit.value };
      if (!isInPath) throw new Error("its body names no model");
      return body;
    case "system":
      return withSystem(body, edit.value, fields);
    case "prompt":
      return withPrompt(body, edit.value, fields);
    case "params":
      return withMember(body, pathOf(edit.name.split("."), body, fields), edit.value);
  }
}

function pathOf(path: readonly string[], body: JsonObject, { params }: EditableFields): readonly string[] {
  const [name = ""] = path;
  const isTop = params === undefined || name === params.in || params.top.includes(name) || Object.hasOwn(body, name);
  return isTop ? path : [params.in, ...path];
}

/** Where there is a field and messages at the head, too, both are the system prompt: one text stands for all of it. */
function withSystem(body: JsonObject, value: string, fields: EditableFields): JsonObject {
  const { messages, system, systemForm } = fields;
  if (system !== undefined && systemForm === "blocks")
    return { ...body, [system]: contentWith(list(body[system]), value, fields) };
  if (system !== undefined && systemForm === "content")
    return { ...body, [system]: { ...object(body[system]), parts: [{ text: value }] } };
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
function withPrompt(body: JsonObject, value: string, fields: EditableFields): JsonObject {
  const { messages, parts = "content" } = fields;
  const asked = body[messages];
  if (typeof asked === "string") return { ...body, [messages]: value };
  const all = list(asked);
  const last = all.findLastIndex((message) => isUsers(message, parts) && !isToolResult(message, parts));
  if (last === -1) throw new Error("it has no message of a user");
  const message = object(all[last]);
  const content = contentWith(message[parts], value, fields);
  return { ...body, [messages]: all.with(last, { ...message, [parts]: content }) };
}

/** Parts that are no text, such as images, stay, results of tools ahead of a new text; of several texts the first is replaced, and the others go. */
function contentWith(content: unknown, value: string, { untyped }: EditableFields): unknown {
  if (!Array.isArray(content)) return value;
  const texts = list(content).map((part) => typeof object(part)["text"] === "string");
  const first = texts.indexOf(true);
  const type = untyped ? {} : { type: textTypeOf(list(content)) };
  if (first === -1) return [...list(content), { ...type, text: value }];
  return list(content).flatMap((part, n) =>
    n === first ? { ...object(part), text: value } : texts[n] === true ? [] : part,
  );
}

/** OpenAI's Responses name parts of what is asked `input_text`, `input_image`. */
const textTypeOf = (parts: readonly unknown[]): string =>
  parts.some((part) => text(object(part)["type"])?.startsWith("input_")) ? "input_text" : "text";

/** Of Google's a content without a role is the user's. */
const isUsers = (message: unknown, parts: string): boolean =>
  roleOf(message) === "user" || (parts === "parts" && object(message)["role"] === undefined);

/** Anthropic, Google and Bedrock give results of tools as messages of the user. */
function isToolResult(message: unknown, parts: string): boolean {
  const all = list(object(message)[parts]).map(object);
  const isResult = (part: JsonObject): boolean =>
    part["type"] === "tool_result" || part["toolResult"] !== undefined || part["functionResponse"] !== undefined;
  return all.length > 0 && all.every(isResult);
}

const roleOf = (message: unknown): string => text(object(message)["role"]) ?? "";

function withMember(body: JsonObject, [name = "", ...below]: readonly string[], value: unknown): JsonObject {
  if (below.length > 0) return { ...body, [name]: withMember(object(body[name]), below, value) };
  const { [name]: _, ...others } = body;
  return value === null ? others : { ...body, [name]: value };
}
