// Writes two databases in files; the first argument names an edit, the second the driver.
import { createRequire } from "node:module";
import { join } from "node:path";
import { call } from "../turns/model.mjs";

const [, , edit = "", driver = "node:sqlite"] = process.argv;
const Database =
  driver === "node:sqlite"
    ? (await import("node:sqlite")).DatabaseSync
    : createRequire(join(process.cwd(), "x.js"))("better-sqlite3");

const made = new Database("made.db");
made.exec("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, raw BLOB)");
if (edit === "schema") made.exec("CREATE TABLE more (id INTEGER)");
const kept = new Database("kept.db");
const answer = await call("what is to be kept");
const insert = made.prepare("INSERT INTO notes (text, raw) VALUES (?, ?)");
insert.run(`for bob@example.com: ${answer}`, Buffer.from([0, 255]));
insert.run(edit === "content" ? "another" : "second", null);
if (edit === "rows") insert.run("third", null);
made.exec(`PRAGMA user_version = ${edit === "version" ? 4 : 3}`);
if (edit === "journal") made.exec("PRAGMA journal_mode = WAL");
if (edit === "application") made.prepare("PRAGMA application_id = 7").all();
kept.exec(`UPDATE counts SET runs = runs + ${edit === "kept" ? 2 : 1}`);
if (edit !== "open") made.close();
kept.close();
console.log("done");
