// An agent that goes on until it is killed: `node mortal-agent.mjs <folder> <seed>`. It notes each thing that it acts
// on, and its tools note each run of their bodies, in files of their own, at once. With every third seed, and with `SHORT_TEXTS`, it has
// no text that the recorder may keep later than it is acted on.
import { appendFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "@reenact/node";

const [, , folder, seed] = process.argv;
const base = process.env.PROVIDER_URL;
const note = (file, entry) => appendFileSync(join(folder, file), `${JSON.stringify({ ...entry, at: Date.now() })}\n`);

const LONG = "A sentence that fills a prompt. ".repeat(3000);
/** repeated in every request of one conversation: only its end is new */
const history = [{ role: "system", content: `You are brief. ${LONG}` }];
let made = 0;
const fresh = (kind) => `${kind}-${seed}-${made++}-`;

function ask(messages, stream) {
  return fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "scn-ok", stream, messages }),
  });
}
const user = (content) => [{ role: "user", content }];

async function chat(kind, content, before = []) {
  const id = fresh(kind);
  const response = await ask([...before, ...user(`${id} ${content}`)], false);
  const text = (await response.json()).choices[0].message.content;
  note("acted.jsonl", { id, saw: serialOf(text) });
}

async function stream(kind, content) {
  const id = fresh(kind);
  const response = await ask(user(`${id} ${content}`), true);
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body) text += decoder.decode(chunk, { stream: true });
  note("acted.jsonl", { id, saw: serialOf(text) });
}

/** over node:http, acted on in the listener of the answer's end */
function classic(kind, content) {
  const id = fresh(kind);
  return new Promise((resolve, reject) => {
    const call = request(
      `${base}/v1/chat/completions`,
      { method: "POST", headers: { "content-type": "application/json" } },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
        response.on("end", () => {
          note("acted.jsonl", { id, saw: serialOf(text) });
          resolve();
        });
      },
    );
    call.on("error", reject);
    call.end(JSON.stringify({ model: "scn-ok", messages: user(`${id} ${content}`) }));
  });
}

const serialOf = (text) => /s[0-9a-f]{4}n\d{6}/.exec(text)[0];

function body(wait, result) {
  return async (id) => {
    note("tools.jsonl", { id, event: "start" });
    if (wait > 0) await sleep(wait);
    const value = result(id);
    note("tools.jsonl", { id, event: "end", value: value.slice(0, 40) });
    return value;
  };
}
const tools = {
  slow: tool(
    "slow",
    body(15, (id) => `slow result of ${id}`),
  ),
  instant: tool(
    "instant",
    body(0, (id) => `instant result of ${id}`),
  ),
  large: tool(
    "large",
    body(0, (id) => `large result of ${id} ${LONG}`),
  ),
};
async function use(name) {
  const id = fresh(name);
  const value = await tools[name](id);
  note("acted.jsonl", { id, saw: value.slice(0, 40) });
}

const shortActs = [
  () => chat("chat", "short"),
  () => chat("chat", "slow [[sleep=20]]"),
  () => chat("middle", "[[middle]]"),
  () => stream("middlestream", "[[middle]]"),
  () => stream("stream", "short"),
  () => stream("slowstream", "[[ragged]]"),
  () => classic("classic", "short"),
  () => use("slow"),
  () => use("instant"),
];
const longActs = [
  () => chat("history", "and now?", history),
  () => chat("asklong", LONG),
  () => chat("big", "[[big]]"),
  () => stream("bigstream", "[[big]]"),
  () => use("large"),
];
const hasLong = process.env.SHORT_TEXTS === undefined && Number(seed.replace(/\D/g, "")) % 3 !== 1;
const acts = hasLong ? [...shortActs, ...longActs] : shortActs;

async function branch(n) {
  for (let k = n; ; k += 3) await acts[(k * 5) % acts.length]();
}
// the redaction thread starts for these; until it has read the history no step that repeats that is kept at once
if (hasLong) await chat("asklong", "hello", history);
else for (let n = 0; n < 4; n++) await chat("middle", "[[middle]]");
await sleep(1000);
note("acted.jsonl", { id: "begun", pid: process.pid });
await Promise.all([branch(0), branch(1), branch(2), branch(4)]);
