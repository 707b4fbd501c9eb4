// Children that a recorder may stumble over; what is printed is the same in each run: `node hostile.mjs`.
import { exec, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createReadStream, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { model } from "./model.mjs";

const { SCRATCH } = process.env;
await model();
const textOf = async (stream) => {
  let text = "";
  for await (const bytes of stream) text += bytes.toString("latin1");
  return text;
};

// other descriptors, both ways
const wide = spawn("sh", ["-c", "echo three >&3; cat <&3 | tr a-z A-Z >&2; echo out"], {
  stdio: ["ignore", "pipe", "pipe", "pipe"],
});
wide.stdio[3].end("abc\n");
console.log(await Promise.all([1, 2, 3].map((fd) => textOf(wide.stdio[fd]))), wide.stdin);
const inherits = spawn("true", [], { stdio: "inherit" });
console.log(inherits.stdout, await once(inherits, "close"));

// into a file, and out of one into the next
const file = join(SCRATCH, "out");
const fd = openSync(file, "w");
console.log(await once(spawn("echo", ["to a file"], { stdio: ["ignore", fd, fd] }), "exit"));
writeFileSync(file, "b\na\n");
spawnSync("sort", ["-o", file, file]);
const unsorted = spawn("printf", ["b\\na\\n"]);
const sorted = spawn("sort", [], { stdio: [unsorted.stdout, "pipe", "inherit"] });
console.log(await textOf(sorted.stdout));
const piped = spawn("sort");
spawn("printf", ["d\\nc\\n"]).stdout.pipe(piped.stdin);
console.log(await textOf(piped.stdout));

// more than a pipe holds, in and out
const counts = spawn("wc", ["-c"]);
createReadStream("/dev/zero", { end: 999_999 }).pipe(counts.stdin);
console.log((await textOf(counts.stdout)).trim());
const endless = spawn("yes");
for await (const bytes of endless.stdout) if (bytes.length > 0 && endless.kill("SIGKILL")) break;
console.log(await once(endless, "close"));
const binary = spawn(process.execPath, [
  "-e",
  "process.stdout.write(Buffer.alloc(300_000, Buffer.from([0, 255, 195, 169])))",
]);
console.log((await textOf(binary.stdout)).length);
console.log(
  await new Promise((done) =>
    execFile("cat", ["/dev/zero"], { maxBuffer: 1000 }, (e, out) => done([e.code, out.length])),
  ),
);

// a child that does not read, and output that nobody reads
const deaf = spawn("sh", ["-c", "exec <&-; sleep 0.2"]);
const failed = once(deaf.stdin, "error");
const timer = setInterval(() => deaf.stdin.write("x".repeat(1000)), 5);
console.log((await failed)[0].code);
clearInterval(timer);
console.log(await once(spawn("echo", ["unread"]), "close"));
const late = spawn("echo", ["late"]);
await once(late, "exit");
console.log(late.stdout.readableFlowing);

// the shell, variables, a folder, and options that are none
const there = spawn("echo $FOO; pwd", { shell: true, env: { ...process.env, FOO: "bar" }, cwd: "/" });
console.log(await textOf(there.stdout));
const tries = [
  () => spawn("x", { stdio: "what" }),
  () => spawn(""),
  () => spawn("echo", ["\0"]),
  () => spawn("echo", [], { cwd: 3 }),
];
for (const start of tries)
  try {
    start();
  } catch (error) {
    console.log(error.code);
  }
console.log((await once(spawn("echo", [], { cwd: "/nonexistent" }), "error"))[0].message);

// ends
console.log(
  await new Promise((done) =>
    exec("sleep 9", { timeout: 50, killSignal: "SIGKILL" }, (e) => done([e.killed, e.signal])),
  ),
);
console.log(spawnSync("sleep", ["9"], { timeout: 50 }).error.code);
const timed = spawn("sleep", ["9"], { timeout: 50 });
console.log(await once(timed, "exit"), timed.killed);
const signalled = spawn("sleep", ["9"]);
process.kill(signalled.pid, "SIGINT");
console.log(await once(signalled, "exit"));
try {
  process.kill(signalled.pid, 0);
} catch (error) {
  console.log(error.code);
}

// those that live longer than the program
const detached = spawn("sleep", ["1"], { detached: true, stdio: "ignore" });
detached.unref();
const quiet = spawn("sh", ["-c", "sleep 1; echo never"]);
quiet.unref();
for (const stream of quiet.stdio) stream.unref();
quiet.stdout.on("data", () => console.log("never"));
console.log(typeof detached.pid);
