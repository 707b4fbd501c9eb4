// A random process around calls of agent(), fixed by its seed: `node random-runs.mjs <seed>`.
import { setTimeout as sleep } from "node:timers/promises";
import { CALLS } from "./random/calls.mjs";
import { draws } from "./random/draws.mjs";
import { board, call, seed } from "./random/model.mjs";
import { RUNS } from "./random/runs.mjs";

const plan = draws(seed);
const pick = (list) => list[Math.floor(plan() * list.length)];
const branches = Array.from({ length: 2 + Math.floor(plan() * 3) }, () =>
  Array.from({ length: 1 + Math.floor(plan() * 3) }, () => (plan() < 0.75 ? pick(RUNS) : pick(CALLS))),
);
const leave = plan() < 0.1;

// without a call of its own the process only surrounds the runs
if (plan() < 0.5) await call("main");
const all = Promise.all(
  branches.map(async (steps, w) => {
    for (const [k, step] of steps.entries()) await step(`${w}.${k}`);
  }),
);
await (leave ? Promise.race([all, sleep(20)]) : all);
console.log(board.join("\n"));
if (leave) process.exit(7);
process.exitCode = board.length % 3;
