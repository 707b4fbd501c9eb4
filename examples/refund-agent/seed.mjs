import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";

const ORDERS = [
  [40, "A-1000", "Priya Raman", "desk fan", 3900, "delivered"],
  [41, "A-1001", "Dana Whitfield", "brass lamp", 4900, "delivered"],
  [42, "A-1002", "Dana Whitfield", "brass lamp", 4900, "packing"],
  [43, "A-1003", "Luis Ortega", "wool rug", 12900, "shipped"],
];

/** Writes a fresh database: Dana Whitfield has paid for the same lamp twice. */
export function seed(file) {
  rmSync(file, { force: true });
  const db = new DatabaseSync(file);
  db.exec(`CREATE TABLE orders (
    "row" INTEGER PRIMARY KEY, number TEXT, customer TEXT, item TEXT, cents INTEGER, state TEXT, email TEXT
  )`);
  const insert = db.prepare("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (const order of ORDERS) {
    const [first, last] = order[2].toLowerCase().split(" ");
    insert.run(...order, `${first}.${last}@shop.test`);
  }
  db.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  seed(process.env.REFUND_DB ?? join(import.meta.dirname, "refunds.db"));
}
