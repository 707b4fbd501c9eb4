// CommonJS: reads orders from SQLite, asks about each of them from a pool of workers over a queue, and writes a report.
const { AsyncLocalStorage } = require("node:async_hooks");
const { once } = require("node:events");
const { createWriteStream, mkdtempSync, readFileSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { DatabaseSync } = require("node:sqlite");
const { promisify } = require("node:util");
const { default: OpenAI } = require("openai");
const { tool } = require("@reenact/node");

const client = new OpenAI();
const database = new DatabaseSync(":memory:");
database.exec("create table orders (id integer primary key, total real, note text)");
const insert = database.prepare("insert into orders (total, note) values (?, ?)");
for (let n = 1; n <= 8; n++) insert.run(n * 2.5, `order number ${n}`);

const later = promisify((ms, done) => setTimeout(() => done(null, ms), ms));
const context = new AsyncLocalStorage();
const charge = tool("charge", async ({ id, total }) => {
  await later(Math.random() * 4);
  if (id === 5) throw Object.assign(new Error("card refused"), { code: "CARD" });
  return { total, receipt: BigInt(id) * 1000n, lines: new Map([[id, total]]) };
});

const queue = database.prepare("select * from orders where total > ? order by total desc").all(3);
const report = [];
async function worker(name) {
  for (let order = queue.shift(); order; order = queue.shift()) {
    await context.run({ name, id: order.id }, async () => {
      const messages = [{ role: "user", content: `refund ${order.note} of ${order.total}?` }];
      const stream = client.chat.completions.stream({ model: "echo-random", messages });
      let pieces = 0;
      stream.on("content", () => pieces++);
      const text = await stream.finalContent();
      // a served tool's body does not run: what it tells is written down out here
      const paid = await charge(order).catch((error) => error);
      const note = paid instanceof Error ? `${paid.code}: ${paid.message}` : `charged ${paid.lines.get(order.id)}`;
      database.prepare("update orders set note = ? where id = ?").run(note, order.id);
      report.push(`${context.getStore().name} ${order.id} ${pieces} ${text} ${note} ${paid.receipt}`);
    });
  }
}

async function main() {
  await Promise.all(["ann", "bob", "cleo"].map(worker));
  console.log(report.join("\n"));
  const folder = mkdtempSync(join(tmpdir(), "orders-"));
  const out = createWriteStream(join(folder, "report.txt"));
  for (const line of report) out.write(`${line}\n`);
  out.end();
  await once(out, "close");
  console.log(readFileSync(join(folder, "report.txt"), "utf8").length);
  rmSync(folder, { recursive: true });
  console.log(database.prepare("select count(*) as n from orders where note like 'charged%'").get().n);
}

main().then(
  () => console.log("done"),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
