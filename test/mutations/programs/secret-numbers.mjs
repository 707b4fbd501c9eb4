// Handles numbers under secret and personal names, which a record holds as other digits. steps: 1 chat · 2 charge · 3 POST /accounts
import { DatabaseSync } from "node:sqlite";
import { writeFileSync } from "node:fs";
import { tool } from "@reenact/node";

const base = process.env.OPENAI_BASE_URL;
async function post(path, body) {
  const response = await fetch(`${base}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return response.status;
}
const charge = tool("charge", async ({ pin, amount }) => `${amount} charged with ${String(pin).length} digits`);

await post("/chat/completions", {
  model: "gpt-4.1-mini",
  messages: [{ role: "user", content: JSON.stringify({ password: 48151623, order: 7 }) }],
});
await charge({ pin: 73910482, amount: 20 });
await post("/accounts", { from: { pin: 11223344 }, to: { pin: 55667788 } });
console.log(JSON.stringify({ password: 90817263 }));
console.log("Call +49 30 901820 today.");
writeFileSync("account.json", JSON.stringify({ password: 36251413, name: "main" }));
const db = new DatabaseSync("accounts.db");
db.exec("CREATE TABLE accounts (name TEXT, password INTEGER)");
db.exec("INSERT INTO accounts VALUES ('main', 64738291)");
db.close();
