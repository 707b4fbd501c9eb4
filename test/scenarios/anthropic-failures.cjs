const { say, failing } = require("./program.cjs");

const hello = (model, content = "hello") => ({ model, max_tokens: 200, messages: [{ role: "user", content }] });
const create = (client, model, more = {}, options = {}) =>
  client.messages.create({ ...hello(model), ...more }, options);
/** A call that is over before the clock of a short time-out starts: the first one of a process is slow. */
const warmUp = (client) => create(client, "scn-ok", {}, { maxRetries: 0 });
const textOf = (message) => message.content[0].text;

async function badRequest({ client, Anthropic }) {
  await failing("400", () => create(client(), "scn-400"));
  try {
    await create(client(), "scn-400");
  } catch (error) {
    say("classes", [error instanceof Anthropic.BadRequestError, error instanceof Anthropic.APIError]);
    say("body", error.error);
  }
  await failing("400 of a stream", () => create(client(), "scn-400", { stream: true }));
}

async function rateLimited({ client }) {
  say("text", textOf(await create(client(), "scn-429-then-ok")));
  await failing("without another try", () => create(client({ maxRetries: 0 }), "scn-429-then-ok"));
}

async function serverErrors({ client }) {
  await failing("500", () => create(client(), "scn-500x3"));
}

async function reset({ client }) {
  await failing("reset", () => create(client({ maxRetries: 0 }), "scn-reset"));
  say("then", textOf(await create(client(), "scn-reset-then-ok")));
}

async function cut({ client }) {
  const types = [];
  await failing("cut", async () => {
    for await (const event of await create(client(), "scn-cut", { stream: true })) types.push(event.type);
  });
  say("events", types);
  await failing("cut in the helper", () => client().messages.stream(hello("scn-cut")).finalMessage());
}

async function errorEvent({ client }) {
  const types = [];
  await failing("error event", async () => {
    for await (const event of await create(client(), "scn-error-event", { stream: true })) types.push(event.type);
  });
  say("events", types);
}

async function timeout({ client }) {
  await warmUp(client());
  await failing("time-out", () => create(client({ timeout: 300, maxRetries: 0 }), "scn-slow"));
}

async function abort({ client }) {
  await warmUp(client());
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 150);
  await failing("abort", () => create(client(), "scn-slow", {}, { signal: controller.signal }));
  await failing("already aborted", () => create(client(), "scn-ok", {}, { signal: AbortSignal.abort() }));
}

async function abortStream({ client }) {
  const controller = new AbortController();
  const events = await create(client(), "scn-stream-slow", { stream: true }, { signal: controller.signal });
  let count = 0;
  await failing("aborted stream", async () => {
    for await (const event of events) {
      if (event.delta?.type === "text_delta") count += 1;
      if (count === 3) controller.abort();
    }
    return "it ended";
  });
  say("deltas", count);
}

module.exports = {
  "bad-request": badRequest,
  "rate-limited": rateLimited,
  "server-errors": serverErrors,
  reset,
  cut,
  "error-event": errorEvent,
  timeout,
  abort,
  "abort-stream": abortStream,
};
