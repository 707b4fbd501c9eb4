// A support team of classes that talk through events: a triage, two workers, a reviewer. openai SDK, tools in parallel.
import { EventEmitter, on, once } from "node:events";
import { tool } from "@reenact/node";
import OpenAI from "openai";

const client = new OpenAI();
const TICKETS = ["late parcel", "wrong size", "double charge", "lost password", "rude courier"];

class Agent extends EventEmitter {
  #name;
  #history = [];
  constructor(name) {
    super({ captureRejections: true });
    this.#name = name;
    this.on("error", (error) => console.log(`${this.#name}: ${error.name}: ${error.message}`));
  }
  async say(content, more = {}) {
    this.#history.push({ role: "user", content });
    const completion = await client.chat.completions.create({ model: "echo-random", messages: this.#history, ...more });
    const { message } = completion.choices[0];
    this.#history.push({ role: "assistant", content: message.content });
    return message.content;
  }
}

const lookup = tool("lookup", async (ticket) => {
  await new Promise((resolve) => setTimeout(resolve, 2 + Math.random() * 5));
  if (ticket.includes("rude")) throw new RangeError(`no order for ${ticket}`);
  return { ticket, order: Math.floor(Math.random() * 1000), at: new Date() };
});
const weigh = tool("weigh", (ticket) => ticket.length % 3);

class Worker extends Agent {
  constructor(name, bus) {
    super(name);
    bus.on("ticket", (ticket) => {
      if (weigh(ticket) === Number(name.at(-1)) || (name.endsWith("1") && weigh(ticket) === 0))
        this.work(ticket).then(
          (result) => bus.emit("done", { name, ticket, ...result }),
          (error) => bus.emit("failed", { name, ticket, error }),
        );
    });
  }
  async work(ticket) {
    const [facts, mood, advice] = await Promise.allSettled([
      lookup(ticket),
      this.say(`mood of ${ticket}`),
      client.models,
    ]);
    if (facts.status === "rejected") throw facts.reason;
    return { order: facts.value.order, day: facts.value.at instanceof Date, mood: mood.value, advice: advice.status };
  }
}

const bus = new EventEmitter();
const workers = [new Worker("worker-1", bus), new Worker("worker-2", bus)];
const triage = new Agent("triage");
const reviewer = new Agent("reviewer");

const open = new Set(TICKETS);
const finished = new AbortController();
bus.on("failed", ({ name, ticket, error }) => {
  console.log(`${name} gave ${ticket} up: ${error.name} ${error.message}`);
  open.delete(ticket);
  if (open.size === 0) finished.abort();
});
const reviews = (async () => {
  try {
    for await (const [{ name, ticket, order, day, mood }] of on(bus, "done", { signal: finished.signal })) {
      console.log(`${name} ${ticket} ${order} ${day} ${mood}`);
      console.log(await reviewer.say(`is ${order} fine?`));
      open.delete(ticket);
      if (open.size === 0) finished.abort();
    }
  } catch (error) {
    console.log(`end: ${error.name}`);
  }
})();

for (const ticket of TICKETS) {
  const opened = once(bus, "ticket");
  triage.say(`first words on ${ticket}`).then((words) => bus.emit("ticket", ticket, words));
  console.log(`opened ${(await opened)[0]}`);
}
await reviews;
workers[0].emit("error", new TypeError("at the end"));
