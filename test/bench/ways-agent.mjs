// `node ways-agent.mjs <port> <calls>`: prints the median microseconds of this thread per call, for each way.
import { request } from "node:http";
import { tool } from "@reenact/node";
import { prose } from "./prose.mjs";
import { median } from "./statistics.mjs";
import { threadTime } from "./thread-time.mjs";

const [port, calls] = process.argv.slice(2).map(Number);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let texts = process.pid * 1000;
const results = [];

const look = tool("look", async () => {
  await pause(2);
  return results.pop();
});

const WAYS = {
  "node:http": () =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: prose(50 * 1024, texts++) }] });
      const options = {
        port,
        path: "/v1/chat/completions",
        method: "POST",
        headers: { "content-type": "application/json" },
      };
      const call = request(options, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
        response.on("end", () => resolve(text));
      });
      call.on("error", reject).end(body);
    }),
  tool: () => look("anything"),
};

async function microseconds(way, count) {
  const took = [];
  for (let n = 0; n < count; n++) results.push(prose(30 * 1024, texts++));
  for (let n = 0; n < count; n++) {
    const from = threadTime();
    await way();
    // what is written behind the call belongs to it
    await pause(30);
    took.push(threadTime() - from);
  }
  return Math.round(median(took));
}

const out = {};
for (const [name, way] of Object.entries(WAYS)) {
  await microseconds(way, 30);
  out[name] = await microseconds(way, calls);
}
process.stdout.write(JSON.stringify(out));
