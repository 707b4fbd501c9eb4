import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { difference } from "./trial.ts";
import { Store } from "./reenact.ts";

/** As the package has it: CommonJS, its `fetch` assigned. What it answers is another thing each time. */
const UNDICI = `
module.exports.Agent = class Agent {};
module.exports.fetch = function fetch(input, init = undefined) {
  const content = \`\${new URL(input).host} \${init.dispatcher.constructor.name} \${process.hrtime.bigint() % 999_983n}\`;
  const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
  const body = JSON.stringify({ id: "x", object: "chat.completion", created: 1, model: "m", choices });
  return Promise.resolve(new Response(body, { headers: { "content-type": "application/json" } }));
};
`;

/** Its dispatchers: they speak to a handler in the words of undici 6, or in those of 8, as fast as it takes more. */
const DISPATCHERS = `
class Base {
  dispatch(options, handler) {
    const raw = ["Content-Type", "application/json", "X-Two", "1", "X-Two", "2"].map((text) => Buffer.from(text));
    const content = \`\${options.path} \${Buffer.from(options.body)} \${process.hrtime.bigint() % 999_983n}\`;
    const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
    const text = JSON.stringify({ id: "x", object: "chat.completion", created: 1, model: "m", choices });
    const parts = [text.slice(0, 9), text.slice(9)].map((part) => Buffer.from(part));
    const controller = { rawHeaders: raw, paused: false, pause: () => (controller.paused = true) };
    controller.resume = () => ((controller.paused = false), setTimeout(more, 1));
    const more = () => {
      const part = parts.shift();
      if (NEW && part !== undefined) handler.onResponseData(controller, part);
      else if (NEW) return handler.onResponseEnd(controller, {});
      else if (part === undefined) return handler.onComplete([]);
      else if (handler.onData(part) === false) return;
      if (!controller.paused) more();
    };
    if (NEW) handler.onRequestStart(controller, null);
    else handler.onConnect(() => {});
    setTimeout(() => {
      if (NEW) handler.onResponseStart(controller, 200, module.exports.util.parseHeaders(raw), "OK");
      else if (handler.onHeaders(200, raw, () => setTimeout(more, 1), "OK") === false) return;
      if (!controller.paused) more();
    }, 1);
    return true;
  }
}
module.exports.Agent = class Agent extends Base {};
module.exports.util = { parseHeaders: (raw) => ({ "x-two": raw.length / 2 }) };
module.exports.request = (origin, options) =>
  new Promise((resolve, reject) => {
    const said = [];
    const end = () => resolve(said.join(""));
    const old = {
      onConnect: () => said.push("begun "),
      onHeaders: (status, raw) => void said.push(status, " ", raw.join("/"), " "),
      onData: (chunk) => void said.push(chunk),
      onComplete: end,
      onError: reject,
    };
    const now = {
      onRequestStart: () => said.push("begun "),
      onResponseStart: (c, status, headers) => void said.push(status, " ", JSON.stringify(headers), " "),
      onResponseData: (c, chunk) => void said.push(chunk),
      onResponseEnd: end,
      onResponseError: (c, error) => reject(error),
    };
    new module.exports.Agent().dispatch({ origin, ...options }, NEW ? now : old);
  });
`;

const REQUEST = `
const { request } = require("undici");
const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] });
const headers = ["content-type", "application/json"];
const asked = [body, Buffer.from(body)].map((body) =>
  request("http://model.invalid", { path: "/v1/chat/completions", method: "POST", headers, body }),
);
Promise.all(asked).then((answers) => console.log(answers.join(" ")));
`;

/** Its global dispatcher is the one of Node's own copy, as soon as anybody has used that. */
const GLOBAL = `
const KEY = Symbol.for("undici.globalDispatcher.1");
class Agent extends (class Base { dispatch() {} }) {}
module.exports = { Agent, util: { parseHeaders: () => ({}) }, getGlobalDispatcher: () => globalThis[KEY] };
module.exports.request = (url) =>
  new Promise((resolve, reject) => {
    const { origin, pathname: path } = new URL(url);
    const said = [];
    const handler = {
      onConnect() {},
      onHeaders: (status) => void said.push(status),
      onData: (chunk) => void said.push(String(chunk)),
      onComplete: () => resolve(said.join(" ")),
      onError: reject,
    };
    globalThis[KEY].dispatch({ origin, path, method: "GET" }, handler);
  });
`;

const GLOBAL_AGENT = `
const { request } = require("undici");
(async () => {
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(process.env.SERVER + "/v1/chat/completions", { method: "POST", headers, body });
  console.log(await answer.text());
  console.log(await request(process.env.SERVER + "/request"));
})();
`;

/** A pool that waits for its connections to close, if it has any. */
const POOL = `
class Base {
  #used = false;
  dispatch(options, handler) {
    this.#used = true;
    handler.onConnect(() => {});
    setTimeout(() => {
      handler.onHeaders(200, [], () => {}, "OK");
      handler.onComplete([]);
    }, 1);
    return true;
  }
  close(told) {
    if (told === undefined) return new Promise((resolve) => this.close(resolve));
    if (!this.#used) return queueMicrotask(told);
    // a busy machine skips ticks of an interval in one long wait, but not between short ones
    let left = 10;
    const wait = () => (--left === 0 ? told() : setTimeout(wait, 4));
    setTimeout(wait, 4);
  }
  destroy(error, told) {
    return this.close(told);
  }
}
module.exports = { Agent: class Agent extends Base {}, util: { parseHeaders: () => ({}) } };
`;

