import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const bench = ownBench();
const PROGRAM = `
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
const ask = (content) => fetch(process.env.PROVIDER_URL + "/v1/chat/completions", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content }] }),
}).then((r) => r.text());
await ask("begin");
mkdirSync("work/deep", { recursive: true });
process.chdir("work");
writeFileSync("note.txt", "a note");
console.log(process.cwd().endsWith("/work"), readdirSync(".").join(), readFileSync("../given.txt", "utf8"));
process.chdir("./deep");
writeFileSync("../note.txt", readFileSync("../note.txt", "utf8") + " more");
console.log(await readFile("../../given.txt", "utf8"), existsSync("note.txt"), process.cwd().endsWith("/work/deep"));
process.chdir("../..");
console.log(readFileSync("given.txt", "utf8"), existsSync("work/note.txt"), readFileSync("agent.mjs", "utf8").length > 9);
await ask("end: " + readFileSync("work/note.txt", "utf8"));
`;

test("a program changes into a folder that it has made, and back", async () => {
  const folder = join(bench.folder, "desk");
  const command = [process.execPath, "agent.mjs"];
  const options = { cwd: folder, env: { PROVIDER_URL: bench.provider.url } };
  const layOut = (text: string): void => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    writeFileSync(join(folder, "given.txt"), "given");
    writeFileSync(join(folder, "agent.mjs"), text);
  };
  layOut(PROGRAM);
  const { summary, stdout } = await bench.store.run(command, options);
  expect(stdout.match(/given/g)).toHaveLength(3);
  const onSameDisk = await bench.store.replay(summary.run ?? "", command, options);
  layOut(PROGRAM);
  const again = await bench.store.replay(summary.run ?? "", command, options);
  layOut(PROGRAM.replace(`"a note"`, `"one note"`).replace(`"end: " +`, `"end" ||`));
  const changed = await bench.store.replay(summary.run ?? "", command, options);
  expect([onSameDisk.stdout, again.stdout]).toEqual([stdout, stdout]);
  expect([onSameDisk.report.verdict, again.report.verdict, changed.report.verdict]).toEqual([
    "identical",
    "identical",
    "diverged",
  ]);
});

const REMOVED = `
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, rmdirSync } from "node:fs";
const { tool } = await import(${JSON.stringify(import.meta.resolve("@reenact/node"))});
const greet = tool("greet", async () => {
  mkdirSync("gone");
  process.chdir("gone");
  rmdirSync("../gone");
  const child = spawn("echo", ["hello"], { cwd: "/" });
  let text = "";
  for await (const chunk of child.stdout) text += chunk;
  return text + spawnSync("echo", ["again"], { cwd: "/" }).stdout;
});
console.log(await greet());
`;

test("a program whose folder was removed starts children and is recorded as without a recorder", async () => {
  const folder = join(bench.folder, "removed");
  mkdirSync(folder);
  writeFileSync(join(folder, "agent.mjs"), REMOVED);
  const { summary, stdout, stderr } = await bench.store.run([process.execPath, "agent.mjs"], { cwd: folder });
  expect([stdout, stderr]).toEqual(["hello\nagain\n\n", ""]);
  expect(summary).toMatchObject({ complete: true, exitCode: 0 });
  const { report } = await bench.store.replay(summary.run ?? "", [process.execPath, "agent.mjs"], { cwd: folder });
  expect(report.verdict).toBe("identical");
});
