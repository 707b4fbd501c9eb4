import OpenAI from "openai";

const client = new OpenAI();

/** Asks the model, runs the tools that it asks for, and asks again, until it has an answer. */
export async function converse({ system, question, tools }) {
  const messages = [
    { role: "system", content: system },
    { role: "user", content: question },
  ];
  const offered = Object.entries(tools).map(([name, { parameters }]) => ({
    type: "function",
    function: { name, parameters },
  }));
  for (let turn = 0; turn < 10; turn += 1) {
    const request = { model: process.env.LOOP_MODEL ?? "gpt-4.1-mini", messages, tools: offered };
    const completion = await client.chat.completions.create(request);
    const { content, tool_calls: calls = [] } = completion.choices[0].message;
    if (calls.length === 0) return content;
    messages.push({ role: "assistant", content, tool_calls: calls });
    const results = await Promise.all(calls.map((call) => run(tools, call)));
    calls.forEach((call, at) => messages.push({ role: "tool", tool_call_id: call.id, content: results[at] }));
  }
  throw new Error("no answer after ten turns");
}

async function run(tools, call) {
  const result = await tools[call.function.name].run(JSON.parse(call.function.arguments));
  console.log(`> ${call.function.name}(${call.function.arguments}) -> ${result}`);
  return result;
}
