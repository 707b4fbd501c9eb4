// The helpers of both SDKs: tools that the SDK runs, parsed answers, a stream with listeners, raw responses, an abort.
// steps: 1 parse · 2 runTools, its tool, 4 its second turn · 5 stream of Anthropic · 6 aborted stream · 7 raw · 8 store
import { tool } from "@reenact/node";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { z } from "zod";

const openai = new OpenAI({ maxRetries: 1, defaultQuery: { "api-version": "2026-01-01" } });
const anthropic = new Anthropic({ maxRetries: 1, defaultHeaders: { "x-team": "desk" } });
const weather = tool("weather", async ({ city }) => ({ city, sky: "grey" }));
const store = tool("store", async (row) => Object.keys(row).length);
const Verdict = z.object({ good: z.boolean(), why: z.string().max(200) });

const judged = await openai.chat.completions
  .parse({
    model: "gpt-4.1",
    messages: [{ role: "user", content: "[verdict] Is grey good?" }],
    response_format: zodResponseFormat(Verdict, "verdict"),
  })
  .catch((error) => ({ choices: [{ message: { parsed: { good: false, why: error.constructor.name } } }] }));
const { good, why } = judged.choices[0].message.parsed;

const runner = openai.chat.completions.runTools({
  model: "gpt-4.1-mini",
  messages: [{ role: "user", content: "What is the sky over Bern?" }],
  tools: [
    {
      type: "function",
      function: {
        name: "weather",
        description: "The weather of a city.",
        parameters: { type: "object", properties: { city: { type: "string" } } },
        parse: JSON.parse,
        function: async (args) => JSON.stringify(await weather(args)),
      },
    },
  ],
});
runner.on("functionToolCall", ({ name }) => console.log(`calls ${name}`));
const said = await runner.finalContent();

const words = [];
const stream = anthropic.messages
  .stream({
    model: "claude-sonnet-4-5",
    max_tokens: 300,
    system: "Answer in one line.",
    messages: [{ role: "user", content: `Rhyme on ${said.slice(0, 8)}` }],
  })
  .on("text", (delta, snapshot) => words.push(snapshot.length - delta.length));
await stream.done();

const stop = new AbortController();
const poem = await openai.chat.completions.create(
  {
    model: "gpt-4.1-nano",
    stream: true,
    messages: [{ role: "user", content: "[drip] A poem, please." }],
  },
  { signal: stop.signal },
);
let seen = 0;
for await (const chunk of poem) {
  seen += chunk.choices[0]?.delta?.content?.length ?? 0;
  if (seen > 10) stop.abort();
}

const { data, response } = await openai.chat.completions
  .create({ model: "gpt-4.1-nano", messages: [{ role: "user", content: `Seen ${seen > 10}` }] })
  .withResponse();
console.log(response.status, data.choices.length);
console.log(await store({ good, why, words: words.length > 0, id: data.id }));
