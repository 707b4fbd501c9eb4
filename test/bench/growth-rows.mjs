import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { FAILED, ownWord } from "./growth-runs.mjs";

/**
 * Copies the rows of a catalog that nobody has open, until there are `times` as many: under other ids, each a day older than the
 * copy before, with a short text. Counts of values are left out: the collector makes them when it opens a catalog of version 3.
 */
export function multiplyRows(file, times) {
  const db = new DatabaseSync(file);
  const names = (table, without) =>
    db
      .prepare(`SELECT name FROM pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => String(name))
      .filter((name) => !without.includes(name))
      .map((name) => `"${name}"`)
      .join(", ");
  const { most, count } = db.prepare("SELECT max(id) AS most, count(*) AS count FROM runs").get();
  db.function("newRun", (run, copy) => createHash("sha256").update(`${run} ${copy}`).digest("hex").slice(0, 32));
  db.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -262144");
  const columns = names("runs", ["id", "run", "changed", "started"]);
  const addText = db.prepare("INSERT INTO run_text (rowid, text) VALUES (?, ?)");
  for (let copy = 1; copy < times; copy++) {
    const shift = copy * most;
    db.exec("BEGIN");
    db.exec(`INSERT INTO runs (id, run, changed, started, ${columns}) SELECT id + ${shift}, newRun(run, ${copy}),
      changed + ${shift}, started - ${copy} * 86400000, ${columns} FROM runs WHERE id <= ${most};
      INSERT INTO run_rows SELECT id + ${shift},
        json_set(row, '$.run', newRun(row ->> '$.run', ${copy}), '$.started', (row ->> '$.started') - ${copy} * 86400000)
        FROM run_rows WHERE id <= ${most};
      INSERT INTO run_values SELECT field, value, id + ${shift} FROM run_values WHERE id <= ${most} AND field <> 'trace';`);
    for (let n = 0; n < count; n++)
      addText.run(shift + n + 1, `${ownWord(copy * count + n)} chat ${n % FAILED === 0 ? "refused" : "order shipped"}`);
    db.exec("COMMIT");
  }
  db.exec(`UPDATE changes SET last = (SELECT max(changed) FROM runs); DROP TABLE facet_counts; PRAGMA user_version = 3;
    PRAGMA wal_checkpoint(TRUNCATE)`);
  db.close();
}
