import { randomUUID } from "node:crypto";
import {
  isInbound,
  environmentNames,
  environmentReads,
  watchEnvironment,
  install,
  type Installed,
  live,
  LiveSource,
  originals,
  recorder,
  type RunContext,
  warnOnce,
  type Source,
} from "@reenact/capture/recorder";
import type { Policy, RedactingScrubber } from "@reenact/redaction";
import { type Config, environment, readConfig } from "./config/config.ts";
import { describeUncaught, watchExit } from "./process/exit.ts";
import { environmentFacts } from "./facts/environment-facts.ts";
import { recorderVersion } from "./facts/recorder-version.ts";
import { HOOKS } from "@reenact/hooks";
import { dialects } from "./own-code/lazy-packages.ts";
import { agentCode } from "./process/agent-code.ts";
import { keepOwnCode } from "./own-code/load-own.ts";
import { lazyScrubber } from "./redact/lazy-scrubber.ts";
import { watchActiveSpan } from "./span/active-span.ts";
import { backgroundScrubber } from "./redact/background-scrubber.ts";
import { encodeEndedSpan, type Origin } from "./span/encode-ended-span.ts";
import { earlyRootFacts, type ProcessExit, rootFacts } from "./facts/root-facts.ts";
import { createWaitBudget, type WaitBudget } from "./redact/wait-budget.ts";
import { loadScopeScrubber, type ScopeScrubber } from "./redact/scope-scrubber.ts";
import type { Destination } from "./send/destination.ts";
import { namedDestinations, withPolicies } from "./send/destinations.ts";
import { flusher } from "./send/flusher.ts";
import { createSender } from "./send/sender.ts";
import { isAlive } from "./process/is-alive.ts";
import { launcherOf } from "./seal/launch-name.ts";
import { pidSpace } from "./process/pid-space.ts";
import { holdRoots, type RootJson } from "./spool/held-roots.ts";
import { type SpoolSink, spoolSink } from "./spool/spool-sink.ts";
import {
  type EffectOptions,
  knownEffects,
  NO_EFFECTS,
  type RunEffects,
  watchEffects,
} from "./effects/watch-effects.ts";
import { type StoreLayout, storeLayout } from "./config/store-layout.ts";
import type { OriginalsWanted } from "./redact/scrub-work.ts";
import { startVault } from "./vault/start-vault.ts";
import { sinkWithVault, tellKnown } from "./vault/sink-with-vault.ts";

export interface RecordingOptions extends EffectOptions {
  /** name of the process's run */
  name: string;
  /** store folder; default: as configured */
  store?: string;
  config?: Config;
  /** false: only `agent()` calls are runs, for an engine inside another program's process. Default true */
  processRun?: boolean;
  /** run that the process's run replays or belongs to: 32 hex */
  parent?: string | null;
  /** the source of a run; null: live */
  sourceFor?: (run: RunContext) => Source | null;
  /** further facts of a root, over ours */
  rootFacts?: (run: RunContext) => Record<string, unknown>;
  /** the roots of runs are written when the process ends, with their facts as this returns them */
  completeRoot?: (facts: RootJson) => RootJson;
  /** further facts of a run whose process dies */
  earlyFacts?: Record<string, unknown>;
  onInput?: ((name: string, question: string) => unknown) | null;
  /** runs are suspended at `input()`; default: as the configuration says */
  suspendsInput?: boolean;
  redaction?: Policy;
  /** send to what the environment names. Default false: everything stays in the store */
  send?: boolean;
  /** the process ends with this code, its runs are still open; `error`: what went uncaught */
  ending?: (code: number, effectsOf: (run: RunContext | null) => RunEffects, error: unknown) => void;
}

export interface Recording {
  readonly instance: string;
  readonly layout: StoreLayout;
  readonly scrubber: RedactingScrubber;
  /** null: `processRun` was false */
  readonly processRun: RunContext | null;
  /** the runs that were written, by their start */
  readonly written: SpoolSink["written"];
  /** Ends every run that is open, as the exit of the process with this code does; then closes the spool. */
  end(code: number, error?: unknown): void;
  /** Takes every patch back. What is open is ended first. */
  stop(): void;
}

