import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { startProvider, type Script } from "./provider.ts";

/**
 * The command line of a provider: `--port 0 --log file.jsonl --script script.mjs`. A script module exports
 * a function `script(ask)`. Prints one JSON line with the url when ready; SIGTERM and SIGINT end it.
 */
export async function serve(script?: Script): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: "string", default: "0" }, log: { type: "string" }, script: { type: "string" } },
  });
  let chosen = script;
  if (values.script !== undefined) {
    const loaded = (await import(pathToFileURL(resolve(values.script)).href)) as { script: Script };
    chosen = loaded.script;
  }
  const provider = await startProvider({
    port: Number(values.port),
    ...(values.log === undefined ? {} : { log: values.log }),
    ...(chosen === undefined ? {} : { script: chosen }),
  });
  process.stdout.write(`${JSON.stringify({ url: provider.url, port: provider.port, pid: process.pid })}\n`);
  const end = (): void => {
    void provider.stop().then(() => process.exit(0));
  };
  process.once("SIGTERM", end);
  process.once("SIGINT", end);
}
