// A desk behind Express: sessions in memory, a middleware, an error handler, and agent() inside a handler.
const { createHash } = require("node:crypto");
const { DatabaseSync } = require("node:sqlite");
const express = require("express");
const { agent, tool } = require("@reenact/node");
const { default: OpenAI } = require("openai");

const client = new OpenAI();
const db = new DatabaseSync("desk.db");
db.exec("CREATE TABLE IF NOT EXISTS answers (id INTEGER PRIMARY KEY, who TEXT, text BLOB, mark TEXT)");
const sessions = new Map();
const lookUp = tool("look_up", async ({ who, nth }) => ({ who, plan: nth > 1 ? "gold" : "basic" }));

const answer = agent("answer", async (who, question) => {
  const history = sessions.get(who) ?? [];
  const plan = await lookUp({ who, nth: history.length + 1 });
  const { choices } = await client.chat.completions.create({
    model: "gpt-4.1-mini",
    messages: [{ role: "system", content: `Plan: ${plan.plan}` }, ...history, { role: "user", content: question }],
  });
  const text = choices[0].message.content;
  sessions.set(who, [...history, { role: "user", content: question }, { role: "assistant", content: text }]);
  const mark = createHash("sha1").update(question).digest("hex").slice(0, 8);
  db.prepare("INSERT INTO answers (who, text, mark) VALUES (?, ?, ?)").run(who, Buffer.from(question), mark);
  return { who, mark, letters: text.length > 0 };
});

const app = express();
app.use(express.json());
app.use((request, response, next) => {
  response.set("x-desk", request.method.toLowerCase());
  next();
});
app.post("/ask/:who", (request, response) => {
  const { question } = request.body;
  if (!question) throw Object.assign(new Error("no question"), { status: 422 });
  return answer(request.params.who, question).then((said) => response.status(201).json(said));
});
app.get("/count", (request, response) => {
  response.json(db.prepare("SELECT count(*) AS count, max(mark) AS mark FROM answers").get());
});
app.use((error, request, response, _next) => {
  response.status(error.status ?? 500).json({ error: error.message, path: request.path });
});

const server = app.listen(0, "127.0.0.1", async () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  const send = async (path, body) => {
    const method = body === undefined ? "GET" : "POST";
    const headers = { "content-type": "application/json", connection: "close" };
    const response = await fetch(`${url}${path}`, { method, headers, body: body && JSON.stringify(body) });
    return `${response.status} ${response.headers.get("x-desk")} ${JSON.stringify(await response.json())}`;
  };
  console.log(await send("/ask/ida", { question: "Where is my bill?" }));
  console.log(await send("/ask/max", { question: "Is it open?" }));
  console.log(await send("/ask/ida", { question: "And the one before?" }));
  console.log(await send("/ask/max", {}));
  console.log(await send("/count"));
  db.close();
  server.close();
});
