import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { startScriptedModel } from "../demo/scripted-model.ts";
import { endWithParent } from "../process/end-with-parent.ts";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { recordCommand } from "./run.ts";

/** How the agent of the demo ends: it finds out that it has cancelled the wrong order. */
const AGENT_FAILS = 1;

export function demoCommand(): Command {
  return baseCommand("demo", "record a small agent that fails, offline: its model is scripted, on this machine", [
    "reenact demo",
  ])
    .option("--json-file <path>", "write the summary here")
    .action(async (options: BaseOptions & { jsonFile?: string }) => {
      endWithParent();
      const model = await startScriptedModel();
      try {
        const agent = fileURLToPath(import.meta.resolve("reenact/demo-agent"));
        const run = await recordCommand([process.execPath, agent, model.url], options);
        if (run !== null && process.exitCode === AGENT_FAILS) process.exitCode = 0;
      } finally {
        model.close();
      }
    });
}
