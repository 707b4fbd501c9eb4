// Bodies of a given size, new for every seed: as a value, as a request, as an answer.
import { prose } from "./prose.mjs";

const CHAT = "/v1/chat/completions";
const EMOJI = ["😀", "🚀 ", "naïve ", "数据 ", "👩‍💻", "Привет ", "🎉", "ok "];

const TEXTS = {
  code(bytes, seed) {
    let out = "";
    for (let n = seed * 1000; out.length < bytes; n++)
      out += `export function load${n}(id: string, retries = ${n % 7}): Promise<Row> {\n  const key = cache.get("row:" + id) ?? \`row-\${id}-${n}\`;\n  if (key === undefined) throw new Error("no row " + id); // see issue ${n}\n  return fetchRow({ id, key, timeout: ${n * 13} });\n}\n\n`;
    return out.slice(0, bytes);
  },
  csv(bytes, seed) {
    let out = "id,name,email,amount,date\n";
    for (let n = seed * 1000; out.length < bytes; n++)
      out += `${n},"Row ${n}, Ltd",${n % 50 === 0 ? `row${n}@example.org` : ""},${(n * 17) % 9973}.${n % 100},2024-0${1 + (n % 9)}-1${n % 10}\n`;
    return out.slice(0, bytes);
  },
  json(bytes, seed) {
    let out = "[";
    for (let n = seed * 1000; out.length < bytes - 200; n++)
      out += `{"id":${n},"title":"Item ${n} of the list","tags":["a","b${n % 7}"],"size":{"w":${n % 90},"h":${n % 70}},"note":"said \\"yes\\" to ${n}"},`;
    return `${out}{}]`;
  },
  emoji(bytes, seed) {
    const parts = [];
    let n = seed;
    for (let length = 0; length < bytes;) {
      const part = EMOJI[((n = (Math.imul(n, 1103515245) + 12345) & 0x7fffffff) >> 8) % EMOJI.length];
      parts.push(part);
      length += Buffer.byteLength(part);
    }
    return parts.join("");
  },
  prose,
  base64: (bytes, seed) => binary(Math.floor((bytes * 3) / 4), seed).toString("base64"),
};
export const KINDS = [...Object.keys(TEXTS), "binary"];

function binary(bytes, seed) {
  const out = Buffer.alloc(bytes);
  let state = (seed * 2654435761) >>> 0;
  for (let at = 0; at < bytes; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    out[at] = state >>> 24;
  }
  return out;
}

export function bodyOf(kind, bytes, seed) {
  if (kind === "binary") {
    const value = binary(bytes, seed);
    return { path: "/files", value, asRequest: ["application/octet-stream", value] };
  }
  const text = TEXTS[kind](bytes, seed);
  const chat = JSON.stringify({ model: "bench", messages: [{ role: "user", content: text }] });
  return { path: CHAT, value: kind === "json" ? JSON.parse(text) : text, text, asRequest: ["application/json", chat] };
}

/** What a provider answers with it. */
export function answerOf(kind, bytes, seed) {
  const { value, text } = bodyOf(kind, bytes, seed);
  if (text === undefined) return ["application/octet-stream", value];
  const message = { role: "assistant", content: text };
  return [
    "application/json",
    JSON.stringify({
      id: "c",
      object: "chat.completion",
      model: "bench",
      choices: [{ index: 0, message, finish_reason: "stop" }],
    }),
  ];
}

const PIECE = 2000;

export function eventsOf(kind, bytes, seed) {
  const { text } = bodyOf(kind, bytes, seed);
  const events = [];
  for (let at = 0; at < text.length; at += PIECE)
    events.push(
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "bench", choices: [{ index: 0, delta: { content: text.slice(at, at + PIECE).toWellFormed() } }] })}\n\n`,
    );
  return [...events, "data: [DONE]\n\n"];
}
