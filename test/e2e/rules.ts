import { difference, type Recorded, type Replayed, type Trial } from "./trial.ts";

/** An exact text of a source file under `packages`, and what stands there when the rule is taken out. */
export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** A rule of order, the program that needs it, and the edits that take it out. */
export interface Rule {
  readonly rule: number;
  readonly says: string;
  readonly trial: Omit<Trial, "env">;
  /** what is wrong; null if the rule holds. Default: the replay is not identical */
  readonly wrong?: (recorded: Recorded, replayed: Replayed) => string | null;
  readonly edits: readonly Edit[];
}

/** The calls that are left are delivered in recorded order, and the one that never came is named. */
function degraded(dropped: string) {
  return (recorded: Recorded, { stdout, report }: Replayed): string | null => {
    if (report.divergence?.verdict !== "missing") return `the verdict is ${JSON.stringify(report.divergence)}`;
    return stdout === recorded.stdout.replace(`${dropped}\n`, "")
      ? null
      : `printed ${JSON.stringify(stdout)}, recorded ${JSON.stringify(recorded.stdout)}`;
  };
}

function diverges(verdict: string) {
  return (_: Recorded, { code, report }: Replayed): string | null =>
    code === 10 && report.divergence?.verdict === verdict
      ? null
      : `exit ${code}: ${report.verdict} ${JSON.stringify(report.divergence)}`;
}

const RECORD_GATE = "capture/src/record-gate.ts";
const REPLAY_GATE = "replay/src/replay-gate.ts";
const DROPPED = { program: "dropped-call", changed: ["without-d"], flags: ["--timeout", "8"] };

