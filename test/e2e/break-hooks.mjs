// Preload: the code of each row of @reenact/hooks throws, where it reads a call (BREAK=call), or where it finds tools (BREAK=row).
import { HOOKS } from "@reenact/hooks";

function broken() {
  throw new Error("a fault of the hook");
}

for (const { step, tools, channel } of HOOKS) {
  if (step !== undefined) for (const key of ["name", "args", "callId", "body"]) step[key] = broken;
  if (channel !== undefined) channel.isClient = broken;
  if (tools === undefined) continue;
  for (const key of ["args", "result"]) {
    const real = tools[key];
    if (real === undefined) continue;
    const inCalls = (given, watch) => real(given, (tool) => watch({ ...tool, args: broken, callId: broken }));
    tools[key] = process.env.BREAK === "row" ? broken : inCalls;
  }
}
