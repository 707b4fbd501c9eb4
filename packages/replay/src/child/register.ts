/** Preload of a replayed program and of its threads: the same shell as when it was recorded, over its record. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { isMainThread } from "node:worker_threads";
import { loadOwn } from "@reenact/node/own-code";
import { PLAN_VARIABLE, type ReplayPlan } from "./plan.ts";

const file = process.env[PLAN_VARIABLE];
if (file !== undefined && !isLauncher(process.argv[1])) {
  const { startReplay, guardThread } = loadOwn("@reenact/replay/start", import.meta.url) as typeof import("./start.ts");
  const plan = JSON.parse(readFileSync(file, "utf8")) as ReplayPlan;
  if (isMainThread) startReplay(plan);
  else guardThread(plan);
}

/** Programs that only start the real one, in a process of its own that inherits this preload. */
function isLauncher(entry: string | undefined): boolean {
  if (entry === undefined) return false;
  return (
    /[/\\]node_modules[/\\](npm|yarn|pnpm|tsx|ts-node|nodemon|@nestjs[/\\]cli)[/\\]/.test(entry) ||
    /^(npm|npx|yarn|pnpm|tsx|nodemon|nest)(-cli)?(\.[cm]?js)?$/.test(basename(entry))
  );
}
