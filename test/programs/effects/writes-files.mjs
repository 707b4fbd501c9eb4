// Writes, moves and removes files in its working directory in many ways; the first argument names an edit.
import fs from "node:fs";
import fsp from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { tool } from "@reenact/node";
import { call } from "../turns/model.mjs";

const [, , edit = ""] = process.argv;
const is = (name) => edit === name;

const keep = tool("keep", async (text) => fs.writeFileSync("kept-by-tool.txt", text));
const sum = tool("sum", async (text) => {
  const answer = await call(`sum of ${text}`);
  await fsp.writeFile("sum.txt", is("composite") ? "no sum" : answer);
  return answer;
});

const scratch = fs.mkdtempSync(join(tmpdir(), "writes-files-"));
fs.writeFileSync(join(scratch, "draft.txt"), "a draft");
const log = fs.createWriteStream("agent.log", { flags: "a" });
const answer = await call("what is to be written");
log.write(`${new Date().toISOString()} ${process.pid} ${is("log") ? "asked" : "called"}\n`);
if (!fs.existsSync("out")) fs.mkdirSync("out");
const notes = is("path") ? "out/other.txt" : "out/notes.txt";
fs.writeFileSync(notes, `for bob@example.com\n${answer}\n${is("content") ? "end" : "END"}\n`);
await fsp.appendFile("list.txt", is("append") ? "two\n" : "one\n");
if (!is("no-copy")) fs.copyFileSync(notes, "copy.txt");
await fsp.rename("list.txt", is("rename") ? "moved.txt" : "renamed.txt");
if (!is("no-removal")) fs.rmSync("old.txt", { force: true });
await new Promise((resolve, reject) =>
  fs.truncate("fixed.bin", is("truncate") ? 2 : 4, (e) => (e ? reject(e) : resolve())),
);
const handle = await fsp.open("handle.txt", "w");
await handle.write(is("handle") ? "by a handle!" : "by a handle");
await handle.close();
await pipeline([Buffer.from([0xff, 0, 0xfe, is("bytes") ? 1 : 2])], fs.createWriteStream("raw.bin"));
fs.writeFileSync("run.sh", "#!/bin/sh\n", { mode: is("mode") ? 0o644 : 0o755 });
if (!is("no-chmod")) fs.chmodSync("old-tool.sh", 0o750);
fs.mkdirSync("private", is("folder-mode") ? {} : { mode: 0o700 });
fs.copyFileSync("template.txt", "from-template.txt");
if (is("copy-chmod")) fs.chmodSync("from-template.txt", 0o600);
if (is("chmod-more")) fs.chmodSync("counts.json", 0o600);
if (is("extra")) fs.writeFileSync("extra.txt", "more");
const state = fs.existsSync("state.json") ? JSON.parse(fs.readFileSync("state.json", "utf8")) : { runs: 0 };
fs.writeFileSync("state.json", JSON.stringify({ runs: state.runs + (is("state") ? 2 : 1) }));
const counts = JSON.parse(fs.readFileSync("counts.json", "utf8"));
fs.writeFileSync("counts.json", JSON.stringify({ runs: counts.runs + (is("counts") ? 2 : 1) }));
await keep(answer);
await sum(answer);
fs.rmSync(scratch, { recursive: true });
log.end();
console.log("done");
