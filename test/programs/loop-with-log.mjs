// A hand-written loop over two turns whose tool adds two numbers, with a log beside it: `node loop-with-log.mjs <way>`.
// FOLDER: where it writes.
import { spawnSync } from "node:child_process";
import { Console } from "node:console";
import { appendFile, appendFileSync, createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";

const [, , way] = process.argv;
const at = (name) => join(process.env.FOLDER, name);
const none = () => {};
const buffer = [];
let timer;

/** Each gives `log`, called once for each tool call, and perhaps `tool`, `start` and `end`. */
const ways = {
  // logs
  named: () => ({ log: (line) => appendFileSync(at("agent.log"), line) }),
  folder: () => ({
    log(line) {
      mkdirSync(at("logs/deep"), { recursive: true });
      appendFile(at("logs/deep/agent.log"), line, none);
    },
  }),
  opened: () => {
    const stream = createWriteStream(at("trace.txt"));
    return { log: (line) => stream.write(line), end: () => stream.end() };
  },
  console: () => {
    const stream = createWriteStream(at("console.txt"));
    const lines = new Console(stream);
    return { log: (line) => lines.log(line), end: () => stream.end() };
  },
  everywhere: () => {
    const log = (line) => appendFileSync(at("everywhere.txt"), line);
    return { log, end: () => log("end\n") };
  },
  flushed: () => {
    timer = setInterval(() => buffer.length > 0 && appendFileSync(at("flushed.txt"), buffer.splice(0).join("")), 1);
    return { log: (line) => buffer.push(line), end: () => clearInterval(timer), slow: true };
  },
  again: () => {
    const tick = async () => {
      await null;
      if (buffer.length > 0) appendFileSync(at("again.txt"), buffer.splice(0).join(""));
      timer = setTimeout(tick, 1);
    };
    timer = setTimeout(tick, 1);
    return { log: (line) => buffer.push(line), end: () => clearTimeout(timer), slow: true };
  },
  pino: () => {
    let logger;
    return { log: (line) => (logger ??= pino(pino.destination({ dest: at("pino.txt"), sync: true }))).info(line) };
  },
  // effects of the tool
  writes: () => ({ log: none, tool: (sum) => writeFileSync(at("sum.txt"), String(sum)) }),
  appends: () => ({ log: none, tool: (sum) => appendFileSync(at("sums.txt"), String(sum)) }),
  later: () => ({
    log: none,
    slow: true,
    tool: (sum) => new Promise((done) => setTimeout(() => done(writeFileSync(at("later.txt"), String(sum))), 1)),
  }),
  child: () => ({ log: none, tool: () => spawnSync("true") }),
};
const { log, tool = none, end = none, slow = false } = ways[way]();

const messages = [{ role: "user", content: "sum: 1 + 2, then 3" }];
for (;;) {
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "any", messages }),
  });
  const { message } = (await response.json()).choices[0];
  messages.push(message);
  if (message.tool_calls === undefined) break;
  for (const call of message.tool_calls) {
    const { a, b } = JSON.parse(call.function.arguments);
    await tool(a + b);
    log(`add ${a} ${b}\n`);
    // time for the timer of a log
    if (slow) await new Promise((resolve) => setTimeout(resolve, 20));
    messages.push({ role: "tool", tool_call_id: call.id, content: String(a + b) });
  }
}
end();
console.log(messages.at(-1).content);
