// Sells from SQLite: a transaction that holds, one that is rolled back. steps: 1 chat · 2 tool charge · 3 chat · 4 chat
import { DatabaseSync } from "node:sqlite";
import { tool } from "@reenact/node";
import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ maxRetries: 0 });
const charge = tool("charge", async ({ cents, to }) => ({ ok: cents < 10_000, to }));
const ask = async (content) => {
  const message = await client.messages.create({
    model: "claude-sonnet-4-5",
    max_tokens: 80,
    system: "You sell.",
    messages: [{ role: "user", content }],
  });
  return message.content[0].text;
};

const db = new DatabaseSync("shop.db");
db.exec("CREATE TABLE stock (item TEXT PRIMARY KEY, pieces INTEGER, cents INTEGER)");
db.exec("CREATE TABLE sales (id INTEGER PRIMARY KEY AUTOINCREMENT, item TEXT, pieces INTEGER, paid INTEGER)");
for (const [item, pieces, cents] of [
  ["rope", 5, 900],
  ["sail", 1, 20_000],
])
  db.prepare("INSERT INTO stock VALUES (?, ?, ?)").run(item, pieces, cents);

async function sell(item, pieces) {
  db.exec("BEGIN");
  const { cents } = db.prepare("SELECT cents FROM stock WHERE item = ?").get(item);
  db.prepare("UPDATE stock SET pieces = pieces - ? WHERE item = ?").run(pieces, item);
  db.prepare("INSERT INTO sales (item, pieces, paid) VALUES (?, ?, ?)").run(item, pieces, cents * pieces);
  const { ok } = item === "rope" ? await charge({ cents: cents * pieces, to: "card" }) : { ok: false };
  db.exec(ok ? "COMMIT" : "ROLLBACK");
  return ok;
}

const advice = await ask("Which rope?");
const sold = await sell("rope", advice.length > 3 ? 2 : 1);
const left = db.prepare("SELECT pieces FROM stock WHERE item = 'rope'").get().pieces;
await ask(`Sold ${sold}, ${left} left`);
console.log("sail", await sell("sail", 1));
const rows = db.prepare("SELECT item, pieces FROM sales ORDER BY id").all();
const text = await ask(`Sales: ${JSON.stringify(rows)}`);
db.close();
console.log(rows.length, text.length > 0);
