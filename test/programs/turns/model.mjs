// What the programs of this folder share: a model behind plain fetch, and a board of what was said, printed once.
const base = process.env.PROVIDER_URL;

/** Sends one chat request; `wait` delays its answer by so many milliseconds. */
export function ask(prompt, { model = "scn-ok", wait = 0, stream = false, signal } = {}) {
  const content = wait > 0 ? `${prompt} [[sleep=${wait}]]` : prompt;
  return fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model, stream, messages: [{ role: "user", content }] }),
    signal,
  });
}

export async function call(prompt, options) {
  const response = await ask(prompt, options);
  const body = await response.json();
  return response.ok ? body.choices[0].message.content : `status ${response.status}`;
}

/** Yields the raw chunks of a streamed answer as they come. */
export async function* chunks(prompt, options) {
  const response = await ask(prompt, { ...options, stream: true });
  const decoder = new TextDecoder();
  for await (const chunk of response.body) yield decoder.decode(chunk, { stream: true });
}

/** Takes so many microtask hops. */
export async function hops(count) {
  for (let i = 0; i < count; i++) await null;
  return `${count} hops`;
}

/** How many rounds of `setImmediate` it takes until a promise has settled; 5000 at the most. */
export async function counted(promise) {
  let done = false;
  let rounds = 0;
  promise.then(() => (done = true));
  await new Promise((resolve) => {
    const poll = () => (done || ++rounds === 5000 ? resolve() : setImmediate(poll));
    poll();
  });
  return rounds;
}

const board = [];

export function said(line) {
  board.push(line);
}

export const heard = () => board.length;

export function print() {
  console.log(board.join("\n"));
}
