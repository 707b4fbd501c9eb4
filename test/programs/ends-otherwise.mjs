// Two calls of a model. The first argument says what the program does between them; none: nothing.
import { createServer } from "node:net";
import { connect } from "node:net";
import { randomUUID } from "node:crypto";
import { tool } from "@reenact/node";

const change = process.argv[2] ?? "";
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function chat(content) {
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content }] }),
  });
  return (await response.json()).choices[0].message.content;
}

function dial() {
  const socket = connect(5432, "127.0.0.1");
  return new Promise((resolve, reject) => socket.on("connect", resolve).on("error", reject));
}

const size = tool("size", (text) => text.length);

async function forEver(attempt) {
  for (;;) {
    try {
      return await attempt();
    } catch {
      await pause(100);
    }
  }
}

const changes = {
  "own-error": () => {
    throw new RangeError("no such order");
  },
  lacking: () => import("@no-such-scope/no-such-package/part"),
  uncaught: () => size("seven"),
  retried: () => forEver(() => size("seven")),
  polled: () => forEver(dial),
  dialled: () => Promise.allSettled([dial(), dial(), dial()]),
  waits: async () => {
    while (!globalThis.never) await pause(50);
  },
  listens: () => new Promise(() => createServer().listen(0, "127.0.0.1")),
  "own-reading": () => void Math.random(),
  "reading-and-call": async () => {
    const id = randomUUID();
    await chat(`order ${id}`).catch(() => {});
  },
};

console.log((await chat("one")).length > 0);
await changes[change]?.();
console.log((await chat("two")).length > 0);
