import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { scale } from "../scale.ts";
import { ownBench } from "./own-bench.ts";
import type { Recorded, Replayed } from "./trial.ts";

/** Calls of one agent() at the same time, beside a timer: their results are deliveries of the process, as its own answers are. */
const PROGRAM = `
import { agent } from "@reenact/node";
import { call } from "./turns/model.mjs";

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const go = agent("go", async (name, n) => {
  for (let i = 0; i < n; i++) await call(name + i);
  await sleep(30 * n);
  if (name === "bad") throw new Error("bad");
  return name;
});
const order = [];
let ticks = 0;
const timer = setInterval(() => ticks++, 7);
await Promise.all([["a", 3], ["b", 1], ["c", 2], ["bad", 1]].map(async ([name, n]) => {
  await go(name, n).catch(() => {});
  order.push(name);
  await call("behind " + name + " " + order);
}));
clearInterval(timer);
const first = await Promise.race([go("d", 2), sleep(20).then(() => "late")]);
await call("end " + ticks + first);
console.log(order.join(), ticks, first);
`;

const bench = ownBench();
const file = join(import.meta.dirname, `../programs/at-once-${process.pid}.mjs`);
const command = [process.execPath, file];
const options = (): { env: Record<string, string>; cwd: string } => ({
  env: { PROVIDER_URL: bench.provider.url },
  cwd: bench.folder,
});
let recorded: Recorded;

beforeAll(async () => {
  writeFileSync(file, PROGRAM);
  recorded = await bench.store.run(command, options());
  return () => rmSync(file, { force: true });
});

async function replayed(find = "", replace = ""): Promise<Replayed> {
  writeFileSync(file, PROGRAM.replace(find, replace));
  return bench.store.replay(recorded.summary.run ?? "", command, options());
}

test("unchanged code is identical, in the order in which the calls returned", async () => {
  const { report, stdout } = await replayed();
  expect([report.verdict, report.divergence, stdout]).toEqual(["identical", null, recorded.stdout]);
  expect(report.runs.map(({ verdict }) => verdict)).toEqual(Array(6).fill("identical"));
});

test("a call without a step is replayed by what it was given and came to", async () => {
  const early = PROGRAM.replace("for (let i", 'if (name === "bad") throw new Error("early " + n);\n  for (let i');
  writeFileSync(file, early);
  const { summary } = await bench.store.run(command, options());
  const judge = async (program: string): Promise<(string | undefined)[]> => {
    writeFileSync(file, program);
    // the run that failed is the one that a summary names
    const { report } = await bench.store.replay(summary.run ?? "", command, options());
    return [report.verdict, report.divergence?.verdict, report.runs[0]?.name];
  };
  expect(await judge(early)).toEqual(["identical", undefined, "go"]);
  expect(await judge(early.replace("early ", "soon "))).toEqual(["diverged", "output-changed", "go"]);
});

test("calls in another order are found where nothing shows their results", async () => {
  const head = PROGRAM.split("const order")[0] ?? "";
  const silent = `${head}await call("begin");\nawait Promise.all([go("a", 1), go("b", 1)]);\nawait call("end");`;
  writeFileSync(file, silent);
  const { summary } = await bench.store.run(command, options());
  const judge = async (program: string): Promise<unknown[]> => {
    writeFileSync(file, program);
    const { report } = await bench.store.replay(summary.run ?? "", command, options());
    return [report.verdict, report.divergence?.verdict, report.divergence?.cause];
  };
  expect(await judge(silent)).toEqual(["identical", undefined, undefined]);
  const swapped = silent.replace('go("a", 1), go("b", 1)', 'go("b", 1), go("a", 1)');
  expect(await judge(swapped)).toEqual([
    "diverged",
    "reordered",
    expect.stringMatching(
      /^agent "go" \(run \w{6}\) was called behind agent "go" \(run \w{6}\); when recorded, before it$/,
    ),
  ]);
});

test("how far a call has come when the process ends amid it is in no record, and no divergence", async () => {
  const left = `${PROGRAM.split("const order")[0]}await go("a", 1);\nvoid go("b", 40);\nawait sleep(500);\nconsole.log("left");\nprocess.exit(3);`;
  writeFileSync(file, left);
  const { summary } = await bench.store.run(command, options());
  const judge = async (program: string): Promise<unknown[]> => {
    writeFileSync(file, program);
    const { report } = await bench.store.replay(summary.run ?? "", command, options());
    return [
      report.divergence?.verdict,
      report.verdict,
      ...report.notes.filter((note) => note.includes("not compared")),
    ];
  };
  expect(await judge(left)).toEqual([
    undefined,
    "incomplete",
    expect.stringMatching(/^the process ended amid this run/),
  ]);
  expect(await judge(left.replace("sleep(500)", "sleep(490)"))).toMatchObject({ 0: "delay-changed", 1: "diverged" });
});

const EDITS = [
  ["makes one call less", ', ["bad", 1]', "", "missing"],
  ["does not wait for a call", "await go(name, n).catch", "go(name, n).catch", "changed"],
  [
    "waits for a timer in place of a call",
    "await go(name, n).catch(() => {})",
    "void go(name, n).catch(() => {}); await sleep(9)",
    "delay-changed",
  ],
  ["waits for a call first", "order.push(name)", 'order.push(name); await call("first")', "changed"],
  ["makes calls in another order", '["a", 3], ["b", 1]', '["b", 1], ["a", 3]', "reordered"],
  ["another interval", "ticks++, 7", "ticks++, 8", "delay-changed"],
] as const;

test.each(EDITS.slice(0, scale(3, 3, EDITS.length)))("%s: found", async (_, find, replace, verdict) => {
  const { report, code } = await replayed(find, replace);
  expect(report.divergence).toMatchObject({ verdict });
  expect(code).toBe(10);
});
