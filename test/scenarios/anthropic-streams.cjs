const { say, failing } = require("./program.cjs");

const hello = (model, content = "hello") => ({ model, max_tokens: 200, messages: [{ role: "user", content }] });

async function read(stream) {
  const deltas = [];
  for await (const event of stream) if (event.delta?.type === "text_delta") deltas.push(event.delta.text);
  return deltas;
}

async function stream({ client }) {
  for await (const event of await client().messages.create({ ...hello("scn-thinking"), stream: true })) {
    const { type, delta } = event;
    say("event", [type, delta?.type ?? null, delta?.text ?? delta?.thinking ?? delta?.signature?.length ?? null]);
  }
}

async function streamShapes({ client }) {
  for (const model of ["scn-gzip", "scn-ragged", "scn-burst"]) {
    say(model, (await read(await client().messages.create({ ...hello(model), stream: true }))).join("|"));
  }
}

async function earlyBreak({ client }) {
  const events = await client().messages.create({ ...hello("scn-stream-slow"), stream: true });
  let count = 0;
  for await (const event of events) {
    if (event.delta?.type !== "text_delta") continue;
    count += 1;
    say("delta", event.delta.text);
    if (count === 3) break;
  }
  say("aborted", events.controller.signal.aborted);
  const next = await client().messages.create(hello("scn-ok", "after the break"));
  say("next", next.content[0].text);
}

async function helper({ client }) {
  const input_schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const runner = client().messages.stream({
    ...hello("scn-thinking-tools"),
    tools: [{ name: "weather", input_schema }],
  });
  const events = [];
  for (const name of [
    "connect",
    "text",
    "inputJson",
    "thinking",
    "signature",
    "contentBlock",
    "message",
    "finalMessage",
    "end",
  ]) {
    runner.on(name, () => events.push(name));
  }
  const message = await runner.finalMessage();
  say("events", events);
  for (const block of message.content)
    say(block.type, block.text ?? block.thinking ?? [block.id, block.name, block.input]);
}

async function helperAbort({ client }) {
  const runner = client().messages.stream(hello("scn-stream-slow"));
  let count = 0;
  runner.on("text", () => {
    count += 1;
    if (count === 2) runner.abort();
  });
  await failing("aborted", () => runner.finalMessage());
  say("deltas", count);
  say("flags", [runner.aborted, runner.errored, runner.ended]);
}

async function parallelStreams({ client }) {
  const shared = client();
  const asked = ["one", "one", "two", "three"].map(async (word) => {
    return (await read(await shared.messages.create({ ...hello("echo-random", word), stream: true }))).join("");
  });
  (await Promise.all(asked)).forEach((text, at) => say(`stream ${at}`, text));
}

/** A stream that is asked for and never read. */
async function unread({ client }) {
  const events = await client().messages.create({ ...hello("scn-ok"), stream: true });
  say("class", events.constructor.name);
}

module.exports = {
  stream,
  "stream-shapes": streamShapes,
  break: earlyBreak,
  helper,
  "helper-abort": helperAbort,
  "parallel-streams": parallelStreams,
  unread,
};
