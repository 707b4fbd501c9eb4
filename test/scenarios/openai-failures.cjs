const { described, say, failing } = require("./program.cjs");

const hello = (model, content = "hello") => ({ model, messages: [{ role: "user", content }] });
const create = (client, model, more = {}, options = {}) =>
  client.chat.completions.create({ ...hello(model), ...more }, options);
/** A call that is over before the clock of a short time-out starts: the first one of a process is slow. */
const warmUp = (client) => create(client, "scn-ok", {}, { maxRetries: 0 });
const textOf = (completion) => completion.choices[0].message.content;

async function badRequest({ client, OpenAI }) {
  await failing("400", () => create(client(), "scn-400"));
  try {
    await create(client(), "scn-400");
  } catch (error) {
    say("classes", [error instanceof OpenAI.BadRequestError, error instanceof OpenAI.APIError, error instanceof Error]);
    say("body", error.error);
    say("header", error.headers.get("content-type"));
  }
  await failing("400 of a stream", () => create(client(), "scn-400", { stream: true }));
}

async function rateLimited({ client }) {
  say("text", textOf(await create(client(), "scn-429-then-ok")));
  await failing("without another try", () => create(client({ maxRetries: 0 }), "scn-429-then-ok"));
}

async function backoff({ client }) {
  say("text", textOf(await create(client(), "scn-429-backoff")));
}

async function serverErrors({ client }) {
  await failing("500", () => create(client(), "scn-500x3"));
}

async function reset({ client }) {
  await failing("reset", () => create(client({ maxRetries: 0 }), "scn-reset"));
  say("then", textOf(await create(client(), "scn-reset-then-ok")));
}

async function cut({ client }) {
  const deltas = [];
  await failing("cut", async () => {
    const chunks = await create(client(), "scn-cut", { stream: true });
    for await (const chunk of chunks) deltas.push(chunk.choices[0]?.delta?.content ?? "");
  });
  say("deltas", deltas);
  await failing("cut in the helper", () => client().chat.completions.stream(hello("scn-cut")).finalContent());
}

async function errorEvent({ client }) {
  const deltas = [];
  await failing("error event", async () => {
    const chunks = await create(client(), "scn-error-event", { stream: true });
    for await (const chunk of chunks) deltas.push(chunk.choices[0]?.delta?.content ?? "");
  });
  say("deltas", deltas);
  await failing("of responses", async () => {
    const events = await client().responses.create({ model: "scn-error-event", input: "hello", stream: true });
    for await (const event of events) say("event", event.type);
  });
}

async function timeout({ client }) {
  await warmUp(client());
  await failing("time-out", () => create(client({ timeout: 300, maxRetries: 0 }), "scn-slow"));
  await failing("after another try", () => create(client({ timeout: 300, maxRetries: 1 }), "scn-slow"));
}

async function abort({ client }) {
  await warmUp(client());
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 800);
  await failing("abort", () => create(client(), "scn-slow", {}, { signal: controller.signal }));
  const done = AbortSignal.abort(new Error("too late"));
  await failing("already aborted", () => create(client(), "scn-ok", {}, { signal: done }));
  await failing("own time-out", () => create(client(), "scn-slow", {}, { signal: AbortSignal.timeout(150) }));
}

async function abortStream({ client }) {
  const controller = new AbortController();
  const chunks = await create(client(), "scn-stream-slow", { stream: true }, { signal: controller.signal });
  let count = 0;
  await failing("aborted stream", async () => {
    for await (const chunk of chunks) {
      if (chunk.choices[0]?.delta?.content) count += 1;
      if (count === 3) controller.abort();
    }
    return "it ended";
  });
  say("deltas", count);
}

/** One abort for several calls at once. */
async function abortStorm({ client }) {
  const controller = new AbortController();
  const shared = client({ maxRetries: 0 });
  await warmUp(shared);
  const calls = [0, 1, 2, 3].map((at) =>
    shared.chat.completions.create(hello("scn-slow", `wait ${at}`), { signal: controller.signal }),
  );
  setTimeout(() => controller.abort(), 800);
  for (const outcome of await Promise.allSettled(calls)) say(outcome.status, described(outcome.reason));
}

module.exports = {
  "bad-request": badRequest,
  "rate-limited": rateLimited,
  backoff,
  "server-errors": serverErrors,
  reset,
  cut,
  "error-event": errorEvent,
  timeout,
  abort,
  "abort-stream": abortStream,
  "abort-storm": abortStorm,
};
