import { hash } from "node:crypto";
import { canonicalForm, type StringWriter } from "./canonical-form.ts";
import { JsonSyntaxError } from "../envelope-error.ts";
import { type JsonMember, type JsonNode, member } from "../json/json-node.ts";
import { multipartBoundary, parseForm } from "./multipart.ts";
import { parseJson } from "../json/parse-json.ts";
import { createRenamer } from "../token/renamer.ts";
import { textOf } from "./text-of.ts";

/** A request taken apart by its dialect. Absent: the request has no such part. */
export interface Dimensions {
  model?: string;
  params: JsonMember[];
  /** in no digest, since they do not decide which answer is served; replay compares them all the same */
  unkeyed: JsonMember[];
  system?: JsonNode[];
  tools?: JsonNode[];
  messages?: JsonNode[];
}

/** A request body after redaction, with its media type. */
export type RequestBody = { text: string; mime: string } | { bytes: Uint8Array; mime: string };

/** What is digested, per dimension: first line, line feed, canonical text (SPEC.md §9). */
export interface CanonicalRequest {
  model?: string;
  params?: string;
  system?: string;
  tools?: string;
  messages?: string[];
  /** bytes only for a body that is no text */
  body: string | Uint8Array;
}

/** The texts behind the digests of a request: for digests, and to say where two requests differ. */
export function canonicalRequest(body: RequestBody | null, dimensions: Dimensions | null): CanonicalRequest {
  return dimensions === null ? { body: canonicalBody(body) } : canonicalDimensions(dimensions);
}

function canonicalDimensions(dimensions: Dimensions): CanonicalRequest {
  const { model, system, tools, messages } = dimensions;
  const params: JsonNode = { type: "object", members: dimensions.params, start: 0, end: 0 };
  const sortedTools = tools?.toSorted(byToolName);
  const own = (name: string, text: (write: StringWriter) => string) => `reenact/2 ${name}\n${text(createRenamer())}`;
  const list = (nodes: readonly JsonNode[]) => (write: StringWriter) =>
    `[${nodes.map((node) => canonicalForm(node, write)).join(",")}]`;
  const writeMessage = createRenamer();
  const whole = (write: StringWriter) => {
    const parts = model === undefined ? [] : [`"model":${write(model)}`];
    parts.push(`"params":${canonicalForm(params, write)}`);
    if (system) parts.push(`"system":${list(system)(write)}`);
    if (sortedTools) parts.push(`"tools":${list(sortedTools)(write)}`);
    if (messages) parts.push(`"messages":${list(messages)(write)}`);
    return `{${parts.join(",")}}`;
  };
  return {
    ...(model !== undefined && { model: own("model", (write) => write(model)) }),
    params: own("params", (write) => canonicalForm(params, write)),
    ...(system && { system: own("system", list(system)) }),
    ...(sortedTools && { tools: own("tools", list(sortedTools)) }),
    ...(messages && { messages: messages.map((each) => `reenact/2 message\n${canonicalForm(each, writeMessage)}`) }),
    body: own("body", whole),
  };
}

function byToolName(a: JsonNode, b: JsonNode): number {
  const left = toolName(a);
  const right = toolName(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

function toolName(tool: JsonNode): string {
  const inner = member(tool, "function");
  const name = (inner && member(inner, "name")) ?? member(tool, "name") ?? member(tool, "type");
  return name?.type === "string" ? name.value : "";
}

function canonicalBody(body: RequestBody | null): string | Uint8Array {
  if (body === null) return "reenact/2 none\n";
  const boundary = multipartBoundary(body.mime);
  if (boundary !== null) {
    const form = formText("bytes" in body ? body.bytes : Buffer.from(body.text), boundary);
    if (form !== null) return form;
  }
  const text = "text" in body ? body.text : textOf(body.bytes);
  if (text === null && "bytes" in body) return Buffer.concat([Buffer.from("reenact/2 bytes\n"), body.bytes]);
  return canonicalText(text ?? "", body.mime);
}

function canonicalText(text: string, mime: string): string {
  const write = createRenamer();
  if (/^\s*[a-z]+\/(?:[a-z0-9.+-]*\+)?json\s*(;|$)/i.test(mime)) {
    try {
      return `reenact/2 json\n${canonicalForm(parseJson(text), write)}`;
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
    }
  }
  return `reenact/2 text\n${write(text)}`;
}

/** Null for a malformed form. Members stand sorted by name, as in canonical JSON; */
function formText(bytes: Uint8Array, boundary: string): string | null {
  const parts = parseForm(bytes, boundary);
  if (parts === null) return null;
  const write = createRenamer();
  const orNull = (value: string | null) => (value === null ? "null" : write(value));
  const texts = parts.map((part) => {
    const text = textOf(part.bytes);
    const content = text === null ? `"bytes":"${hash("sha256", part.bytes)}"` : null;
    const named = `"filename":${orNull(part.filename)},"name":${orNull(part.name)}`;
    return `{${content ? `${content},` : ""}${named},${text === null ? "" : `"text":${write(text)},`}"type":${orNull(part.type)}}`;
  });
  return `reenact/2 form\n[${texts.join(",")}]`;
}
