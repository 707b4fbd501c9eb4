const { chance, say, failing } = require("./program.cjs");

const hello = (model, content = "hello") => ({ model, max_tokens: 200, messages: [{ role: "user", content }] });
const textOf = (message) =>
  message.content
    .filter((block) => block.type === "text")
    .map((block) => block.text)
    .join("");

async function success({ client }) {
  const message = await client().messages.create({ ...hello("scn-ok", "Zwölf Gänse, 東京, 🦆?"), system: "Be brief." });
  say("id", message.id);
  say("text", textOf(message));
  say("stop", message.stop_reason);
  say("usage", message.usage);
}

/** Thinking goes back with its signature, byte for byte, as the API asks for it. */
async function thinking({ client }) {
  const first = await client().messages.create(hello("scn-thinking"));
  say(
    "blocks",
    first.content.map((block) => block.type),
  );
  say("signature", first.content[0].signature.length);
  const next = await client().messages.create({
    ...hello("scn-thinking"),
    messages: [
      { role: "user", content: "hello" },
      { role: "assistant", content: first.content },
      { role: "user", content: "and now?" },
    ],
  });
  say("text", textOf(next));
}

async function gzip({ client }) {
  say("text", textOf(await client().messages.create(hello("scn-gzip"))));
}

async function countTokens({ client }) {
  const { model, messages } = hello("scn-ok");
  say("tokens", await client().messages.countTokens({ model, messages }));
}

async function withResponse({ client }) {
  const { data, response, request_id } = await client().messages.create(hello("scn-ok")).withResponse();
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
}

async function asResponse({ client }) {
  const response = await client().messages.create(hello("scn-ok")).asResponse();
  const copy = response.clone();
  const [first, second] = await Promise.all([response.text(), copy.json()]);
  say("same", first === JSON.stringify(second));
  say("text", textOf(second));
}

async function image({ client }) {
  const data = Buffer.alloc(300, 7).toString("base64");
  const content = [
    { type: "text", text: "What is this?" },
    { type: "image", source: { type: "base64", media_type: "image/png", data } },
  ];
  say("text", textOf(await client().messages.create(hello("scn-ok", content))));
}

async function parse({ client, z, zodOutputFormat }) {
  const Person = z.object({ name: z.string(), age: z.number(), pets: z.array(z.enum(["cat", "dog"])) });
  const output_config = { format: zodOutputFormat(Person) };
  const message = await client().messages.parse({ ...hello("scn-parse"), output_config });
  say("parsed", message.parsed_output);
  await failing("text that does not parse", () => client().messages.parse({ ...hello("scn-ok"), output_config }));
}

async function toolSet({ loadTool }, starts) {
  const tool = await loadTool();
  const wrap = (name, fn) => {
    const recorded = tool(name, fn);
    // without the client's second argument, which is the client itself
    const run = (args) => recorded(args);
    // called right before the tool, in a replay too, while the tool itself is served
    const parse = (args) => {
      starts.push(`${name} ${args.city}`);
      return args;
    };
    const input_schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    return { type: "custom", name, description: name, input_schema, run, parse };
  };
  return [
    wrap("weather", async ({ city }) => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      return `${city}: ${chance()} degrees`;
    }),
    wrap("population", ({ city }) => {
      throw new RangeError(`nobody counts ${city}`);
    }),
  ];
}

async function runTools(sdk) {
  const starts = [];
  const tools = await toolSet(sdk, starts);
  const message = await sdk.client().beta.messages.toolRunner({ ...hello("scn-thinking-tools", "two cities"), tools });
  say("text", textOf(message));
  say("starts", starts);
}

async function runToolsStream(sdk) {
  const starts = [];
  const tools = await toolSet(sdk, starts);
  const runner = sdk.client().beta.messages.toolRunner({ ...hello("scn-tools", "two cities"), tools, stream: true });
  for await (const stream of runner) {
    const message = await stream.finalMessage();
    say(
      "message",
      message.content.map((block) => block.text ?? block.name),
    );
  }
  say("starts", starts);
}

async function parallel({ client }) {
  const shared = client();
  const asked = [0, 1, 2, 3, 4, 5].map(async () => {
    const message = await shared.messages.create(hello("echo-random", "same"));
    const next = await shared.messages.create(hello("echo-random", `and then? ${textOf(message).slice(0, 7)}`));
    return [textOf(message), textOf(next)];
  });
  (await Promise.all(asked)).forEach((texts, at) => say(`caller ${at}`, texts));
}

async function oddStatus({ client }) {
  for (const model of ["scn-odd-status", "scn-odd-reason"]) {
    const { data, response } = await client().messages.create(hello(model)).withResponse();
    say(model, [response.status, response.statusText, response.ok, textOf(data)]);
  }
  await failing("600", () => client({ maxRetries: 0 }).messages.create(hello("scn-status-600")));
}

module.exports = {
  success,
  thinking,
  gzip,
  "count-tokens": countTokens,
  "with-response": withResponse,
  "as-response": asResponse,
  image,
  parse,
  "run-tools": runTools,
  "run-tools-stream": runToolsStream,
  parallel,
  "odd-status": oddStatus,
};
