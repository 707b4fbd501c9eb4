import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { constants } from "node:os";

/** Node before 22.15 cannot record. `reenact run -- <cmd>` says so and still runs the agent; all else ends with 3. */
export function onOldNode(args) {
  const line = `reenact: REEN-NODE Node ${process.versions.node} is too old: install Node 22.15 or newer`;
  const dashes = args.indexOf("--");
  const [command, ...rest] = dashes < 0 ? [] : args.slice(dashes + 1);
  if (args[0] !== "run" || command === undefined) {
    process.stderr.write(`${line}\n`);
    process.exitCode = 3;
    return;
  }
  process.stderr.write(`${line}; running without a recording\n`);
  const child = spawn(command, rest, { stdio: "inherit", shell: process.platform === "win32" });
  process.on("SIGINT", () => {});
  process.on("SIGTERM", (signal) => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`reenact: cannot start ${command}: ${error.message}\n`);
    finish(args, error.code === "ENOENT" ? 127 : 126);
  });
  child.on("exit", (code, signal) => finish(args, code ?? 128 + constants.signals[signal]));
}

function finish(args, exitCode) {
  const own = args.slice(0, args.indexOf("--"));
  const inline = own.find((argument) => argument.startsWith("--json-file="));
  const at = own.indexOf("--json-file");
  const file = inline ? inline.slice("--json-file=".length) : at < 0 ? undefined : own[at + 1];
  const summary = {
    schemaVersion: 1,
    run: null,
    runs: [],
    status: null,
    steps: 0,
    complete: false,
    incompleteReasons: ["node-too-old"],
    store: null,
    exitCode,
  };
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(summary)}\n`);
  process.exitCode = exitCode;
}
