const { say, failing } = require("./program.cjs");

const hello = (model, content = "hello") => ({ model, messages: [{ role: "user", content }] });
const deltaOf = (chunk) => chunk.choices[0]?.delta?.content ?? "";

async function read(stream) {
  const deltas = [];
  for await (const chunk of stream) if (deltaOf(chunk) !== "") deltas.push(deltaOf(chunk));
  return deltas;
}

async function stream({ client }) {
  const options = { include_usage: true };
  const chunks = await client().chat.completions.create({ ...hello("scn-ok"), stream: true, stream_options: options });
  const deltas = [];
  let usage = null;
  for await (const chunk of chunks) {
    if (deltaOf(chunk) !== "") deltas.push(deltaOf(chunk));
    usage = chunk.usage ?? usage;
  }
  say("deltas", deltas);
  say("usage", usage);
}

async function streamShapes({ client }) {
  for (const model of ["scn-gzip", "scn-ragged", "scn-burst"]) {
    const deltas = await read(await client().chat.completions.create({ ...hello(model), stream: true }));
    say(model, deltas.join("|"));
  }
}

async function responsesStream({ client }) {
  const events = await client().responses.create({ model: "scn-thinking", input: "hello", stream: true });
  for await (const event of events) {
    if (event.type === "response.output_text.delta") say("delta", event.delta);
    else say("event", event.type);
  }
}

async function responsesHelper({ client }) {
  const tools = [{ type: "function", name: "look", strict: true, parameters: { type: "object", properties: {} } }];
  const helper = client().responses.stream({ model: "scn-tools", input: "hello", tools });
  const response = await helper.finalResponse();
  say(
    "items",
    response.output.map((item) => [item.type, item.name ?? null]),
  );
}

async function streamTools({ client }) {
  const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const names = ["weather", "population"];
  const tools = names.map((name) => ({ type: "function", function: { name, parameters } }));
  const chunks = await client().chat.completions.create({ ...hello("scn-tools"), tools, stream: true });
  const calls = [];
  for await (const chunk of chunks) {
    for (const { index, id, function: part } of chunk.choices[0]?.delta?.tool_calls ?? []) {
      calls[index] ??= { id, name: part.name, args: "" };
      calls[index].args += part.arguments ?? "";
    }
  }
  for (const call of calls) say("call", call);
}

async function earlyBreak({ client }) {
  const chunks = await client().chat.completions.create({ ...hello("scn-stream-slow"), stream: true });
  let count = 0;
  for await (const chunk of chunks) {
    if (deltaOf(chunk) === "") continue;
    count += 1;
    say("delta", deltaOf(chunk));
    if (count === 3) break;
  }
  say("aborted", chunks.controller.signal.aborted);
  const next = await client().chat.completions.create(hello("scn-ok", "after the break"));
  say("next", next.choices[0].message.content);
}

async function helper({ client }) {
  const runner = client().chat.completions.stream(hello("scn-ok"));
  const events = [];
  for (const name of ["connect", "content", "message", "finalContent", "finalMessage", "end", "error"]) {
    runner.on(name, () => events.push(name));
  }
  const snapshots = [];
  runner.on("content", (_delta, snapshot) => snapshots.push(snapshot.length));
  say("text", await runner.finalContent());
  say("usage", await runner.totalUsage());
  say("events", events);
  say("snapshots", snapshots);
}

async function helperAbort({ client }) {
  const runner = client().chat.completions.stream(hello("scn-stream-slow"));
  let count = 0;
  runner.on("content", () => {
    count += 1;
    if (count === 2) runner.abort();
  });
  await failing("aborted", () => runner.finalContent());
  say("deltas", count);
  say("flags", [runner.aborted, runner.errored, runner.ended]);
}

async function parallelStreams({ client }) {
  const shared = client();
  const asked = ["one", "one", "two", "three"].map(async (word) => {
    const deltas = await read(await shared.chat.completions.create({ ...hello("echo-random", word), stream: true }));
    return deltas.join("");
  });
  (await Promise.all(asked)).forEach((text, at) => say(`stream ${at}`, text));
}

async function tee({ client }) {
  const chunks = await client().chat.completions.create({ ...hello("scn-ok"), stream: true });
  const [left, right] = chunks.tee();
  const [first, second] = await Promise.all([read(left), read(right)]);
  say("same", first.join("") === second.join(""));
  say("text", first.join(""));
}

async function readable({ client }) {
  const chunks = await client().chat.completions.create({ ...hello("scn-ok"), stream: true });
  let lines = "";
  const decoder = new TextDecoder();
  for await (const bytes of chunks.toReadableStream()) lines += decoder.decode(bytes, { stream: true });
  say(
    "lines",
    lines
      .trim()
      .split("\n")
      .map((line) => deltaOf(JSON.parse(line))),
  );
}

/** A stream that is asked for and never read. */
async function unread({ client }) {
  const chunks = await client().chat.completions.create({ ...hello("scn-ok"), stream: true });
  say("class", chunks.constructor.name);
}

module.exports = {
  stream,
  "stream-shapes": streamShapes,
  "responses-stream": responsesStream,
  "responses-helper": responsesHelper,
  "stream-tools": streamTools,
  break: earlyBreak,
  helper,
  "helper-abort": helperAbort,
  "parallel-streams": parallelStreams,
  tee,
  readable,
  unread,
};
