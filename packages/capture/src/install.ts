import { syncBuiltinESMExports } from "node:module";
import { installClock } from "./ambient/clock/clock.ts";
import { watchDatagrams } from "./ambient/datagrams.ts";
import { installEnvironment } from "./ambient/environment.ts";
import { installForeign } from "./ambient/operations/native-wakeups.ts";
import { beginServing, onServing, servesRequests, setServerMode, setStartUp } from "./run/server-mode.ts";
import { installMessageChannels } from "./ambient/threads/message-channels.ts";
import { installOrderedOperations } from "./ambient/operations/ordered-operations.ts";
import { installMachine } from "./ambient/machine.ts";
import { installRandom } from "./ambient/random/random.ts";
import { installSignals } from "./ambient/signals.ts";
import { installStatWatchers } from "./ambient/stat-watchers.ts";
import { installTimers } from "./ambient/timers/timers.ts";
import { installWorkers } from "./ambient/threads/workers.ts";
import { installWatchers } from "./ambient/watchers.ts";
import { recorder } from "./run/recorder.ts";
import { installChildren } from "./child-process/watch-children.ts";
import { setProcessFrame } from "./run/context.ts";
import { installLeaks } from "./leaks/leaks.ts";
import type { Hook } from "./hook/hook.ts";
import { watchHandlers } from "./hook/watch-handlers.ts";
import { watchHooks } from "./hook/watch-hooks.ts";
import { watchModuleLoading } from "./hook/module-loading.ts";
import { hideOwnFrames } from "./patch/own-frames.ts";
import { type AgentCode, watchAgentCode } from "./inbound/agent-signs.ts";
import { watchRequests } from "./inbound/watch-requests.ts";
import { watchListening } from "./transport/own-ports.ts";
import { Run } from "./run/run.ts";
import type { RunEnd } from "./run/run-start.ts";
import { whenQuiet } from "./run/when-quiet.ts";
import { sharedPart } from "./patch/global-registry.ts";
import { nextSequence } from "./run/sequence.ts";
import { installFetch } from "./transport/fetch/fetch.ts";
import { installHttp } from "./transport/http/http.ts";
import { installWebSocket } from "./transport/websocket/global-web-socket.ts";

export interface InstallOptions {
  /** name of the process's run: the service, else the entry file */
  name: string;
  parent?: string | null;
  /** false: only `agent()` calls are runs, for an engine inside another program's process (a test runner) */
  processRun: boolean;
  /** places in libraries where the recorder takes part */
  hooks?: readonly Hook[];
  /** by what a program that calls models is known */
  agentCode?: AgentCode;
}

export interface Installed {
  readonly processRun: Run | null;
  undo(): void;
}

const state = sharedPart("installed", () => ({ installed: null as Installed | null }));

export function isRecording(): boolean {
  return state.installed !== null;
}

/** A server is quiet for so long when its start-up is over, in ms. */
const QUIET_MS = 1000;

/** Ends the run of a server that called a model before it listened, once nothing more of it happens. */
function endAsStartUp(run: Run): void {
  const end: RunEnd = { status: "ok", facts: { startUp: true } };
  // if the process ends before
  run.answered = end;
  whenQuiet(run, () => QUIET_MS, {
    done() {
      if (run.over) return;
      run.end(end);
      setProcessFrame(recorder.isReplay ? null : runOfTheRest(run.start.name).frame);
    },
  });
}

/** Where a server calls a model outside of its requests later: that is recorded, without what led to it. */
function runOfTheRest(name: string): Run {
  const rest: Run = new Run({
    trigger: "process",
    name,
    sequence: -1,
    activated() {
      rest.start.sequence = nextSequence();
    },
  });
  rest.rest("served requests");
  return rest;
}

/** Patches this process, once; a second call returns the first installation. */
export function install(options: InstallOptions): Installed {
  if (state.installed !== null) return state.installed;
  const processRun = options.processRun
    ? new Run({ trigger: "process", name: options.name, sequence: nextSequence(), parent: options.parent ?? null })
    : null;
  onServing(() => {
    if (processRun === null || processRun.over || servesRequests()) return;
    if (processRun.isActive) return setStartUp(() => endAsStartUp(processRun));
    // from here on the process is a server: a run that is not active by now is dropped, and costs nothing any more
    processRun.release();
    setServerMode();
  });
  const undo = [
    hideOwnFrames(),
    installClock(),
    installRandom(),
    installTimers(),
    installEnvironment(),
    installMachine(),
    installOrderedOperations(),
    installMessageChannels(),
    installWorkers(),
    installSignals(),
    installWatchers(),
    installStatWatchers(),
    installFetch(),
    installHttp(),
    installWebSocket(),
    installChildren(),
    watchRequests(),
    installForeign(),
    installLeaks(),
    watchModuleLoading([
      watchHooks(options.hooks ?? []),
      watchDatagrams(),
      ...(options.agentCode === undefined ? [] : [watchAgentCode(options.agentCode)]),
    ]),
    watchHandlers(options.hooks ?? []),
    watchListening(beginServing),
  ];
  syncBuiltinESMExports();
  if (processRun !== null) setProcessFrame(processRun.frame);
  const installed: Installed = {
    processRun,
    undo() {
      for (const step of undo.reverse()) step();
      syncBuiltinESMExports();
      setProcessFrame(null);
      state.installed = null;
    },
  };
  state.installed = installed;
  return installed;
}
