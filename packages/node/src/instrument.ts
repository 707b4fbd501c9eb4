import module, { createRequire } from "node:module";
import { basename } from "node:path";
import { isMainThread } from "node:worker_threads";
import { recorder, warnOnce } from "@reenact/capture/recorder";
import { PROVIDERS } from "@reenact/providers";
import type { Policy } from "@reenact/redaction";
import { type Config, readConfig } from "./config/config.ts";
import { currentRecording, startRecording } from "./recording.ts";

export interface InstrumentOptions {
  /** name of the process's run; default: the service, else the entry file */
  name?: string;
  /**
   * answers `input(name, question)`; without it the terminal is asked. `"suspend"`: the run is suspended there, and `reenact resume`
   * goes on with the answer in another process
   */
  onInput?: ((name: string, question: string) => unknown) | "suspend";
  redaction?: Policy;
}

/** Copies of the recorder in one process find each other here. */
const SEAM = Symbol.for("reenact.seam/1");
const OWNER = {};

/** SDKs that keep the `fetch` they find: loaded before the recorder, their calls are not seen. */
const KEEPS_FETCH = PROVIDERS.flatMap(({ sdks }) => sdks.filter(({ keepsFetch }) => keepsFetch));

/**
 * Records this process from here on, for code that cannot set flags. Call it before anything else is loaded;
 * `node --import @reenact/node/register` does so by itself. Never throws.
 */
export function instrument(options: InstrumentOptions = {}): void {
  start(options, false);
}

/** The preload's way in: nothing can have come before it. */
export function register(): void {
  start({}, true);
}

function start(options: InstrumentOptions, preload: boolean): void {
  try {
    // what a thread says is heard by its process's run; what it does is not recorded
    if (!isMainThread) return;
    // its programs link on any Node: what is newer is no named import
    if (!("registerHooks" in module))
      throw new Error(`Node ${process.versions.node} is too old to record: install Node 22.15 or newer`);
    if (currentRecording() !== null) return again(options);
    const { config, problems } = readConfig();
    for (const problem of problems) warnOnce(`config:${problem}`, `${problem}; that setting is left out`);
    if (config.disabled) return;
    if (!own()) return;
    if (!preload) sayIfLate();
    record(options, config);
    if (config.log !== "silent") warnOnce("start", startLine(config));
  } catch (error) {
    warnOnce(
      "start",
      `recording disabled: ${error instanceof Error ? error.message : String(error)}; the agent keeps running`,
    );
  }
}

function record({ name, onInput, redaction }: InstrumentOptions, config: Config): void {
  startRecording({
    name: config.serviceName ?? name ?? basename(process.argv[1] ?? "node"),
    config,
    send: true,
    ...(onInput === undefined ? {} : onInput === "suspend" ? { suspendsInput: true } : { onInput }),
    ...(redaction === undefined ? {} : { redaction }),
  });
}

function again(options: InstrumentOptions): void {
  if (options.onInput === "suspend") recorder.suspendsInput = true;
  else if (options.onInput !== undefined) recorder.onInput = options.onInput;
  const late = (["name", "redaction"] as const).filter((key) => options[key] !== undefined);
  if (late.length > 0)
    warnOnce("again", `instrument() came after the recording had begun: ${late.join(" and ")} not used`);
}

function own(): boolean {
  const slot = ((globalThis as { [SEAM]?: { owner?: object } })[SEAM] ??= {});
  slot.owner ??= OWNER;
  if (slot.owner === OWNER) return true;
  warnOnce("copies", "two copies of @reenact/node are loaded: the first one records; run 'npm ls @reenact/node'");
  return false;
}

function sayIfLate(): void {
  const loaded = Object.keys(createRequire(import.meta.url).cache).map((path) => path.replaceAll("\\", "/"));
  const sdk = KEEPS_FETCH.find(({ package: name }) => loaded.some((path) => path.includes(`/node_modules/${name}/`)));
  if (sdk !== undefined)
    warnOnce(
      "late",
      `instrument() came after ${sdk.package} was loaded: call it first, or start node with --import @reenact/node/register`,
    );
}

function startLine(config: Config): string {
  const places = [config.store, config.endpoint, ...config.forward].filter((place) => place !== null);
  return `recording LLM and HTTP calls, tool(), clock, random, timers and environment to ${places.join(", ")}; not recorded: sockets, child processes, what worker threads do (counted as leaks)`;
}
