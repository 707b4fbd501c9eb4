// Ten agents, one a trade, as their makers would write them: an SDK, tools, a database, files, an API, log lines.
// `TRADES_SEED` says which values, `TRADES` which of them run, `OPENAI_BASE_URL` is the model, `API_URL` the trade's own API.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import Anthropic from "@anthropic-ai/sdk";
import { agent, tool } from "@reenact/node";
import OpenAI from "openai";
import { tradesOf } from "./trades.mjs";

const { trades } = tradesOf(Number(process.env.TRADES_SEED));
const wanted = (process.env.TRADES ?? "").split(",").filter((name) => name !== "");
const openai = new OpenAI({ apiKey: process.env.OPENAI_API_KEY, baseURL: `${process.env.OPENAI_BASE_URL}/v1` });
const anthropic = new Anthropic({ apiKey: process.env.ANTHROPIC_API_KEY, baseURL: process.env.OPENAI_BASE_URL });
const names = ["call_api", "read_files", "query", "submit", "check"];

/** What the model calls; each does what tools of such an agent do. */
function toolsOf(name, { api, headers, form, files, tables, value, fails, logs }) {
  const folder = join(process.env.WORK_FOLDER, name);
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, "data.db"));
  for (const [table, { columns, rows }] of Object.entries(tables)) {
    database.exec(`CREATE TABLE ${table} (${columns})`);
    const insert = database.prepare(`INSERT INTO ${table} VALUES (${rows[0].map(() => "?").join(", ")})`);
    for (const row of rows) insert.run(...row);
  }
  return {
    call_api: tool("call_api", async () => {
      const answers = {};
      for (const path of Object.keys(api)) {
        const response = await fetch(`${process.env.API_URL}/${name}${path}`, { headers });
        const text = await response.text();
        answers[path] = response.headers.get("content-type").includes("json") ? JSON.parse(text) : text;
      }
      if (form !== undefined)
        await (
          await fetch(`${process.env.API_URL}/${name}/form`, { method: "POST", body: new URLSearchParams(form) })
        ).text();
      return answers;
    }),
    read_files: tool("read_files", async () => {
      for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
      return Object.fromEntries(Object.keys(files).map((file) => [file, readFileSync(join(folder, file), "utf8")]));
    }),
    query: tool("query", async () => {
      const found = {};
      for (const table of Object.keys(tables)) found[table] = database.prepare(`SELECT * FROM ${table}`).all();
      return found;
    }),
    submit: tool("submit", async (given) => {
      for (const line of logs) console.log(line);
      return { ok: true, given, saved: value };
    }),
    check: tool("check", async () => {
      throw new Error(fails);
    }),
  };
}

async function callAll(tools, value) {
  const texts = [];
  for (const name of names) {
    try {
      texts.push(JSON.stringify(await tools[name](name === "submit" ? value : {})));
    } catch (error) {
      console.error(`tool ${name} failed: ${error.message}`);
      texts.push(`error: ${error.message}`);
    }
  }
  return texts;
}

async function withOpenAi(name, { system, prompt, value }, tools) {
  const messages = [
    { role: "system", content: system },
    { role: "user", content: prompt },
  ];
  const offered = names.map((tool) => ({
    type: "function",
    function: { name: tool, parameters: { type: "object", properties: {} } },
  }));
  const first = await openai.chat.completions.create({ model: name, messages, tools: offered });
  const { message } = first.choices[0];
  const results = await callAll(tools, value);
  messages.push(
    message,
    ...message.tool_calls.map(({ id }, i) => ({ role: "tool", tool_call_id: id, content: results[i] })),
  );
  let text = "";
  for await (const chunk of await openai.chat.completions.create({
    model: name,
    messages,
    tools: offered,
    stream: true,
  }))
    text += chunk.choices[0]?.delta?.content ?? "";
  return text;
}

async function withAnthropic(name, { system, prompt, value }, tools) {
  const messages = [{ role: "user", content: prompt }];
  const offered = names.map((tool) => ({ name: tool, input_schema: { type: "object", properties: {} } }));
  const common = { model: name, max_tokens: 1000, system, tools: offered };
  const first = await anthropic.messages.create({ ...common, messages });
  const results = await callAll(tools, value);
  const uses = first.content.filter(({ type }) => type === "tool_use");
  messages.push(
    { role: "assistant", content: first.content },
    { role: "user", content: uses.map(({ id }, i) => ({ type: "tool_result", tool_use_id: id, content: results[i] })) },
  );
  return await anthropic.messages.stream({ ...common, messages }).finalText();
}

for (const [name, trade] of Object.entries(trades)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const run = agent(name, async (prompt) => {
    const tools = toolsOf(name, trade);
    const ask = trade.sdk === "openai" ? withOpenAi : withAnthropic;
    return await ask(name, { ...trade, prompt }, tools);
  });
  console.log(`${name}: ${await run(trade.prompt)}`);
}
rmSync(process.env.WORK_FOLDER, { recursive: true, force: true });
