// Read by any Node from 18 on: nothing newer may be asked for, or written, before the version is known.
import { subscribe } from "node:diagnostics_channel";
import { writeSync } from "node:fs";
import { createRequire } from "node:module";
import { getEnvironmentData, isMainThread } from "node:worker_threads";
import { readConfig } from "./config/config.ts";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

// what a thread says is heard by its process's run; inside it nothing is recorded, and only its connections are counted
if (isMainThread) start();
else countConnections();

/** In shared memory of the process (`workers.ts` of @reenact/capture), by the channels of Node's clients. */
function countConnections(): void {
  const memory = getEnvironmentData("reenact:thread-connections") as unknown;
  if (!(memory instanceof SharedArrayBuffer)) return;
  const counter = new Int32Array(memory);
  const count = (): void => void Atomics.add(counter, 0, 1);
  for (const channel of ["http.client.request.start", "undici:request:create", "net.client.socket"])
    subscribe(channel, count);
}

function start(): void {
  if (major < 22 || (major === 22 && minor < 15))
    return say(`Node ${process.versions.node} is too old to record: install Node 22.15 or newer`);
  try {
    if (!readConfig().config.disabled) load().register();
  } catch (error) {
    say(`the recorder could not be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function load(): typeof import("./instrument.ts") {
  const own = createRequire(import.meta.url)("@reenact/node/own-code") as typeof import("./own-code/load-own.ts");
  return own.loadOwn("@reenact/node/instrument", import.meta.url) as typeof import("./instrument.ts");
}

function say(what: string): void {
  try {
    writeSync(2, `reenact: ${what}; the agent runs untouched\n`);
  } catch {
    // a closed descriptor must not reach the agent
  }
}
