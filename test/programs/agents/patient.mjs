// Patience of its own: a limit of calls at once, back-off with jitter, deadlines, a circuit breaker, a heartbeat.
import OpenAI, { APIConnectionTimeoutError, RateLimitError } from "openai";

const client = new OpenAI({ maxRetries: 0 });
const started = performance.now();
let beats = 0;
const heart = setInterval(() => beats++, 3);
heart.unref();

function limit(count) {
  let active = 0;
  const waiting = [];
  const next = () => {
    active--;
    waiting.shift()?.();
  };
  return async (fn, ...args) => {
    if (active >= count) await new Promise((resolve) => waiting.push(resolve));
    active++;
    try {
      return await fn(...args);
    } finally {
      next();
    }
  };
}

async function withRetry(fn, { tries = 4, base = 3 } = {}) {
  for (let attempt = 1; ; attempt++) {
    try {
      return { attempt, value: await fn(attempt) };
    } catch (error) {
      if (attempt === tries || !(error instanceof RateLimitError)) throw error;
      const wait = base * 2 ** attempt * (0.5 + Math.random());
      const { promise, resolve } = Promise.withResolvers();
      setTimeout(resolve, wait);
      await promise;
    }
  }
}

class Breaker {
  failures = 0;
  openedAt = null;
  async run(fn) {
    if (this.openedAt !== null && Date.now() - this.openedAt < 15) throw new Error("circuit is open");
    try {
      const value = await fn();
      this.failures = 0;
      return value;
    } catch (error) {
      if (++this.failures >= 2) this.openedAt = Date.now();
      throw error;
    }
  }
}

const call = async (content, options) => {
  const messages = [{ role: "user", content }];
  const completion = await client.chat.completions.create({ model: "echo-random", messages }, options);
  return completion.choices[0].message.content;
};

console.log(await call("warm up"));
const limited = limit(3);
const jobs = Array.from({ length: 9 }, (_, n) =>
  limited(() => withRetry((attempt) => call(`job ${n}${n % 3 || attempt > 2 ? "" : " [[429-then-ok]]"}`))),
);
for (const job of jobs) {
  const { attempt, value } = await job;
  console.log(attempt, value);
}
const breaker = new Breaker();
for (let n = 0; n < 5; n++) {
  await breaker.run(() => call(`broken ${n} [[400]]`)).then(console.log, (error) => console.log(error.message));
  if (n === 3) await new Promise((resolve) => setTimeout(resolve, 20));
}
const deadline = AbortSignal.any([AbortSignal.timeout(200), new AbortController().signal]);
const slow = client.chat.completions.create({ model: "scn-slow", messages: [] }, { signal: deadline });
console.log(await slow.catch((error) => error.constructor.name));
const timed = client.chat.completions.create({ model: "scn-slow", messages: [] }, { timeout: 120 });
console.log(await timed.catch((error) => error instanceof APIConnectionTimeoutError));
console.log(`${beats} beats, ${performance.now() - started} ms, ${process.uptime()} s`);
