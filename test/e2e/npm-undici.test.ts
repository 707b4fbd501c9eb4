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

beforeAll(() => {
  const folder = join(project, "node_modules/undici");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "undici", version: "8.0.0", main: "index.js" }));
  writeFileSync(join(folder, "index.js"), UNDICI);
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
