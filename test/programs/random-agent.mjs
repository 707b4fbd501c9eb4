// A random concurrent agent, fixed by its seed: `node random-agent.mjs <seed>`. It never names its branches.
import { setTimeout as sleep } from "node:timers/promises";
import { CALLS } from "./random/calls.mjs";
import { draws } from "./random/draws.mjs";
import { board, call, outcome, said, seed } from "./random/model.mjs";
import { PLUMBING } from "./random/plumbing.mjs";
import { SURROUNDINGS } from "./random/surroundings.mjs";
import { TOOLS } from "./random/tools.mjs";

const plan = draws(seed);
const constructs = [...CALLS, ...TOOLS, ...SURROUNDINGS, ...PLUMBING];
const width = 2 + Math.floor(plan() * 3);
const branches = Array.from({ length: width }, () =>
  Array.from({ length: 2 + Math.floor(plan() * 3) }, () => constructs[Math.floor(plan() * constructs.length)]),
);
const leave = plan() < 0.1;

if (leave) {
  // ends with calls in flight
  void Promise.all(
    branches.map(async (steps, w) => {
      for (const [k, step] of steps.entries()) await step(`${w}.${k}`);
    }),
  ).catch((e) => said(String(e)));
  await sleep(12);
  void outcome(call("in flight"));
  console.log(board.join("\n"));
  process.exit(7);
}
await Promise.all(
  branches.map(async (steps, w) => {
    for (const [k, step] of steps.entries()) await step(`${w}.${k}`);
  }),
);
console.log(board.join("\n"));
process.exitCode = board.length % 3;
