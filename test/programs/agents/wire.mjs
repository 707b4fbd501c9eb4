// No SDK: fetch, web streams and node:http side by side, with a tool loop that is written out.
import { request } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { scheduler } from "node:timers/promises";
import { tool } from "@reenact/node";

const base = process.env.OPENAI_BASE_URL;
const body = (content, more = {}) =>
  JSON.stringify({ model: "echo-random", messages: [{ role: "user", content }], ...more });
const headers = { "content-type": "application/json" };

async function* events(content) {
  const response = await fetch(`${base}/chat/completions`, {
    method: "POST",
    headers,
    body: body(content, { stream: true }),
  });
  let rest = "";
  const lines = new TransformStream({
    transform(text, controller) {
      const parts = (rest + text).split("\n\n");
      rest = parts.pop();
      for (const part of parts) controller.enqueue(part);
    },
  });
  for await (const event of response.body.pipeThrough(new TextDecoderStream()).pipeThrough(lines)) {
    if (event === "data: [DONE]") return;
    yield JSON.parse(event.slice(6));
  }
}

function post(content) {
  return new Promise((resolve, reject) => {
    const call = request(`${base}/chat/completions`, { method: "POST", headers }, (response) => {
      buffer(response).then((bytes) => resolve(JSON.parse(bytes.toString())), reject);
    });
    call.on("error", reject);
    Readable.from([body(content)]).pipe(call);
  });
}

const text = (completion) => completion.choices[0].message.content;
let deltas = 0;
for await (const event of events("a stream [[k=5]]")) if (event.choices[0]?.delta?.content) deltas++;
console.log("deltas", deltas);
const [first, second, third] = await Promise.all([
  post("by http"),
  fetch(new Request(`${base}/chat/completions`, { method: "POST", headers, body: body("by request") })).then((r) =>
    r.json(),
  ),
  Array.fromAsync(events("beside [[k=3]]")),
]);
console.log(text(first), text(second), third.length);

const response = await fetch(`${base}/chat/completions`, {
  method: "POST",
  headers,
  body: body("teed", { stream: true }),
});
const [left, right] = response.body.tee();
const [bytes, again] = await Promise.all([buffer(left), new Response(right).text()]);
console.log("teed", bytes.toString() === again, again.length > 100);

const tools = {
  weather: tool("weather", async ({ city }) => {
    await scheduler.wait(3);
    return `${city} ${Math.floor(Math.random() * 40)}`;
  }),
  population: tool("population", ({ city }) => city.length * 1000),
};
const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const messages = [{ role: "user", content: "tell me about it" }];
for (let turn = 0; turn < 5; turn++) {
  const sent = {
    model: "scn-tools",
    messages,
    tools: Object.keys(tools).map((name) => ({ type: "function", function: { name, parameters } })),
  };
  const answer = await (
    await fetch(`${base}/chat/completions`, { method: "POST", headers, body: JSON.stringify(sent) })
  ).json();
  const { message } = answer.choices[0];
  messages.push(message);
  if (!message.tool_calls) {
    console.log(message.content);
    break;
  }
  const results = await Promise.all(
    message.tool_calls.map(async ({ id, function: { name, arguments: args } }) => {
      await scheduler.yield();
      return { role: "tool", tool_call_id: id, content: String(await tools[name](JSON.parse(args))) };
    }),
  );
  messages.push(...results);
}
console.log(messages.map(({ role }) => role).join());
