// Calls models in three formats, streamed and not, over fetch and node:http, with one call that is tried again.
import { once } from "node:events";
import http from "node:http";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

const openai = new OpenAI();
const anthropic = new Anthropic();
const question = process.env.QUESTION ?? "Please refund A-17 for dana.whitfield@example.com.";
const ask = (model, content) => ({ model, messages: [{ role: "user", content }] });

const first = await openai.chat.completions.create(ask("scn-ok", question));
console.log(first.choices[0].message.content);

const stream = await openai.chat.completions.create({ ...ask("scn-ragged", "in parts"), stream: true });
let text = "";
for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
console.log(text);

console.log((await openai.chat.completions.create(ask("scn-429-then-ok", "twice"))).choices[0].message.content);
console.log((await openai.responses.create({ model: "scn-ok", input: "respond" })).output_text);
console.log(await anthropic.messages.stream({ ...ask("scn-ok", "claude"), max_tokens: 50 }).finalText());

const request = http.request(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
  method: "POST",
  headers: { "content-type": "application/json", "x-team": process.env.TEAM ?? "billing" },
});
request.end(JSON.stringify(ask("scn-gzip", "squeezed")));
const [response] = await once(request, "response");
const parts = await response.toArray();
console.log(response.headers["content-encoding"], Buffer.concat(parts).length);
