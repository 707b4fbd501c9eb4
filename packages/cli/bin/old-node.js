import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { constants } from "node:os";

/** Node before 22.15 cannot record. `reenact run -- <cmd>` says so and still runs the agent; all else ends with 3. */
export function onOldNode(args) {
  const line = (also) =>
    `reenact: Node ${process.versions.node} is too old${also}. Next: install Node 22.15 or newer [REEN-NODE]\n`;
  const dashes = args.indexOf("--");
  const [command, ...rest] = dashes < 0 ? [] : args.slice(dashes + 1);
  if (args[0] !== "run" || command === undefined) {
    process.stderr.write(line(""));
    process.exitCode = 3;
    return;
  }
  process.stderr.write(line("; the agent runs unrecorded"));
  const child = spawn(command, rest, { stdio: "inherit", shell: process.platform === "win32" });
  process.on("SIGINT", () => {});
  process.on("SIGTERM", (signal) => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(
      `reenact: cannot start ${command}: ${error.message}. Next: check the command after -- [REEN-CANNOT-START]\n`,
    );
    finish(args, 3);
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
  process.exitCode = exitCode;
  if (own.includes("--json")) process.stdout.write(`${JSON.stringify(summary)}\n`);
  if (file === undefined) return;
  try {
    writeFileSync(file, `${JSON.stringify(summary)}\n`);
  } catch (error) {
    process.stderr.write(
      `reenact: cannot write ${file}: ${error.message}. Next: name a file in a folder that is there [REEN-OUTPUT]\n`,
    );
  }
}
