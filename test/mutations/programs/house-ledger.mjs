// Keeps a ledger in a JSON file: dates, sums and reminders; polls by an interval and ends with a code of its own.
// steps: 1 chat · 2 remind · 3 GET /status … by polls · then chat
import { EventEmitter, once } from "node:events";
import { readFile, rename, writeFile } from "node:fs/promises";
import { format } from "node:util";
import { tool } from "@reenact/node";
import OpenAI from "openai";

const DAY = 86_400_000;
const client = new OpenAI({ maxRetries: 0, timeout: 20_000 });
const remind = tool("remind", async ({ who, on, cents }) => `${who} is told on ${on} of ${cents}`);

const ledger = JSON.parse(await readFile("ledger.json", "utf8"));
const due = (bill) => new Date(Date.parse(bill.issued) + bill.days * DAY);
const today = new Date(ledger.today);
const late = ledger.bills.filter((bill) => !bill.paid && due(bill) < today);
const total = late.reduce((sum, { cents }) => sum + cents, 0);
const money = new Intl.NumberFormat("de-CH", { style: "currency", currency: "CHF" });

const { choices } = await client.chat.completions.create({
  model: "gpt-4.1-nano",
  messages: [
    { role: "system", content: "You write reminders." },
    { role: "user", content: `${late.map(({ who }) => who).join(", ")} owe ${money.format(total / 100)}.` },
  ],
});
for (const bill of late) {
  const sent = await remind({ who: bill.who, on: due(bill).toISOString().slice(0, 10), cents: bill.cents });
  console.error("%s (%d days late)", sent, Math.round((today - due(bill)) / DAY));
  bill.reminders = (bill.reminders ?? 0) + 1;
}

class Poll extends EventEmitter {
  #count = 0;
  #isBusy = false;
  #timer = setInterval(() => this.#look(), 15);
  async #look() {
    if (this.#isBusy) return;
    this.#isBusy = true;
    const poll = (this.#count += 1);
    const response = await fetch(`${process.env.API_URL}/status?poll=${poll}`);
    const { status } = await response.json();
    this.#isBusy = false;
    if (poll === 2) {
      clearInterval(this.#timer);
      this.emit("ready", { status, polls: poll });
    } else this.emit("wait", status);
  }
}
const poll = new Poll();
poll.on("wait", (status) => console.log(format("waits: %s", status)));
const [{ status, polls }] = await once(poll, "ready");
const copy = structuredClone(ledger);
copy.bills.sort((a, b) => b.cents - a.cents);
copy.history = [...(copy.history ?? []), { status, polls, total }];
await writeFile("ledger.tmp", `${JSON.stringify(copy, null, 1)}\n`);
await rename("ledger.tmp", "ledger.json");
const last = await client.chat.completions.create({
  model: "gpt-4.1-nano",
  messages: [{ role: "user", content: `Sum up: ${choices[0].message.content} (${copy.bills[0].who} first)` }],
});
console.log(last.choices[0].message.content.length > 0, total);
process.exitCode = Math.min(late.length, 9);
