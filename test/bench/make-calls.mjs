import { prose } from "./prose.mjs";
import { threadTime } from "./thread-time.mjs";

const { setTimeout } = globalThis[Symbol.for("reenact.bench")];
const KB = 1024;
let turn = Math.floor(process.pid % 1000) * 100_000;

/**
 * Makes calls one after another, with a pause behind each. `kind`: fresh = every byte is new; history = all but the last 2 KB was sent
 * before; usual = the same, with an answer of 1 KB; stream = `chunks` pieces. Gives the microseconds that this thread took until each
 * call had returned, together. `before` is called when the requests are made, which is no part of the price.
 */
export async function makeCalls(client, { kind, calls, chunks }, before = () => {}) {
  const requests = Array.from({ length: calls }, () => requestOf(kind, chunks, ++turn));
  before();
  let returned = 0;
  for (const request of requests) {
    const from = threadTime();
    if (kind === "stream") for await (const _ of await client.chat.completions.create({ ...request, stream: true }));
    else await client.chat.completions.create(request);
    returned += threadTime() - from;
    await pause(3);
  }
  return returned;
}

/** In real milliseconds: not a timer of the recorded program. */
export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function requestOf(kind, chunks, n) {
  const bytes = kind === "stream" ? 24 * chunks : kind === "usual" ? KB : 50 * KB;
  const wish = `[[${JSON.stringify({ bytes, chunks: kind === "stream" ? chunks : 0, turn: n })}]]`;
  const repeats = kind === "history" || kind === "usual";
  const sizes = kind === "stream" ? [2 * KB] : repeats ? Array.from({ length: 24 }, () => 2 * KB) : [25 * KB, 25 * KB];
  const messages = sizes.map((size, at) => ({
    role: at % 2 === 0 ? "user" : "assistant",
    content: prose(size, repeats ? at : n * 100 + at),
  }));
  if (repeats) messages.push({ role: "user", content: prose(2 * KB, n * 100 + 99) });
  return { model: "gpt-5-mini", messages, user: wish };
}
