// Counts its runs in files: beside itself, in its working directory, in a log, in bytes, and in a file that it removes.
import fs from "node:fs";
import { join } from "node:path";
import { call } from "../turns/model.mjs";

const [, , edit = "", folder = import.meta.dirname] = process.argv;
const is = (name) => edit === name;
const read = (path, otherwise) => (fs.existsSync(path) ? JSON.parse(fs.readFileSync(path, "utf8")) : otherwise);

const own = join(folder, "own.json");
const mine = read(own, { runs: 0, for: "ada@example.com" });
const here = read("here.json", { runs: 100 });
fs.appendFileSync("runs.log", `run ${mine.runs}\n`);
const lines = fs.readFileSync("runs.log", "utf8").split("\n").length;
const bytes = fs.existsSync("count.bin") ? fs.readFileSync("count.bin") : Buffer.from([0xff, 0]);
console.log(await call(`run ${mine.runs} for ${mine.for.toUpperCase()}, ${here.runs}, ${lines} lines, ${bytes[1]}`));
fs.writeFileSync(own, JSON.stringify({ ...mine, runs: mine.runs + (is("own") ? 2 : 1) }));
fs.writeFileSync("here.json", JSON.stringify({ runs: here.runs + (is("here") ? 2 : 1) }));
fs.writeFileSync("count.bin", Buffer.from([0xff, bytes[1] + 1]));
if (fs.existsSync("todo.txt")) {
  fs.renameSync("todo.txt", "done.txt");
  console.log(fs.readFileSync("done.txt", "utf8"));
}
const large = fs.readFileSync("large.txt", "utf8");
if (!is("large")) fs.writeFileSync("large.txt", `${large.length}`);
