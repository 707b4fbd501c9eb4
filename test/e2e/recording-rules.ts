import type { Rule } from "./rule.ts";
import { difference } from "./trial.ts";

const RECORD_GATE = "capture/src/record-gate.ts";

/** What has to hold while a run is recorded, and of what is the same code in record and replay. */
export const RECORDING_RULES: readonly Rule[] = [
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
];
