import type { RunContext } from "../run/context.ts";
import type { SpawnOptions } from "./child-command.ts";

/** The recorder's variables in an environment, or its preload in the arguments of Node: the child is recorded itself. */
const RECORDED = /^REENACT_(?!PARENT=|DISABLED=)|^NODE_OPTIONS=.*reenact/;
const PRELOAD = /reenact.*register/;
/** of the main thread */
const LANE = "0";
const PARENT = "REENACT_PARENT=";

/** The variables of a child. One that is recorded itself is told of which run it is; others see nothing of the recorder. */
export function childVariables({ envPairs, args = [] }: SpawnOptions, run: RunContext): string[] | undefined {
  if (envPairs === undefined) return undefined;
  const isRecorded = envPairs.some((pair) => RECORDED.test(pair)) || args.some((each) => PRELOAD.test(each));
  if (!run.isActive || !isRecorded) return [...envPairs];
  return [...envPairs.filter((pair) => !pair.startsWith(PARENT)), `${PARENT}${run.id}:${LANE}`];
}
