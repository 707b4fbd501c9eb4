// What the constructs of a random agent share: a model behind plain fetch, and a board of what was said.
const base = process.env.PROVIDER_URL;
export const seed = Number(process.argv[2]);

export const board = [];
export const said = (line) => void board.push(line);
/** what others have said so far goes into later prompts */
export const seen = () => `${board.length}|${board.at(-1)?.slice(0, 40) ?? ""}`;

export function ask(prompt, { stream = false, signal, marker = "" } = {}) {
  return fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "echo-random",
      stream,
      messages: [{ role: "user", content: `${prompt} ${marker}` }],
    }),
    signal,
  });
}

export async function call(prompt, options) {
  const response = await ask(prompt, options);
  const body = await response.json();
  return response.ok ? body.choices[0].message.content : `status ${response.status}`;
}

export async function* pieces(prompt, options) {
  const response = await ask(prompt, { ...options, stream: true });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (!line.startsWith("data: {")) continue;
      const text = JSON.parse(line.slice(6)).choices[0]?.delta?.content;
      if (text) yield text;
    }
  }
}

export async function whole(prompt, options) {
  let text = "";
  for await (const piece of pieces(prompt, options)) text += piece;
  return text;
}

export const outcome = (promise) =>
  promise.then(
    (v) => String(v),
    (e) => `${e.name}: ${e.message}`,
  );
