// A travel desk over the responses API: each call goes on from the one before by its id.
// steps: 1 response · 2 find_train · 3 response · 4 stream · 5 book
import { tool } from "@reenact/node";
import OpenAI from "openai";

const client = new OpenAI({ organization: "org-travel", project: "proj-trains" });
const findTrain = tool("find_train", async ({ to }) => ({ to, leaves: "9:15", train: "IC 71" }));
const book = tool("book", async ({ train, response, call }) => `${train} for ${response} by ${call}`);

const offered = [
  {
    type: "function",
    name: "find_train",
    description: "Finds a train.",
    parameters: {
      type: "object",
      properties: { to: { type: "string" } },
      required: ["to"],
      additionalProperties: false,
    },
    strict: true,
  },
];

const first = await client.responses.create({
  model: "gpt-5-mini",
  instructions: "You are a travel desk.",
  input: "A train to Bern, please.",
  reasoning: { effort: "low" },
  text: { verbosity: "low" },
  tools: offered,
});
const call = first.output.find((item) => item.type === "function_call");
const train = await findTrain(JSON.parse(call.arguments));
const second = await client.responses.create({
  model: "gpt-5-mini",
  previous_response_id: first.id,
  input: [{ type: "function_call_output", call_id: call.call_id, output: JSON.stringify(train) }],
  max_output_tokens: 300,
});
const stream = await client.responses.create({
  model: "gpt-5-mini",
  previous_response_id: second.id,
  input: [{ role: "user", content: [{ type: "input_text", text: "Say it in one line." }] }],
  stream: true,
});
let text = "";
for await (const event of stream) {
  if (event.type === "response.output_text.delta") text += event.delta;
}
console.log(text);
console.log(await book({ train: train.train, response: second.id, call: call.call_id }));
