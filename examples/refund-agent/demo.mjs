// Records the refund agent, stops its provider, replays it, tries a fix and an edit. Ends with 1 if anything is not as told.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { seed } from "./seed.mjs";

const here = import.meta.dirname;
const cli = join(here, "../../packages/cli/bin/reenact.js");
const database = join(here, "refunds.db");
const scratch = mkdtempSync(join(tmpdir(), "refund-demo-"));
const failures = [];

const environment = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ""}` };
for (const name of ["OPENAI_API_KEY", "OPENAI_BASE_URL", "REFUND_DB", "REFUND_MODEL"]) delete environment[name];

const heading = (text) => console.log(`\n== ${text}`);

/** Shows what a command wrote, at most 14 lines of it. */
function quote(text) {
  const lines = text.trimEnd().split("\n");
  const shown = lines.length > 14 ? [...lines.slice(0, 13), `… ${lines.length - 13} more lines`] : lines;
  if (text.trim() !== "") console.log(shown.map((line) => `   | ${line}`).join("\n"));
}

function expect(ok, text) {
  console.log(`   ${ok ? "✓" : "✗"} ${text}`);
  if (!ok) failures.push(text);
}

/** Runs one command of reenact in this folder. `facts` is what it wrote to its --json-file. */
function reenact(args, command, env = {}) {
  const file = join(scratch, "facts.json");
  rmSync(file, { force: true });
  const line = [...args, "--json-file", file, "--", ...command];
  console.log(`   $ npx reenact ${[...args, "--", ...command].join(" ")}`);
  const options = { cwd: here, env: { ...environment, ...env }, encoding: "utf8", timeout: 60_000 };
  const { stdout, stderr, status, error } = spawnSync(process.execPath, [cli, ...line], options);
  if (error) throw error;
  let facts = {};
  try {
    facts = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    failures.push(`${args[0]} wrote no facts`);
  }
  return { stdout, stderr, status, facts };
}

async function startProvider() {
  const main = join(here, "../scripted-provider/main.ts");
  const child = spawn(process.execPath, [main, "--script", join(here, "script.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.once("exit", () => child.kill());
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return { child, ...JSON.parse(line) };
}

async function refuses(port) {
  const socket = connect(port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(false)).once("error", (error) => resolve(error.code === "ECONNREFUSED"));
  }).finally(() => socket.destroy());
}

const databaseDigest = () => createHash("sha256").update(readFileSync(database)).digest("hex");

/** Writes a copy of the agent with one line changed. */
function edit(name, from, to) {
  const source = readFileSync(join(here, "agent.mjs"), "utf8");
  if (source.split(from).length !== 2) throw new Error(`agent.mjs has no single line "${from}"`);
  writeFileSync(join(here, name), source.replace(from, to));
}

heading("1. Record: the agent runs, unchanged, against a scripted provider on loopback");
seed(database);
const provider = await startProvider();
const recorded = reenact(["run"], ["node", "agent.mjs"], {
  OPENAI_BASE_URL: `${provider.url}/v1`,
  OPENAI_API_KEY: "demo",
});
quote(recorded.stdout + recorded.stderr);
expect(recorded.status === 1, "the agent's own check failed, and `run` ended with its exit code 1");
expect(typeof recorded.facts.run === "string" && recorded.facts.complete === true, "the run is recorded, and complete");

heading("2. The provider goes away");
provider.child.kill("SIGTERM");
await once(provider.child, "exit");
expect(await refuses(provider.port), `port ${provider.port} refuses connections; no key is set from here on`);

heading("3. Replay: the same code, every answer from the record");
const before = databaseDigest();
const replayed = reenact(["replay", "@last"], ["node", "agent.mjs"]);
quote(replayed.stderr);
expect(
  replayed.status === 0 && replayed.facts.verdict === "identical",
  `verdict ${replayed.facts.verdict}, exit code ${replayed.status}`,
);
expect(replayed.facts.parent === recorded.facts.run, "it is the run that was just recorded");
expect(
  replayed.stdout === recorded.stdout,
  `output is the same, byte for byte (${Buffer.byteLength(replayed.stdout)} bytes)`,
);
expect(replayed.facts.socketsRefused === 0 && replayed.facts.live === 0, "no connection tried, nothing asked anew");
expect(databaseDigest() === before, "the database is untouched: the deletion was not done again");

heading("4. Fix: the tool refuses a row that is not the order it was told");
const guard =
  'if (db.prepare(`SELECT number FROM orders WHERE "row" = ?`).get(row)?.number !== number) ' +
  "throw new GuardError(`row ${row} is not ${number}`);";
edit("agent.guarded.mjs", "// guard: none yet, the row is trusted", guard);
const guarded = reenact(["replay", "@last", "--run-tool", "delete_order"], ["node", "agent.guarded.mjs"]);
quote(guarded.stderr);
expect(
  /threw GuardError.*\(recorded: .*deleted 1/s.test(guarded.stderr),
  "the deletion is now impossible: the tool threw GuardError",
);
expect(guarded.status === 0 || guarded.status === 10, `exit code ${guarded.status}`);
expect(databaseDigest() === before, "the database is untouched, although the tool's body did run");

heading("5. Edit: one line of the prompt is different");
edit("agent.reworded.mjs", "// tone", '"Answer in one short sentence.",');
const reworded = reenact(["replay", "@last"], ["node", "agent.reworded.mjs"]);
quote(reworded.stderr);
const { divergence } = reworded.facts;
expect(
  reworded.status === 10 && reworded.facts.verdict === "diverged",
  `verdict ${reworded.facts.verdict}, exit code ${reworded.status}`,
);
expect(
  divergence?.step === 1,
  `the first difference is in step ${divergence?.step}: ${divergence?.verdict} ${divergence?.pointer ?? ""}`,
);

rmSync(scratch, { recursive: true, force: true });
heading("Go on: the run is in examples/refund-agent/.reenact");
console.log(`   cd examples/refund-agent
   npx reenact ls
   npx reenact show @last
   npx reenact replay @last -- node agent.mjs
   npx reenact replay @last --run-tool delete_order -- node agent.guarded.mjs`);
if (failures.length > 0) {
  console.log(`\n✗ ${failures.length} not as expected:\n${failures.map((text) => `   ${text}`).join("\n")}`);
  process.exitCode = 1;
}