export const RULES: readonly Rule[] = [
  {
    rule: 2,
    says: "one delivery per turn, in record too",
    trial: { program: "shared-settle" },
    edits: [
      {
        file: RECORD_GATE,
        find: "if (!this.#busy && this.#queue.length === 0) {",
        replace: "if (this !== undefined) {",
      },
    ],
  },
  {
    rule: 3,
    says: "a turn is in use from any call of the agent into the shell",
    trial: { program: "before-exit" },
    edits: [
      {
        file: RECORD_GATE,
        find: "touch(): void {\n    this.#busy = true;\n    this.#arm();\n  }",
        replace: "touch(): void {}",
      },
    ],
  },
  {
    rule: 4,
    says: "journal at delivery, not at arrival",
    trial: { program: "late-draws" },
    edits: [
      {
        file: RECORD_GATE,
        find: "offer(delivery: Delivery): void {",
        replace: "offer(delivery: Delivery): void {\n    if (!this.#closed) journalDelivery(this.#journal, delivery);",
      },
      {
        file: RECORD_GATE,
        find: "enter(delivery: Delivery): void {",
        replace: "enter(delivery: Delivery): void {\n    if (!this.#closed) journalDelivery(this.#journal, delivery);",
      },
      {
        file: RECORD_GATE,
        find: "    if (!this.#closed) journalDelivery(this.#journal, delivery);\n    delivery.fire();",
        replace: "    delivery.fire();",
      },
    ],
  },
  {
    rule: 5,
    says: "ids are creation numbers",
    trial: { program: "timers-crossed", flags: ["--timeout", "8"] },
    edits: ["capture/src/live-source.ts", "replay/src/tape-source.ts"].map((file) => ({
      file,
      find: "const n = this.#created.get(key) ?? 0;",
      replace: "const n = 0;",
    })),
  },
  {
    rule: 7,
    says: "on abort the shell rejects by itself, synchronously",
    trial: { program: "abort-storm" },
    edits: [
      {
        file: "capture/src/transport/fetch.ts",
        find: "    if (over) return;\n    finish();\n    const reason",
        replace:
          "    if (over) return;\n    if (signal !== null) return source.stop(signal.reason);\n    finish();\n    const reason",
      },
    ],
  },
  {
    rule: 8,
    says: "AbortSignal.timeout is a controller over a gated timer",
    trial: { program: "deadline-loop", flags: ["--timeout", "8"] },
    edits: [
      {
        file: "capture/src/ambient/abort-timeout.ts",
        find: "if (frame === null || !Number.isInteger(delay)",
        replace: "if (frame !== undefined || !Number.isInteger(delay)",
      },
    ],
  },
  {
    rule: 9,
    says: "all timers are gated: setImmediate",
    trial: { program: "polling-loops", flags: ["--timeout", "8"] },
    edits: [
      {
        file: "capture/src/ambient/timers.ts",
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
        file: "replay/src/tape-source.ts",
        find: "readonly virtualTimers = true;",
        replace: "readonly virtualTimers = false;",
      },
    ],
  },
  {
    rule: 10,
    says: "the pump runs in the run's context",
    trial: { program: "throwing-callbacks", flags: ["--timeout", "8"] },
    edits: [{ file: "capture/src/run.ts", find: "within(this.frame, fn);", replace: "fn();" }],
  },
  {
    rule: 11,
    says: "the live transport's own draws pass through",
    trial: { program: "drawn-beside-fetch" },
    edits: [
      {
        file: "capture/src/transport/live-exchange.ts",
        find: "live(async () => fetch(...(await request.send(this.#abort.signal))))",
        replace: "(async () => fetch(...(await request.send(this.#abort.signal))))()",
      },
    ],
  },
  {
    rule: 11,
    says: "draws and timers of a tool's body are its own",
    trial: { program: "tool-bodies", flags: ["--timeout", "8"] },
    edits: [{ file: "capture/src/tool.ts", find: "scope: step.index,", replace: "scope: frame.scope," }],
  },
  {
    rule: 12,
    says: "one queue of draws per kind",
    trial: { program: "mixed-draws" },
    edits: [
      {
        file: "replay/src/journal-tape.ts",
        find: "const key = e.kind + e.scope;",
        replace: "const key = String(e.scope);",
      },
      { file: "replay/src/journal-tape.ts", find: ".get(kind + scope)", replace: ".get(String(scope))" },
    ],
  },
  {
    rule: 13,
    says: "a synchronous tool gives its value in the same turn",
    trial: { program: "same-value" },
    edits: [{ file: "capture/src/function-step.ts", find: "if (call.sync) {", replace: "if (call.sync && failed) {" }],
  },
  {
    rule: 13,
    says: "an object that is returned twice is one object",
    trial: { program: "same-value" },
    edits: [
      {
        file: "replay/src/tape-source.ts",
        find: "call.same === undefined ? undefined : this.#given.get(call.same)",
        replace: "undefined",
      },
    ],
  },
  {
    rule: 14,
    says: "the completion of a real operation is gated",
    trial: { program: "files-beside-turns" },
    edits: [
      {
        file: "capture/src/ambient/ordered-operations.ts",
        find: "if (frame === null) return",
        replace: "if (frame !== undefined) return",
      },
      {
        file: "capture/src/ambient/ordered-operations.ts",
        find: "if (frame === null || at === -1) return",
        replace: "if (frame !== undefined) return",
      },
    ],
  },
  {
    rule: 15,
    says: "everything else that wakes the agent is caught by async_hooks",
    trial: { program: "native-wake-ups" },
    edits: [{ file: "capture/src/ambient/foreign.ts", find: "hook.enable();", replace: "" }],
  },
  {
    rule: 16,
    says: "never poll: a parked gate lets the loop run empty",
    trial: DROPPED,
    wrong: degraded("d"),
    edits: [
      {
        file: REPLAY_GATE,
        find: "if (this.#degraded) this.#anything();",
        replace: "this.#arm();\n    if (this.#degraded) this.#anything();",
      },
    ],
  },
  {
    rule: 17,
    says: "idle is exact: what is owed at beforeExit is a divergence",
    trial: DROPPED,
    wrong: degraded("d"),
    edits: [{ file: "replay/src/start.ts", find: "session.idle()", replace: "{}" }],
  },
  {
    rule: 18,
    says: "a watchdog where a listening server keeps the loop alive",
    trial: { program: "dropped-call-beside-server", changed: ["without-b"], flags: ["--timeout", "8"] },
    wrong: degraded("b"),
    edits: [{ file: "replay/src/session.ts", find: "source.gate.watch();", replace: "" }],
  },
  {
    rule: 19,
    says: "degraded, what is owed is released in recorded order",
    trial: DROPPED,
    wrong: degraded("d"),
    edits: [{ file: REPLAY_GATE, find: 'if (e.k === "s" || e.k === "f") continue;', replace: "continue;" }],
  },
  {
    rule: 19,
    says: "degraded, what is owed is released at all",
    trial: DROPPED,
    wrong: degraded("d"),
    edits: [{ file: REPLAY_GATE, find: "if (this.#degraded) this.#anything();", replace: "" }],
  },
  {
    rule: 20,
    says: "standard output is compared",
    trial: { program: "output-only", changed: ["another output"] },
    wrong: diverges("output-changed"),
    edits: [
      {
        file: "replay/src/outcome.ts",
        find: "root.stdout.sha256 !== ending.stdout.sha256",
        replace: "root.stdout === null",
      },
    ],
  },
  {
    rule: 20,
    says: "exit codes are compared",
    trial: { program: "output-only", changed: ["", "5"] },
    wrong: diverges("exit-code-changed"),
    edits: [
      {
        file: "replay/src/outcome.ts",
        find: "recordedCode !== ending.exitCode",
        replace: "recordedCode === undefined",
      },
    ],
  },
  {
    rule: 22,
    says: "ports of the program itself are let pass",
    trial: { program: "own-server" },
    edits: [
      {
        file: "replay/src/guard.ts",
        find: "path === undefined && isOwnAddress(",
        replace: "path === null && isOwnAddress(",
      },
    ],
  },
  {
    rule: 24,
    says: "a verdict needs substance",
    trial: { program: "killed-in-first-call", changed: ["crash"] },
    wrong: diverges("no-substance"),
    edits: [{ file: "replay/src/outcome.ts", find: "if (served.length === 0", replace: "if (served.length < 0" }],
  },
];
