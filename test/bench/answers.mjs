// What the provider of a bench answers: OpenAI's wire format, made once per shape.
import { prose } from "./prose.mjs";

const encoder = new TextEncoder();
const made = new Map();

/** `{ bytes, chunks }` → the answer's pieces; `chunks` 0: one JSON body. */
export function answerTo({ bytes, chunks, turn }) {
  const key = `${bytes}/${chunks}/${turn}`;
  let answer = made.get(key);
  if (answer === undefined) made.set(key, (answer = chunks === 0 ? whole(bytes, turn) : streamed(bytes, chunks, turn)));
  if (made.size > 64) made.delete(made.keys().next().value);
  return answer;
}

function whole(bytes, turn) {
  const body = {
    id: `chatcmpl-${turn}`,
    object: "chat.completion",
    created: 1_760_000_000,
    model: "gpt-5-mini",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: prose(bytes, turn + 1e6), refusal: null },
        finish_reason: "stop",
      },
    ],
    usage: { prompt_tokens: 12_000, completion_tokens: 12_000, total_tokens: 24_000 },
  };
  return { mime: "application/json", pieces: [encoder.encode(JSON.stringify(body))] };
}

function streamed(bytes, chunks, turn) {
  const text = prose(bytes, turn + 1e6);
  const size = Math.ceil(text.length / chunks);
  const event = (delta, finish) =>
    encoder.encode(
      `data: ${JSON.stringify({ id: `chatcmpl-${turn}`, object: "chat.completion.chunk", created: 1_760_000_000, model: "gpt-5-mini", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  const pieces = Array.from({ length: chunks }, (_, at) =>
    event({ content: text.slice(at * size, (at + 1) * size) }, null),
  );
  return {
    mime: "text/event-stream",
    pieces: [
      event({ role: "assistant", content: "" }, null),
      ...pieces,
      event({}, "stop"),
      encoder.encode("data: [DONE]\n\n"),
    ],
  };
}
