// Starts children in the ways that agents use: `node usual.mjs [argument|command|stdin|less|message]`, which changes one of them.
// LEDGER: a file to which each child adds a line.
import { exec, execFile, execFileSync, execSync, fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { model } from "./model.mjs";

const { LEDGER } = process.env;
const [edit] = process.argv.slice(2);
const script = join(import.meta.dirname, "answers.mjs");

await model();

// an interpreter that is given its code, and whose output comes in pieces
const code = `
const { appendFileSync } = require("node:fs");
appendFileSync(process.env.LEDGER, "interpreter\\n");
process.stdout.write("h\\u00e9llo " + Date.now() + "\\n");
setTimeout(() => { console.error("warned"); process.stdout.write("${edit === "stdin" ? "other" : "pieces"}\\n"); process.exitCode = 3; }, 30);
`;
const interpreter = spawn(process.execPath, ["-"]);
interpreter.on("spawn", () => console.log("spawned", typeof interpreter.pid));
let pieces = "";
interpreter.stdout.setEncoding("utf8").on("data", (text) => (pieces += text));
interpreter.stderr.on("data", (bytes) => (pieces += bytes));
interpreter.stdin.end(code);
console.log(await once(interpreter, "close"), pieces, interpreter.exitCode);

const shell = promisify(exec);
console.log((await shell('echo shell >> "$LEDGER"; date +%N; ls / | wc -l')).stdout);
console.log(await promisify(execFile)(edit === "command" ? "printf" : "echo", [edit === "argument" ? "c" : "b"]));
if (edit !== "less") console.log(await shell("echo one; echo two >&2").catch((error) => error.message));
console.log(await shell("exit 3").catch(({ code, killed, cmd }) => [code, killed, cmd]));
const missing = await promisify(execFile)("no-such-program").catch((error) => error);
console.log(missing.code, missing.errno, missing.syscall, missing.path, missing.spawnargs);

// those that are waited for
console.log(execSync('echo sync >> "$LEDGER"; date +%N; cat', { input: "given", encoding: "utf8" }));
try {
  execFileSync("sh", ["-c", "echo bad >&2; exit 4"]);
} catch (error) {
  console.log(error.status, String(error.stderr), error.message);
}
console.log(spawnSync("no-such-program").error.code, spawnSync("sh", ["-c", "kill -9 $$"]).signal);

// ends that the program brings about
console.log(await shell("sleep 20", { timeout: 50 }).catch(({ code, killed, signal }) => [code, killed, signal]));
const abort = new AbortController();
setTimeout(() => abort.abort(), 30);
console.log(
  await promisify(execFile)("sleep", ["20"], { signal: abort.signal }).catch(({ name, code }) => [name, code]),
);
const killed = spawn("sleep", ["20"]);
console.log(killed.kill(), killed.killed, await once(killed, "exit"), killed.signalCode, killed.kill());

// two at once, and a model's call beside them
const [first, second] = await Promise.all([shell("sleep 0.1; date +%N"), shell("date +%N"), model("beside")]);
console.log(first.stdout, second.stdout);

// messages
const forked = fork(script, ["answers"], { serialization: "advanced", env: { ...process.env, REENACT_DISABLED: "1" } });
console.log(
  forked.send({ ask: edit === "message" ? 2 : 1, at: new Date(0), map: new Map([[1, LEDGER === undefined]]) }),
);
console.log(await once(forked, "message"), forked.connected);
forked.disconnect();
console.log(await once(forked, "exit"), forked.connected);
