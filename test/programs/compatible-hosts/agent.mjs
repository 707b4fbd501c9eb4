// Calls of the SDK that the first argument names: a plain answer, a stream, a tool call with its result, an error, a retry.
// The second argument is the path that the host has before `/chat/completions`.
const [, , sdk, base = ""] = process.argv;
const baseURL = process.env.PROVIDER_URL + base;
const clients = {
  azure: async () => {
    const { AzureOpenAI } = await import("openai");
    return new AzureOpenAI({ endpoint: baseURL, apiKey: "no-key", apiVersion: "2024-10-21", deployment: "m" });
  },
  groq: async () => new (await import("groq-sdk")).default({ baseURL, apiKey: "no-key" }),
  openai: async () => new (await import("openai")).default({ baseURL, apiKey: "no-key" }),
  together: async () => new (await import("together-ai")).default({ baseURL, apiKey: "no-key" }),
};
const client = await clients[sdk]();
const user = (content) => ({ role: "user", content });

const plain = await client.chat.completions.create({ model: "m", messages: [user("Hello")] });
console.log(plain.choices[0].message.content, plain.usage.total_tokens);

let streamed = "";
const stream = await client.chat.completions.create({ model: "m", messages: [user("Tell me more")], stream: true });
for await (const chunk of stream) streamed += chunk.choices[0]?.delta?.content ?? "";
console.log(streamed);

const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const tools = [{ type: "function", function: { name: "weather", parameters } }];
const messages = [user("What is the weather?")];
const { message } = (await client.chat.completions.create({ model: "scn-tools", messages, tools })).choices[0];
const results = message.tool_calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "sunny" }));
const told = await client.chat.completions.create({
  model: "scn-tools",
  messages: [...messages, message, ...results],
  tools,
});
console.log(message.tool_calls.map((call) => call.function.arguments).join(), told.choices[0].message.content);

for (const model of ["scn-400", "scn-429"])
  await client.chat.completions
    .create({ model, messages: [user("Fail")] })
    .then(() => console.log("answered"))
    .catch((error) => console.log(error.constructor.name, error.status, error.message));
