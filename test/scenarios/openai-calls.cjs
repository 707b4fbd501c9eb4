const { chance, say, failing } = require("./program.cjs");

const hello = (model, content = "hello") => ({ model, messages: [{ role: "user", content }] });
const textOf = (completion) => completion.choices[0].message.content;

async function success({ client }) {
  const completion = await client().chat.completions.create({
    model: "scn-ok",
    temperature: 0.2,
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Zwölf Gänse, 東京, 🦆?" },
    ],
  });
  say("id", completion.id);
  say("text", textOf(completion));
  say("finish", completion.choices[0].finish_reason);
  say("usage", completion.usage);
}

async function responses({ client }) {
  const response = await client().responses.create({
    model: "scn-thinking",
    instructions: "Be brief.",
    input: "hello",
  });
  say("id", response.id);
  say("text", response.output_text);
  say(
    "items",
    response.output.map((item) => item.type),
  );
}

async function gzip({ client }) {
  say("text", textOf(await client().chat.completions.create(hello("scn-gzip"))));
}

async function big({ client }) {
  const text = textOf(await client().chat.completions.create(hello("scn-big")));
  say("length", text.length);
  say("end", text.slice(-20));
}

async function withResponse({ client }) {
  const { data, response, request_id } = await client().chat.completions.create(hello("scn-ok")).withResponse();
  say("text", textOf(data));
  say("request id", request_id);
  say("response", [
    response.status,
    response.statusText,
    response.ok,
    response.type,
    response.redirected,
    response.url,
  ]);
  say("content type", response.headers.get("content-type"));
  say("class", [response.constructor.name, response instanceof Response]);
}

async function asResponse({ client }) {
  const response = await client().chat.completions.create(hello("scn-ok")).asResponse();
  const copy = response.clone();
  say("bodies", [response.bodyUsed, copy.bodyUsed, copy.url === response.url]);
  const [first, second] = await Promise.all([response.text(), copy.json()]);
  say("same", first === JSON.stringify(second));
  say("text", textOf(second));
  say("used", [response.bodyUsed, copy.bodyUsed]);
}

async function choices({ client }) {
  const completion = await client().chat.completions.create({ ...hello("scn-n"), n: 3 });
  for (const choice of completion.choices) say(`choice ${choice.index}`, choice.message.content);
}

async function image({ client }) {
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const content = [
    { type: "text", text: "What is this?" },
    { type: "image_url", image_url: { url: `data:image/png;base64,${pixel}` } },
  ];
  say("text", textOf(await client().chat.completions.create(hello("scn-ok", content))));
}

async function parse({ client, z, zodResponseFormat, zodTextFormat }) {
  const Person = z.object({ name: z.string(), age: z.number(), pets: z.array(z.enum(["cat", "dog"])) });
  const completion = await client().chat.completions.parse({
    ...hello("scn-parse"),
    response_format: zodResponseFormat(Person, "person"),
  });
  say("chat", completion.choices[0].message.parsed);
  const response = await client().responses.parse({
    model: "scn-parse",
    input: "hello",
    text: { format: zodTextFormat(Person, "person") },
  });
  say("responses", response.output_parsed);
  await failing("text that does not parse", () =>
    client().chat.completions.parse({ ...hello("scn-ok"), response_format: zodResponseFormat(Person, "person") }),
  );
}

/**
 * Two tools, one of which throws; their starts are printed in their order. The client parses a tool's arguments right before it
 * calls the tool, in a replay too, while the tool itself is served.
 */
async function toolSet({ loadTool }, starts) {
  const tool = await loadTool();
  const wrap = (name, fn) => {
    const recorded = tool(name, fn);
    // without the client's second argument, which is the client itself
    const run = (args) => recorded(args);
    const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const parse = (text) => {
      const args = JSON.parse(text);
      starts.push(`${name} ${args.city}`);
      return args;
    };
    return { type: "function", function: { name, description: name, function: run, parse, parameters } };
  };
  return [
    wrap("weather", async ({ city }) => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      return { city, degrees: chance() };
    }),
    wrap("population", ({ city }) => `${city}: ${chance()}`),
  ];
}

async function runTools(sdk) {
  const starts = [];
  const tools = await toolSet(sdk, starts);
  const runner = sdk.client().chat.completions.runTools({ ...hello("scn-tools", "two cities"), tools });
  say("text", await runner.finalContent());
  say("starts", starts);
  say(
    "roles",
    runner.messages.map((message) => message.role),
  );
  say(
    "results",
    runner.messages.filter((message) => message.role === "tool").map((message) => message.content),
  );
}

async function runToolsStream(sdk) {
  const starts = [];
  const tools = await toolSet(sdk, starts);
  const runner = sdk.client().chat.completions.runTools({ ...hello("scn-tools", "two cities"), tools, stream: true });
  let text = "";
  for await (const chunk of runner) text += chunk.choices[0]?.delta?.content ?? "";
  say("text", text);
  say("starts", starts);
  say("final", await runner.finalContent());
}

/** Equal prompts at the same time: each caller must get its own answer, whichever comes first. */
async function parallel({ client }) {
  const shared = client();
  const waits = [30, 0, 15, 0, 45, 10];
  const asked = waits.map(async (wait, at) => {
    const prompt = at % 2 === 0 ? `same [[sleep=${wait}]]` : "same";
    const completion = await shared.chat.completions.create(hello("echo-random", prompt));
    const next = await shared.chat.completions.create(
      hello("echo-random", `and then? ${textOf(completion).slice(0, 7)}`),
    );
    return [textOf(completion), textOf(next)];
  });
  (await Promise.all(asked)).forEach((texts, at) => say(`caller ${at}`, texts));
}

async function ownFetch({ client }) {
  const seen = [];
  const own = async (url, init) => {
    seen.push(`${init.method} ${new URL(url).pathname}`);
    return fetch(url, init);
  };
  say("text", textOf(await client({ fetch: own }).chat.completions.create(hello("scn-ok"))));
  say("seen", seen);
}

/** A failure that nobody waits for, and one that is noticed late. */
async function floating({ client }) {
  const shared = client({ maxRetries: 0 });
  void shared.chat.completions.create(hello("scn-400")).then(textOf);
  const late = shared.chat.completions.create(hello("scn-400", "late"));
  say("text", textOf(await shared.chat.completions.create(hello("scn-ok", "hello [[sleep=40]]"))));
  await failing("late", () => late);
}

async function embeddings({ client }) {
  const { data } = await client().embeddings.create({ model: "scn-embed", input: ["one", "two words"] });
  for (const { index, embedding } of data) say(`vector ${index}`, embedding.slice(0, 7));
  say("text form", `s0000n${String(data[0].embedding[7]).padStart(6, "0")}`);
  const plain = await client().embeddings.create({ model: "scn-embed", input: "one", encoding_format: "float" });
  say("plain", plain.data[0].embedding.slice(0, 7));
}

module.exports = {
  success,
  responses,
  gzip,
  big,
  "with-response": withResponse,
  "as-response": asResponse,
  choices,
  image,
  parse,
  "run-tools": runTools,
  "run-tools-stream": runToolsStream,
  parallel,
  "own-fetch": ownFetch,
  floating,
  embeddings,
};