/** The agent's thread stands still for asynchronous detectors for no more than this and a tenth of the time. */
const MOST_STILL_MS = 2000;
/** Process age up to which its code is worth keeping. */
const YOUNG_MS = 60_000;
/** Words in the facts of each root, so that nothing of ours has to be waited for when a run ends. */
const ROOT_WORDS =
  "v trigger process function name sequence steps lanes 0 events sha256 wakeUpsWatched delays leaks flags tools unrecorded lossy input output instance launch service environment recorder sdks stdout stderr bytes lines places ok failed aborted".split(
    " ",
  );
const NOWHERE: ReturnType<typeof namedDestinations> = { destinations: [], problems: [] };
let current: Recording | null = null;

/** The recording of this process, if one is under way. */
export function currentRecording(): Recording | null {
  return current;
}

/** Starts to record this process. Prints nothing and creates nothing: the store is touched when a run starts. */
export function startRecording(options: RecordingOptions): Recording {
  if (current !== null) throw new Error("this process is recorded already");
  const config = options.config ?? readConfig().config;
  const layout = storeLayout(options.store ?? config.store);
  const instance = randomUUID();
  // a replay shows the program another one
  const { pid } = process;
  // a replay waits for its detectors; a recorded agent never does
  const isReplay = options.sourceFor !== undefined;
  const waitBudget = createWaitBudget(isReplay ? Infinity : MOST_STILL_MS);
  let scope: ScopeScrubber | null = null;
  const scrubber = lazyScrubber(() =>
    live(() => {
      const loaded = loadScrubber(layout, config, options.redaction, waitBudget, () => vault?.elsewhere() ?? null);
      if ("error" in loaded) return loaded;
      scope = loaded.scope;
      return loaded.scrubber;
    }),
  );
  // what a replay was given is in the vault of what it replays
  const vault = isReplay ? null : startVault(layout.folder, config, () => scope);
  if (vault !== null) tellKnown(scrubber, vault);
  const service = serviceOf(config, options.name);
  const facts = { instance, config, service, scrubber, environmentReads };
  const open = new Set<RunContext>();
  let written = 0;
  let exit: ProcessExit | null = null;

  /** then the launcher of this process sends what is left, and reports it */
  const isLaunched = (): boolean => config.launch !== null && isAlive(launcherOf(config.launch));
  const named = options.send ? namedDestinations(config, environment()) : NOWHERE;
  const destinations = destinationsWithPolicies(named, config);
  const willSend = named.destinations.length > 0;
  const sender = willSend
    ? createSender({ store: layout.folder, instance, destinations, launched: isLaunched() })
    : null;

  const origin = (): Origin => ({
    scope: recorderVersion(),
    resource: resourceOf(config, service, instance, scrubber),
  });
  let originOfRoots: Origin | null = null;

  const sink = spoolSink({
    layout,
    instance,
    scrubber,
    opening: () => ({
      v: 1,
      instance,
      pid,
      pidSpace: pidSpace(),
      launch: config.launch,
      ...(destinations().length > 0 && { to: destinations().map(({ target }) => target) }),
      ...origin(),
    }),
    earlyFacts: () => withEnvironment({ ...earlyRootFacts(facts), ...options.earlyFacts }),
    earlyFactsVersion: () => environmentReads().size + (environmentNames()?.length ?? 0),
    problem: () => scrubber.problem(),
    encode: (span) => encodeEndedSpan(span, (originOfRoots ??= origin())),
    maxMbPerMin: config.maxMbPerMin,
    begun: () => sender?.start(),
  });

  const roots = holdRoots(sink, options.completeRoot ?? null);

  function withEnvironment(root: Record<string, unknown>): Record<string, unknown> {
    const { environment } = root;
    vault?.environment(environment as Record<string, unknown>, (by) => environmentFacts(environmentReads(), by));
    return root;
  }

  const before = { ...recorder };
  Object.assign(recorder, {
    scrubber,
    sink: vault === null ? roots : sinkWithVault(sink, vault),
    vault,
    dialects: [...dialects],
    onInput: options.onInput ?? null,
    suspendsInput: suspendsInput(options, config),
    isReplay,
    session: config.session,
    sourceFor(run: RunContext): Source {
      // most requests and jobs become no run: one that does is open from then on
      if (!isInbound(run.start.trigger)) open.add(run);
      return options.sourceFor?.(run) ?? new LiveSource(run);
    },
    rootFacts: (run: RunContext) =>
      live(() => {
        const seen = knownEffects(effectsOf(run));
        const own = withEnvironment(rootFacts(facts, run === processRun ? exit : null));
        return { ...own, ...seen, ...options.rootFacts?.(run) };
      }),
    onActive: (run: RunContext) => void open.add(run),
    onOver(run: RunContext) {
      open.delete(run);
      if (run.isActive) written++;
    },
    flush: flusher(sender, { open, written: () => written }, config.exitMs),
  });

  const hasProcessRun = options.processRun !== false;
  const effects = hasProcessRun
    ? watchEffects({ ...options, scrubber, store: layout.folder, processRun: () => current?.processRun ?? null })
    : null;
  const effectsOf = (run: RunContext | null): RunEffects => (run === null ? null : effects?.of(run)) ?? NO_EFFECTS;
  const forgetActiveSpan = watchActiveSpan();
  const forgetEnvironment = watchEnvironment(scrubber.learnVariable);
  function undo(): void {
    forgetActiveSpan();
    forgetEnvironment();
    effects?.undo();
    Object.assign(recorder, before);
  }

  let installed: Installed;
  try {
    const parent = options.parent ?? config.parent;
    installed = install({ name: options.name, parent, processRun: hasProcessRun, hooks: HOOKS, agentCode });
  } catch (error) {
    undo();
    throw error;
  }
  const { processRun } = installed;

  function end(code: number, error?: unknown, drained = false, thrower: RunContext | null = null): void {
    if (exit !== null) return;
    exit = { code, drained };
    const now = originals.performanceNow();
    const until = now + config.exitMs;
    // the steps come after the output, and are more
    if (config.exitMs > 0) waitBudget.until(now + config.exitMs / 2);
    endEffects(code, error);
    if (config.exitMs > 0) {
      scrubber.until(until);
      waitBudget.until(until);
    }
    live(() => {
      endOpenRuns(error, thrower);
      processRun?.end(processEnd(code, error, processRun));
      processRun?.finish();
      roots.release();
      sink.close();
    });
    const withinMs = Math.round(until - originals.performanceNow());
    if (sink.written.count > 0 && !isLaunched() && withinMs > 0) sender?.end({ runs: sink.written.count, withinMs });
    // V8 forgets in time how a start was compiled; and a process without a run writes nothing
    if (sink.written.count > 0 && originals.performanceNow() < YOUNG_MS) live(keepOwnCode);
  }

  function endEffects(code: number, error: unknown): void {
    // a replay writes only runs that take a step
    if (sink.written.count > 0 && options.ending === undefined) processRun?.surround();
    // without a run the digest is not needed, and it would load redaction
    if (processRun?.isActive === true || options.ending !== undefined) live(() => effects?.end(error));
    options.ending?.(code, effectsOf, error);
  }

  function endOpenRuns(error: unknown, thrower: RunContext | null): void {
    for (const run of [...open].reverse()) {
      if (run === processRun) continue;
      run.end(run === thrower ? crash(run, error) : endOfOpen(run));
      run.finish();
    }
  }

  const unwatch = watchExit({ ending: end, isSuspended: () => [...open].some((run) => run.isSuspended) });
  const recording: Recording = {
    instance,
    layout,
    scrubber,
    processRun,
    written: sink.written,
    end,
    stop() {
      if (current !== recording) return;
      end(0);
      unwatch();
      installed.undo();
      undo();
      scrubber.close();
      sender?.stop();
      current = null;
    },
  };
  current = recording;
  return recording;
}

