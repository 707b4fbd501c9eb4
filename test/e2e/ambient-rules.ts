import type { Rule } from "./rule.ts";
import { difference } from "./trial.ts";

/** Clock, random values, timers and real operations: the same code in record and replay. */
export const AMBIENT_RULES: readonly Rule[] = [
  {
    rule: 8,
    says: "AbortSignal.timeout is a controller over a gated timer",
    trial: { program: "deadline-loop", flags: ["--timeout", "8"] },
    edits: [
      {
        file: "capture/abort-timeout.ts",
        find: "if (frame === null || !Number.isInteger(delay)",
        replace: "if (frame !== undefined || !Number.isInteger(delay)",
      },
    ],
  },
  {
    rule: 8,
    says: "the timer of AbortSignal.timeout keeps no process alive",
    trial: { program: "unheard-deadline" },
    wrong: (recorded, replayed) =>
      recorded.stdout.endsWith("rang false\n") ? difference(recorded, replayed) : `recorded ${recorded.stdout}`,
    edits: [{ file: "capture/abort-timeout.ts", find: ".setReferenced(false)", replace: "" }],
  },
  {
    rule: 8,
    says: "a stream's cancel resolves at once; the live cancel goes on behind it",
    trial: { program: "cancelled-body" },
    edits: [
      {
        file: "capture/body.ts",
        find: "if (!ends.over()) ends.cancelled(why);",
        replace:
          'if (ends.over()) return;\n ends.cancelled(why);\n return step.answer.from === "live" ? new Promise<void>((done) => process.nextTick(done)) : undefined;',
      },
    ],
  },
  {
    rule: 9,
    says: "all timers are gated: setImmediate",
    trial: { program: "polling-loops", flags: ["--timeout", "8"] },
    edits: [
      {
        file: "capture/timers.ts",
        find: 'if (frame === null || typeof callback !== "function") return real(callback, ...args);',
        replace: "if (frame !== undefined) return real(callback, ...args);",
      },
    ],
  },
  {
    rule: 9,
    says: "no real timer in a replay",
    trial: { program: "long-sleep" },
    wrong: (recorded, replayed) =>
      difference(recorded, replayed) ??
      (replayed.report.durationMs < 1500 ? null : `the replay slept: ${replayed.report.durationMs} ms`),
    edits: [
      {
        file: "replay/tape-source.ts",
        find: "readonly virtualTimers = true;",
        replace: "readonly virtualTimers = false;",
      },
    ],
  },
  {
    rule: 9,
    says: "all timers are gated: setTimeout and setInterval",
    trial: { program: "timers-crossed", flags: ["--timeout", "8"] },
    edits: [
      {
        file: "capture/timers.ts",
        find: 'if (frame === null || typeof callback !== "function") return real(callback, delay, ...args);',
        replace: "if (frame !== undefined) return real(callback, delay, ...args);",
      },
    ],
  },
  {
    rule: 9,
    says: "all timers are gated: timers/promises",
    trial: { program: "timers-crossed", flags: ["--timeout", "8"] },
    edits: [
      {
        file: "capture/timer-promises.ts",
        find: "if (frame === null || !isPlain(delay, options)) return real(delay, value, options);",
        replace: "if (frame !== undefined) return real(delay, value, options);",
      },
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
    edits: [
      {
        file: "capture/gated-timer.ts",
        find: "resource.runInAsyncScope(this.#plan.callback);",
        replace: "this.#plan.callback();",
      },
    ],
  },
  {
    rule: 12,
    says: "one queue of draws per kind",
    trial: { program: "mixed-draws" },
    edits: [
      {
        file: "replay/journal-tape.ts",
        find: "const key = kind + scope;",
        replace: "const key = String(scope);",
      },
      { file: "replay/journal-tape.ts", find: ".get(kind + scope)", replace: ".get(String(scope))" },
    ],
  },
  {
    rule: 12,
    says: "values in order for each interval between two deliveries",
    trial: { program: "mixed-draws" },
    edits: [
      {
        file: "replay/journal-tape.ts",
        find: 'if (e.k === "s") continue;\n      this.#intervals',
        replace: 'if (e.k !== "s") continue;\n      this.#intervals',
      },
    ],
  },
  {
    rule: 12,
    says: "a draw that the record does not hold is told, though nothing shows it",
    trial: { program: "more-draws", changed: ["more"] },
    wrong: (_, { code, report }) =>
      code === 10 && report.divergence?.verdict === "draw" ? null : `exit ${code}: ${report.verdict}`,
    edits: [
      {
        file: "replay/tape-source.ts",
        find: "if (!this.#tape.complete || this.gate.degraded) return;",
        replace: "if (this.#tape !== undefined) return;",
      },
    ],
  },
  {
    rule: 12,
    says: "a clock that is asked too often repeats its last value",
    trial: { program: "more-draws", changed: ["more"] },
    wrong: (recorded, replayed) =>
      replayed.stdout === recorded.stdout ? null : `printed ${replayed.stdout}, recorded ${recorded.stdout}`,
    edits: [
      {
        file: "replay/fallback-draw.ts",
        find: "const value = last.get(kind) ?? real();",
        replace: "const value = real();",
      },
    ],
  },
  {
    rule: 14,
    says: "the completion of a real operation is gated",
    trial: { program: "files-beside-turns" },
    edits: [
      {
        file: "capture/ordered-operations.ts",
        find: "if (frame === null) return",
        replace: "if (frame !== undefined) return",
      },
      {
        file: "capture/ordered-operations.ts",
        find: "if (frame === null || at === -1) return",
        replace: "if (frame !== undefined) return",
      },
    ],
  },
  {
    rule: 15,
    says: "everything else that wakes the agent is caught by async_hooks",
    trial: { program: "native-wake-ups" },
    edits: [{ file: "capture/native-wakeups.ts", find: "starts.enable();", replace: "" }],
  },
];
