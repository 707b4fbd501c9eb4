// flame.mjs <out.svg> [--kind=history,fresh] [--tree=<folder>]: a flame graph of the agent's thread while it makes recorded calls with 50 KB each way, and a table of what
// each part of the recorder takes of it. `kind`: see make-calls.mjs. `tree`: another clone of this project, built, whose recorder is asked; for a graph from before a change.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { flameSvg } from "./flame-svg.mjs";

const CALLS = 60;
/** What the bench does itself, and waiting, is no part of a call. */
const NOT_A_CALL = /^(?:\(idle\)|\(program\)|prose|answerTo|post)$/;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kind: { type: "string", default: "history,fresh" },
    tree: { type: "string", default: fileURLToPath(new URL("../..", import.meta.url)) },
  },
});
const [out] = positionals;
if (out === undefined) throw new Error("which file? node test/bench/flame.mjs <out.svg>");
const kinds = values.kind.split(",");
const { tree } = values;
const perCall = (us) => Math.round(us / (kinds.length * CALLS));

/** lines of each bundle of the recorder */
const bundles = new Map();
const stacks = stacksOf(profile());
const total = sum(stacks.map(([, us]) => us));
const parts = new Map();
for (const [frames, us] of stacks) {
  const own = frames.findLast(({ part }) => part !== null);
  const part = own?.part ?? "the program, its SDK and Node";
  parts.set(part, (parts.get(part) ?? 0) + us);
}
const rows = [...parts].toSorted(([, a], [, b]) => b - a).filter(([, us]) => us / total > 0.005);
process.stdout.write(`| part | µs per call |\n|---|---:|\n`);
for (const [part, us] of rows) process.stdout.write(`| ${part} | ${perCall(us)} |\n`);
writeFileSync(
  out,
  flameSvg(stacks, (us) => `${perCall(us)} µs per call`),
);

function profile() {
  const folder = mkdtempSync(join(tmpdir(), "reenact-flame-"));
  const file = join(folder, "cpu.json");
  const register = pathToFileURL(resolve(tree, "packages/node/dist/register.js")).href;
  const here = (name) => fileURLToPath(new URL(name, import.meta.url));
  try {
    execFileSync(
      process.execPath,
      [
        "--import",
        here("memory-provider.mjs"),
        "--import",
        register,
        here("flame-agent.mjs"),
        file,
        String(CALLS),
        ...kinds,
      ],
      { env: { ...process.env, REENACT_STORE: folder, BENCH_LATENCY: "20" }, stdio: "inherit" },
    );
    return JSON.parse(readFileSync(file, "utf8"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `[frames, µs]` of each call path, outermost frame first; a frame is `{ name, part }`, `part` null outside of the recorder. */
function stacksOf({ nodes, samples, timeDeltas }) {
  const self = new Map();
  samples.forEach((id, at) => self.set(id, (self.get(id) ?? 0) + timeDeltas[at]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
  return [...self].flatMap(([id, us]) => {
    const frames = [];
    for (let at = id; at !== undefined; at = parents.get(at)) frames.unshift(byId.get(at));
    const isCall = !frames.some(({ functionName }) => NOT_A_CALL.test(functionName));
    return isCall ? [[frames.slice(1).map(frameOf), us]] : [];
  });
}

function frameOf({ functionName, url, lineNumber }) {
  const [, file] = /\/packages\/([^/]+\/dist\/.+)$/.exec(url) ?? [];
  const source = file === undefined ? null : sourceOf(file, lineNumber);
  const part = source === null ? null : source.replace(/\/src\/([^/]*)\/.*/, ": $1").replace(/\/src\/.*/, "");
  const where = source ?? url.replace(/^.*\/node_modules\//, "").replace(/^file:.*\//, "");
  return { name: `${functionName || "(anonymous)"} ${where}`, part };
}

/** The source file of a line in a bundle, which names each in a comment before its code. */
function sourceOf(file, line) {
  const path = resolve(tree, "packages", file);
  if (!bundles.has(path)) bundles.set(path, readFileSync(path, "utf8").split("\n"));
  const name = bundles.get(path).findLast((text, at) => at <= line && text.startsWith("// src/"));
  return `${file.split("/")[0]}/${name?.slice(3) ?? "src/"}`;
}

function sum(values) {
  return values.reduce((all, value) => all + value, 0);
}