/** Resolves on its first call: the configuration file is loaded with the first run, as the policy in it is. */
function destinationsWithPolicies(
  named: ReturnType<typeof namedDestinations>,
  { configFile }: Config,
): () => readonly Destination[] {
  const sayProblem = (problem: string): void => warnOnce(`send:${problem}`, `${problem}; nothing is sent there`);
  named.problems.forEach(sayProblem);
  let resolved: ReturnType<typeof withPolicies> | null = null;
  return () => {
    if (resolved === null) {
      resolved = live(() => withPolicies(named.destinations, configFile));
      resolved.problems.forEach(sayProblem);
    }
    return resolved.destinations;
  };
}

const suspendsInput = ({ suspendsInput: own }: RecordingOptions, { onInput }: Config): boolean =>
  own ?? onInput === "suspend";

const endOfOpen = ({ isSuspended }: RunContext): Parameters<RunContext["end"]>[0] =>
  isSuspended ? { status: "suspended" } : { status: "aborted", message: "the process ended first" };

/** `answered` of the run: how it was to end as a start-up; null: it is the run of the whole process. */
function processEnd(
  code: number,
  error: unknown,
  { answered, isSuspended }: RunContext,
): Parameters<RunContext["end"]>[0] {
  if (answered !== null && error === undefined) return answered;
  if (code === 0) return { status: isSuspended ? "suspended" : "ok" };
  if (error === undefined) return { status: "failed", message: `exit code ${code}` };
  const { message, recorded } = describeUncaught(error);
  return { status: "failed", message, facts: { error: recorded } };
}

