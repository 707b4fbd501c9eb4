import type { Rule } from "./rule.ts";
import { difference } from "./trial.ts";

/** Clock, random values, timers and real operations: the same code in record and replay. */
export const AMBIENT_RULES: readonly Rule[] = [
  {
    rule: 8,
    says: "AbortSignal.timeout is a controller over a gated timer",
    trial: { program: "deadline-loop", flags: ["--timeout", "8"] },
    edits: [
      { package: "capture", symbol: "installAbortTimeout.timeout", change: { condition: "true", of: "isInteger" } },
    ],
  },
  {
    rule: 8,
    says: "the timer of AbortSignal.timeout keeps no process alive",
    trial: { program: "unheard-deadline" },
    wrong: (recorded, replayed) =>
      recorded.stdout.endsWith("rang false\n") ? difference(recorded, replayed) : `recorded ${recorded.stdout}`,
    edits: [
      { package: "capture", symbol: "installAbortTimeout.timeout", change: { call: "setReferenced", becomes: "$0" } },
    ],
  },
  {
    rule: 8,
    says: "a stream's cancel resolves at once; the live cancel goes on behind it",
    trial: { program: "cancelled-body" },
    edits: [
      {
        package: "capture",
        symbol: "watchBody.cancel",
        change: {
          body: 'if (ends.over()) return; ends.cancelled(why); return step.answer.from === "live" ? new Promise((done) => process.nextTick(done)) : undefined;',
        },
      },
    ],
  },
  {
    rule: 9,
    says: "all timers are gated: setImmediate",
    trial: { program: "polling-loops", flags: ["--timeout", "8"] },
    edits: [
      { package: "capture", symbol: "installTimers.setImmediate", change: { condition: "true", of: "callback" } },
    ],
  },
  {
    rule: 9,
    says: "no real timer in a replay",
    trial: { program: "long-sleep" },
    wrong: (recorded, replayed) =>
      difference(recorded, replayed) ??
      (replayed.report.durationMs < 1500 ? null : `the replay slept: ${replayed.report.durationMs} ms`),
    edits: [{ package: "replay", symbol: "TapeSource", change: { value: "false", of: "virtualTimers" } }],
  },
  {
    rule: 9,
    says: "all timers are gated: setTimeout and setInterval",
    trial: { program: "timers-crossed", flags: ["--timeout", "8"] },
    edits: [{ package: "capture", symbol: "watchTimer", change: { condition: "true", of: "callback" } }],
  },
  {
    rule: 9,
    says: "all timers are gated: timers/promises",
    trial: { program: "timers-crossed", flags: ["--timeout", "8"] },
    edits: [
      { package: "capture", symbol: "installTimerPromises.setTimeout", change: { condition: "true", of: "isPlain" } },
    ],
  },
  {
    rule: 9,
    says: "callbacks run in their creator's context",
    trial: { program: "timer-contexts" },
    wrong: (recorded, replayed) =>
      ["timeout a in a", "timeout b in b", "immediate a in a"].every((line) => recorded.stdout.includes(line))
        ? difference(recorded, replayed)
        : `recorded ${recorded.stdout}`,
    edits: [{ package: "capture", symbol: "GatedTimer.#fire", change: { call: "runInAsyncScope", becomes: "$1()" } }],
  },
  {
    rule: 12,
    says: "one queue of draws per kind",
    trial: { program: "mixed-draws" },
    edits: [
      { package: "replay", symbol: "JournalTape.#addDraws", change: { value: "String(scope)", of: "key" } },
      { package: "replay", symbol: "JournalTape.draw", change: { call: "get", becomes: "$0?.get(String(scope))" } },
    ],
  },
  {
    rule: 12,
    says: "values in order for each interval between two deliveries",
    trial: { program: "mixed-draws" },
    edits: [{ package: "replay", symbol: "JournalTape.constructor", change: { condition: 'e.k !== "s"', of: '"s"' } }],
  },
  {
    rule: 12,
    says: "a draw that the record does not hold is told, though nothing shows it",
    trial: { program: "more-draws", changed: ["more"] },
    wrong: (_, { code, report }) =>
      code === 10 && report.divergence?.verdict === "draw" ? null : `exit ${code}: ${report.verdict}`,
    edits: [{ package: "replay", symbol: "TapeDraws.#missed", change: { condition: "true", of: "expectsNoEnd" } }],
  },
  {
    rule: 12,
    says: "a clock that is asked too often repeats its last value",
    trial: { program: "more-draws", changed: ["more"] },
    wrong: (recorded, replayed) =>
      replayed.stdout === recorded.stdout ? null : `printed ${replayed.stdout}, recorded ${recorded.stdout}`,
    edits: [{ package: "replay", symbol: "fallbackDraw", change: { value: "real()", of: "value" } }],
  },
  {
    rule: 14,
    says: "the completion of a real operation is gated",
    trial: { program: "files-beside-turns" },
    edits: [
      { package: "capture", symbol: "orderPromise", change: { condition: "true", of: "frame" } },
      { package: "capture", symbol: "orderCallback", change: { condition: "true", of: "at" } },
    ],
  },
  {
    rule: 15,
    says: "everything else that wakes the agent is caught by async_hooks",
    trial: { program: "native-wake-ups" },
    edits: [{ package: "capture", symbol: "installForeign", change: { call: "starts.enable", becomes: "undefined" } }],
  },
];
