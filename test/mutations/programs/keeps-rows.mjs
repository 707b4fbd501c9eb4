// Keeps what the model says in SQLite. steps: 1, 2 chats · 3 tool close · 4 chat
import { DatabaseSync } from "node:sqlite";
import { tool } from "@reenact/node";
import OpenAI from "openai";

const client = new OpenAI();
const db = new DatabaseSync("desk.db");
db.exec("CREATE TABLE IF NOT EXISTS tickets (id INTEGER PRIMARY KEY, title TEXT, state TEXT, cents INTEGER)");
db.exec("CREATE TABLE IF NOT EXISTS notes (ticket INTEGER, text TEXT)");
const insert = db.prepare("INSERT INTO tickets (title, state, cents) VALUES (?, ?, ?)");

const ask = async (content) => {
  const { choices } = await client.chat.completions.create({
    model: "gpt-4.1-mini",
    messages: [{ role: "user", content }],
  });
  return choices[0].message.content;
};
const total = tool("total", async ({ cents }) => cents / 100);

insert.run("lamp", "open", 4900);
insert.run("rug", "open", 12900);
const note = await ask("Anything on the lamp?");
db.prepare("INSERT INTO notes VALUES (?, ?)").run(1, note);
await ask("Close the lamp?");
db.prepare("UPDATE tickets SET state = ? WHERE title = ?").run("closed", "lamp");
const { sum } = db.prepare("SELECT sum(cents) AS sum FROM tickets WHERE state = 'open'").get();
console.log(await total({ cents: sum }));
const open = db.prepare("SELECT title FROM tickets WHERE state = 'open' ORDER BY id").all();
console.log((await ask(`Open: ${open.map(({ title }) => title).join()}`)).length > 0);
db.close();