/** The end of a run whose error, which nobody caught, has ended the process. */
function crash({ answered }: RunContext, error: unknown): Parameters<RunContext["end"]>[0] {
  const { message, recorded } = describeUncaught(error);
  return { ...answered, status: "failed", message, facts: { error: recorded } };
}

function loadScrubber(
  layout: StoreLayout,
  config: Config,
  policy: Policy | undefined,
  waitBudget: WaitBudget,
  originals: () => OriginalsWanted | null,
): { scrubber: RedactingScrubber & { close(): void }; scope: ScopeScrubber } | { error: string } {
  const { configFile } = config;
  const found = loadScopeScrubber({ env: environment(), folder: layout.folder, configFile, policy, waitBudget });
  if ("error" in found) return found;
  if (found.origin === "generated" && config.log !== "silent")
    warnOnce("key", `a redaction key was made in ${layout.folder}`);
  if (found.passphrase !== null) warnOnce("passphrase", found.passphrase);
  const { scrubber, options, detectors } = found;
  if (detectors !== null) scrubber.scrub(JSON.stringify(ROOT_WORDS), { mime: "application/json", waits: false });
  const whole =
    detectors === null
      ? backgroundScrubber(scrubber, options, originals)
      : { ...scrubber, close: () => detectors.close() };
  return { scrubber: whole, scope: found };
}

function serviceOf({ serviceName, serviceVersion }: Config, name: string): { name: string; version?: string } {
  return { name: serviceName ?? name, ...(serviceVersion === null ? {} : { version: serviceVersion }) };
}

/** Never `process.command_args` nor `process.owner`: they say too much. Values are redacted. */
function resourceOf(
  config: Config,
  service: { name: string; version?: string },
  instance: string,
  scrubber: RedactingScrubber,
): Record<string, string> {
  const { name, version } = recorderVersion();
  const given: Record<string, string> = {
    ...config.resource,
    "service.name": service.name,
    ...(service.version === undefined ? {} : { "service.version": service.version }),
  };
  for (const key of Object.keys(given)) given[key] = scrubber.scrub(given[key] as string, { key }).text;
  return {
    ...given,
    "service.instance.id": instance,
    "telemetry.sdk.language": "nodejs",
    "telemetry.sdk.name": name,
    "telemetry.sdk.version": version,
  };
}
