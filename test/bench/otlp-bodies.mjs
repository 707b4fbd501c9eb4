import { randomBytes } from "node:crypto";

const words =
  "the agent called tool search with query result error retry user asked for order status shipped refund policy window days customer please function returned json object list of files directory read write patch test failed passed expected value".split(
    " ",
  );

function text(length) {
  let out = "";
  while (out.length < length) {
    out += `${words[Math.floor(Math.random() * words.length)]} `;
    if (Math.random() < 0.08) out += `${Math.floor(Math.random() * 2 ** 32).toString(16)} `;
  }
  return out.slice(0, length);
}

function varint(value) {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}

function field(number, value) {
  const bytes = typeof value === "string" ? Buffer.from(value) : value;
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function fixed(number, value) {
  const bytes = Buffer.alloc(9);
  bytes[0] = (number << 3) | 1;
  bytes.writeBigUInt64LE(BigInt(value), 1);
  return bytes;
}

const attribute = (key, value) => Buffer.concat([field(1, key), field(2, field(1, value))]);

function span(textBytes, trace) {
  const start = 1_790_000_000_000_000_000n;
  return Buffer.concat([
    field(1, trace),
    field(2, randomBytes(8)),
    field(5, "chat gpt-5"),
    fixed(7, start),
    fixed(8, start + 1_000_000_000n),
    field(9, attribute("openinference.span.kind", "LLM")),
    field(9, attribute("llm.model_name", "gpt-5")),
    field(9, attribute("input.value", text(textBytes * 0.6))),
    field(9, attribute("output.value", text(textBytes * 0.4))),
    field(9, attribute("session.id", "s-1")),
  ]);
}

/** An ExportTraceServiceRequest of about so many bytes, its spans with so much text each, every span a trace of its own. */
export function otlpBody(size, textBytes = 7000) {
  const spans = [];
  for (let length = 0; length < size - 200;) {
    const bytes = field(2, span(Math.min(textBytes, Math.max(size - length - 300, 100)), randomBytes(16)));
    spans.push(bytes);
    length += bytes.length;
  }
  const resource = field(1, field(1, attribute("service.name", "bench")));
  const scope = field(2, Buffer.concat([field(1, Buffer.concat([field(1, "bench"), field(2, "1")])), ...spans]));
  return field(1, Buffer.concat([resource, scope]));
}