const POOL_AGENT = `
const { Agent } = require("undici");
const ask = (agent) =>
  new Promise((resolve, reject) => {
    const handler = { onConnect() {}, onHeaders() {}, onData() {}, onComplete: resolve, onError: reject };
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] });
    const headers = { "content-type": "application/json" };
    agent.dispatch({ origin: "http://one.invalid", path: "/v1/chat/completions", method: "POST", headers, body }, handler);
  });
let ticks = 0;
const spin = setInterval(() => ticks++, 3);
(async () => {
  for (const end of [(a) => a.close(), (a) => a.destroy(null), (a) => new Promise((told) => a.close(told))]) {
    const agent = new Agent();
    await ask(agent);
    const before = ticks;
    const ended = end(agent);
    setTimeout(() => {}, 60_000).unref();
    await ended;
    console.log(ticks - before > 3, ticks);
  }
  clearInterval(spin);
})();
`;

const ASK = `
const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] });
const headers = { "content-type": "application/json" };
const init = { method: "POST", headers, body, dispatcher: new Agent() };
fetch("http://model.invalid/v1/chat/completions", init)
  .then((response) => response.json())
  .then((answer) => console.log(fetch.name, fetch.length, answer.choices[0].message.content));
`;

const store = new Store();
const project = mkdtempSync(join(tmpdir(), "npm-undici-"));

function install(where: string, source: string): void {
  const folder = join(where, "node_modules/undici");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "undici", version: "8.0.0", main: "index.js" }));
  writeFileSync(join(folder, "index.js"), source);
}

beforeAll(() => {
  install(project, UNDICI);
  for (const words of ["old", "new"]) {
    install(join(project, words), `const NEW = ${words === "new"};${DISPATCHERS}`);
    writeFileSync(join(project, words, "agent.cjs"), REQUEST);
  }
  for (const [name, source, agent] of [
    ["global", GLOBAL, GLOBAL_AGENT],
    ["pool", POOL, POOL_AGENT],
  ] as const) {
    install(join(project, name), source);
    writeFileSync(join(project, name, "agent.cjs"), agent);
  }
  writeFileSync(join(project, "agent.mjs"), `import { Agent, fetch } from "undici";${ASK}`);
  writeFileSync(join(project, "agent.cjs"), `const { Agent, fetch } = require("undici");${ASK}`);
});

afterAll(() => {
  rmSync(project, { recursive: true, force: true });
  store.remove();
});

test.each(["agent.mjs", "agent.cjs"])("the fetch of npm's undici is recorded and replayed: %s", async (agent) => {
  const command = [process.execPath, agent];
  const recorded = await store.run(command, { cwd: project });
  expect(recorded).toMatchObject({ code: 0, stderr: "", summary: { steps: 1, complete: true } });
  expect(recorded.stdout).toMatch(/^fetch 1 model\.invalid Agent \d+\n$/);
  const replayed = await store.replay(String(recorded.summary.run), command, { cwd: project });
  expect(difference(recorded, replayed) ?? "").toBe("");
});

test.each(["old", "new"])("what its dispatchers are asked is recorded and replayed: %s words", async (words) => {
  const command = [process.execPath, "agent.cjs"];
  const cwd = join(project, words);
  const recorded = await store.run(command, { cwd });
  expect(recorded).toMatchObject({ code: 0, stderr: "", summary: { steps: 2, complete: true } });
  expect(recorded.stdout).toMatch(/^begun 200 .*completions.*begun 200 .*completions/);
  const replayed = await store.replay(String(recorded.summary.run), command, { cwd });
  expect(difference(recorded, replayed) ?? "").toBe("");
});

test("what it asks over the dispatcher of Node's own copy is a step, and Node's own fetch is one", async () => {
  const server = createServer(
    (request, response) => void response.end(`${request.url} ${process.hrtime.bigint() % 999_983n}`),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const command = [process.execPath, "agent.cjs"];
  const options = { cwd: join(project, "global"), env: { SERVER: `http://127.0.0.1:${port}` } };
  const recorded = await store.run(command, options);
  server.closeAllConnections();
  await once(server.close(), "close");
  expect(recorded).toMatchObject({ code: 0, stderr: "", summary: { steps: 2, complete: true } });
  expect(recorded.stdout).toMatch(/^\/v1\/chat\/completions \d+\n200 \/request \d+\n$/);
  const replayed = await store.replay(String(recorded.summary.run), command, options);
  expect(difference(recorded, replayed) ?? "").toBe("");
});

test("a pool that waits for its connections to close ends at its recorded place", async () => {
  const command = [process.execPath, "agent.cjs"];
  const cwd = join(project, "pool");
  const recorded = await store.run(command, { cwd });
  expect(recorded).toMatchObject({ code: 0, stderr: "", summary: { steps: 3, complete: true } });
  expect(recorded.stdout).toMatch(/^(true \d+\n){3}$/);
  const replayed = await store.replay(String(recorded.summary.run), command, { cwd });
  expect(difference(recorded, replayed) ?? "").toBe("");
});
