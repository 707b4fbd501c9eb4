import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const bench = ownBench();
const reenact = pathToFileURL(join(import.meta.dirname, "../../packages/node/dist/index.js")).href;

const PROGRAM = `import fs from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { tool } from ${JSON.stringify(reenact)};
const require = createRequire(import.meta.url);
const plan = tool("plan", () => "21 * 2");
fs.mkdirSync("made/inner", { recursive: true });
fs.writeFileSync("made/inner/part.mjs", "export const part = " + plan() + ";");
fs.writeFileSync("made/whole.mjs", 'import { part } from "./inner/part.mjs"; export const whole = part + 1;');
fs.writeFileSync("made/old.js", "exports.old = " + plan());
fs.writeFileSync("made/data.json", JSON.stringify({ data: [1] }));
fs.writeFileSync("known.mjs", "export const known = 'new';");
console.log((await import("./made/whole.mjs")).whole, require("./made/old").old, require("./made/data.json").data);
console.log((await import("./known.mjs")).known, (await import(import.meta.resolve("./known.mjs") + "?again")).known);
console.log((await import("./made/data.json", { with: { type: "json" } })).default.data);
try { await import("./made/none.mjs"); } catch (error) { console.log(error.code); }
`;

test("a module that is not there has the stack that it had when recorded", { timeout: 60_000 }, async () => {
  const cwd = join(bench.folder, "absent");
  mkdirSync(cwd);
  const program = `import fs from "node:fs";
import { createRequire } from "node:module";
import { tool } from ${JSON.stringify(reenact)};
const require = createRequire(import.meta.url);
await tool("plan", () => 1)();
fs.writeFileSync("notes.txt", "a text");
for (const load of [() => import("./none.mjs"), () => import("no-such-package"), async () => require("./none.cjs"), async () => require("no-such-package")])
  await load().catch((error) => console.log(error.stack));
`;
  writeFileSync(join(cwd, "program.mjs"), program);
  const command = [process.execPath, "program.mjs"];
  const recorded = await bench.store.run(command, { cwd });
  expect(recorded.stdout.match(/Cannot find (?:module|package)/g)).toHaveLength(4);
  expect(recorded.stdout).toMatch(/program\.mjs:7:/);
  const replayed = await bench.store.replay(recorded.summary.run ?? "", command, { cwd });
  expect(replayed.stdout).toBe(recorded.stdout);
  expect(replayed.report).toMatchObject({ verdict: "identical", divergence: null });
});

test("modules that the program wrote are loaded as it wrote them", { timeout: 60_000 }, async () => {
  const cwd = join(bench.folder, "written");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "program.mjs"), PROGRAM);
  writeFileSync(join(cwd, "known.mjs"), "export const known = 'old';");
  const command = [process.execPath, "program.mjs"];
  const recorded = await bench.store.run(command, { cwd });
  expect(recorded.stdout).toBe("43 42 [ 1 ]\nnew new\n[ 1 ]\nERR_MODULE_NOT_FOUND\n");
  rmSync(join(cwd, "made"), { recursive: true });
  writeFileSync(join(cwd, "known.mjs"), "export const known = 'other';");
  const replayed = await bench.store.replay(recorded.summary.run ?? "", command, { cwd });
  expect(replayed.stdout).toBe(recorded.stdout);
  expect(replayed.report).toMatchObject({ verdict: "identical", divergence: null });
});
