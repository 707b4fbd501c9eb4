import type { RedisValue } from "./value.ts";

const LINE_END = Buffer.from("\r\n");

/** The bytes of a value, in the protocol. Throws for what is no value. */
export function writeValue(value: RedisValue): Buffer {
  const parts: Buffer[] = [];
  write(value, parts);
  return Buffer.concat(parts);
}

function write(value: RedisValue, parts: Buffer[]): void {
  if (value === null) line("_", parts);
  else if (typeof value === "string" || value instanceof Uint8Array) sized("$", value, parts);
  else if (typeof value === "number" || typeof value === "bigint") line(`:${value}`, parts);
  else if (typeof value === "boolean") line(value ? "#t" : "#f", parts);
  else if (Array.isArray(value)) list("*", value as readonly RedisValue[], parts);
  else if (typeof value === "object") marked(value as Marked, parts);
  else throw new TypeError("what is no value of the protocol");
}

type Marked = Extract<RedisValue, { [key: string]: unknown }>;

/** How a value that says what it is is written, by its name. */
const FORMS: Readonly<Record<string, (content: never, parts: Buffer[]) => void>> = {
  status: (content: string, parts) => line(`+${content}`, parts),
  error: (content: string, parts) => line(`-${content}`, parts),
  nothing: (content: string, parts) => line(content === "array" ? "*-1" : "$-1", parts),
  number: (content: string, parts) => line(`,${content}`, parts),
  big: (content: string, parts) => line(`(${content}`, parts),
  verbatim: (content: string, parts) => sized("=", content, parts),
  failure: (content: string, parts) => sized("!", content, parts),
  pairs: (content: Named, parts) => list("*", Object.entries(content).flat(), parts),
  map: (content: Named, parts) => list("%", Object.entries(content).flat(), parts),
  mapEntries: (content: readonly RedisValue[], parts) => list("%", content, parts),
  set: (content: readonly RedisValue[], parts) => list("~", content, parts),
  push: (content: readonly RedisValue[], parts) => list(">", content, parts),
};

type Named = Readonly<Record<string, RedisValue>>;

function marked(value: Marked, parts: Buffer[]): void {
  const [[kind, content] = ["", undefined]] = Object.entries(value);
  const form = Object.hasOwn(FORMS, kind) ? FORMS[kind] : undefined;
  if (form === undefined) throw new TypeError("what is no value of the protocol");
  form(content as never, parts);
}

function line(text: string, parts: Buffer[]): void {
  // a line has one end: what redaction has put there must not add another
  parts.push(Buffer.from(`${text.replaceAll(/[\r\n]/g, " ")}\r\n`, "utf8"));
}

function sized(type: string, content: string | Uint8Array, parts: Buffer[]): void {
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : Buffer.from(content);
  line(`${type}${bytes.length}`, parts);
  parts.push(bytes, LINE_END);
}

function list(type: string, items: readonly RedisValue[], parts: Buffer[]): void {
  line(`${type}${type === "%" ? items.length / 2 : items.length}`, parts);
  for (const item of items) write(item, parts);
}
