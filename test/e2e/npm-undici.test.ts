import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { difference } from "./trial.ts";
import { Store } from "./reenact.ts";

/** As the package has it: CommonJS, its `fetch` assigned. What it answers is another thing each time. */
const UNDICI = `
module.exports.Agent = class Agent {};
module.exports.fetch = function fetch(input, init = undefined) {
  const content = \`\${new URL(input).host} \${init.dispatcher.constructor.name} \${process.hrtime.bigint()}\`;
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
    const content = \`\${options.path} \${Buffer.from(options.body)} \${process.hrtime.bigint()}\`;
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
