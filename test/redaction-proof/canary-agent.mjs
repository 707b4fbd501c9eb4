// Puts each value of a plan where an agent could put it. `PLAN` names the plan; the last argument of the command is a value.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { agent, branch, flag, input, instrument, sensitive, step, tool } from "@reenact/node";
import { carry } from "./canary-forms.mjs";

const plan = JSON.parse(readFileSync(process.env.PLAN, "utf8"));
const url = process.env.PROVIDER_URL;
const deeper = (text, depth) => (depth === 0 ? text : deeper(JSON.stringify({ args: text, n: depth }), depth - 1));
const escaped = (text) => [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
const base64 = (text) => Buffer.from(text).toString("base64");
let answer = "";
instrument({ onInput: () => answer });

const post = (body, headers = {}, path = "/v1/chat/completions") =>
  fetch(url + path, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
const chat = (content, more = {}) => JSON.stringify({ model: "echo", messages: [{ role: "user", content }], ...more });
const said = async (response) => await (await response).text();
const want = (name, at) => said(post(chat("go"), { "x-want": `${name}:${at}` }));
const raw = (options) =>
  new Promise((resolve, reject) => {
    const request = http.request(url, options, (response) => response.resume().once("end", resolve));
    request.once("error", reject).end();
  });

const echo = tool("echo", async (value) => value);
const fail = tool("fail", async (value) => {
  throw new Error(`no such customer: ${value}`, { cause: new TypeError(value) });
});
const pieces = tool("pieces", async function* (value) {
  yield value.slice(0, 4);
  yield { whole: value };
});

const carriers = {
  "prompt.plain": (v) => said(post(chat(`write to ${v}, please`))),
  "prompt.system": (v) => said(post(chat("hi", { system: v, user: v, metadata: { owner: v } }))),
  "prompt.depth": (v, i) => said(post(chat(deeper(`about ${v}.`, i % 5)))),
  "prompt.escaped": (v) => said(post(chat("@@").replace("@@", escaped(v)))),
  "prompt.base64": (v) => said(post(chat(base64(v)))),
  "prompt.base64-depth": (v, i) => said(post(chat(deeper(base64(`see ${v} now`), i % 5)))),
  "prompt.data-url": (v) => said(post(chat(`data:text/plain;base64,${base64(`see ${v} now`)}`))),
  "prompt.member-name": (v) => said(post(chat("hi", { metadata: { [v]: 1 } }))),
  "answer.plain": (v, i) => want("answer.plain", i),
  "answer.stream": (v, i) => want("answer.stream", i),
  "answer.stream-arguments": (v, i) => want("answer.stream-arguments", i),
  "answer.binary-stream": (v, i) => want("answer.binary-stream", i),
  "answer.lines": (v, i) => want("answer.lines", i),
  "answer.gzip": (v, i) => want("answer.gzip", i),
  "answer.header": (v, i) => want("answer.header", i),
  "answer.cookie": (v, i) => want("answer.cookie", i),
  "answer.reason": (v, i) => want("answer.reason", i),
  "answer.error": (v, i) => want("answer.error", i),
  "answer.octets": (v, i) => want("answer.octets", i),
  "url.path": (v) => said(fetch(`${url}/customers/${encodeURIComponent(v)}/x`)),
  "url.query": (v) => said(fetch(`${url}/q?who=${encodeURIComponent(v)}&n=1#x`)),
  "url.fragment": (v) => said(fetch(`${url}/q#${encodeURIComponent(v)}`)),
  "url.user-info": (v) => raw({ path: "/u", auth: `svc:${v}` }),
  "url.secret-name": (v) => said(fetch(`${url}/q?api_key=${encodeURIComponent(v)}`)),
  "header.custom": (v) => said(post(chat("hi"), { "x-customer": v })),
  "header.authorization": (v) => said(post(chat("hi"), { authorization: `Bearer ${v}` })),
  "header.cookie": (v) => raw({ path: "/c", headers: { cookie: `sid=${v}; theme=dark` } }),
  "body.form": (v) =>
    said(
      post(new URLSearchParams({ who: v, token: v }).toString(), {
        "content-type": "application/x-www-form-urlencoded",
      }),
    ),
  "body.multipart": (v) => {
    const form = new FormData();
    form.set("who", v);
    form.set("file", new Blob([`line\n${v}\n`], { type: "text/plain" }), "notes.txt");
    return said(fetch(`${url}/upload`, { method: "POST", body: form }));
  },
  "body.lines": (v) =>
    said(
      post(`${JSON.stringify({ a: 1 })}\n${JSON.stringify({ who: v })}\n`, { "content-type": "application/x-ndjson" }),
    ),
  "body.octets": (v) =>
    said(
      post(Buffer.concat([Buffer.from([0xff, 0xfe, 0, 1]), Buffer.from(` ${v} `), Buffer.from([0x80, 0])]), {
        "content-type": "application/octet-stream",
      }),
    ),
  "body.secret-member": (v) =>
    said(post(chat("hi", { password: v, headers: ["x-api-key", v], list: [{ name: "client_secret", value: v }] }))),
  "tool.argument": (v) => echo(v),
  "tool.result": (v, i) => echo({ depth: deeper(v, i % 5), list: [[v]], map: new Map([[v, v]]), set: new Set([v]) }),
  "tool.bytes": (v) => echo({ buffer: Buffer.from(`to ${v}`), view: new TextEncoder().encode(v) }),
  "tool.typed": (v) =>
    echo({ url: new URL(`https://example.com/${encodeURIComponent(v)}`), error: new Error(v), at: new Date(0) }),
  "tool.secret-member": (v) => echo({ password: v, nested: { apiKey: v }, map: new Map([["secret", v]]) }),
  "tool.error": (v) => fail(v).catch(() => {}),
  "tool.member-name": (v) => echo({ [v]: true }),
  "tool.unencodable": (v) => echo({ [v]: () => v }),
  "tool.name": (v) => tool(`ask ${v}`, () => 1)(),
  "tool.yields": async (v) => {
    for await (const _ of pieces(v));
  },
  "agent.name": (v) => agent(`for ${v}`, async () => echo(1))(),
  "agent.argument": (v) => agent("inner", async (value) => `${value}!${(await echo(1)) ?? ""}`)(v),
  "step.name": (v) => step(`look at ${v}`, async () => v),
  "branch.name": (v) => branch(`way ${v}`, async () => echo(1)),
  "flag.reason": (v) => flag(`odd: ${v}`),
  "input.question": (v) => {
    answer = `it is ${v}`;
    return input("question", `Who is ${v}?`);
  },
  sensitive: (v) => said(post(chat(`the word is ${sensitive(v)}.`))),
  environment: (v, i) => echo(process.env[`NOTE_${i}`]?.length ?? 0),
  "environment.secret": (v, i) => echo(`${process.env[`SERVICE_${i}_TOKEN`]} is used`),
  argument: (v) => echo(process.argv.includes(v)),
  "leak.child": (v) => spawnSync("true", [v]),
  "leak.file": (v) => {
    try {
      readFileSync(`/tmp/no/such/${v}`);
    } catch {
      // only the attempt counts
    }
  },
  "leak.socket": (v) =>
    new Promise((resolve) => {
      net.connect(`/tmp/${v}.sock`).once("error", resolve);
    }),
  stdout: (v) => console.log(`told ${v}`),
  thrown: () => {},
};

const database = new DatabaseSync(":memory:");
database.exec("CREATE TABLE note (id INTEGER, text TEXT)");
/** What `carry` puts texts through. */
const use = {
  echo,
  fail,
  chat,
  step,
  agent,
  flag,
  post: (...request) => said(post(...request)),
  get: (path) => said(fetch(url + path)),
  pieces: async (text) => {
    for await (const _ of pieces(text));
  },
  ask: (text) => {
    answer = text;
    return input("question", "What is it?");
  },
  upload: (text) => {
    const form = new FormData();
    form.set("note", text);
    form.set("file", new Blob([text], { type: "text/plain" }), "notes.txt");
    return said(fetch(`${url}/upload`, { method: "POST", body: form }));
  },
  file: (text) => {
    const path = join(tmpdir(), `reenact-canary-${process.pid}.txt`);
    writeFileSync(path, text);
    const back = readFileSync(path, "utf8");
    rmSync(path);
    return echo(back);
  },
  row: (text) => {
    database.prepare("INSERT INTO note VALUES (?, ?)").run(7, text);
    const rows = database.prepare("SELECT * FROM note").all();
    database.exec("DELETE FROM note");
    return echo(rows);
  },
};

await echo("first");
for (const [name, values] of Object.entries(plan)) {
  for (const [i, value] of values.entries()) {
    try {
      await (name in carriers ? carriers[name](value, i) : carry(name, value, use));
    } catch (error) {
      console.error(`agent: ${name}: ${error.message.slice(0, 20)}`);
    }
  }
}
console.log("all done");
throw new RangeError(`cannot go on with ${plan.thrown?.[0]}`);
