import type { Rule } from "./rule.ts";
import { difference } from "./trial.ts";

const RECORD_GATE = "capture/record-gate.ts";

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
        find: "    if (!this.#closed) journalDelivery(this.#journal, delivery);\n    this.#turns.delivered(delivery);",
        replace: "    this.#turns.delivered(delivery);",
      },
    ],
  },
  {
    rule: 5,
    says: "ids are creation numbers",
    trial: { program: "timers-crossed", flags: ["--timeout", "8"] },
    edits: ["capture/live-source.ts", "replay/tape-source.ts"].map((file) => ({
      file,
      find: "const n = this.#created.get(key) ?? 0;",
      replace: "const n = 0;",
    })),
  },
  {
    rule: 7,
    says: "on abort the shell rejects by itself, synchronously",
    trial: { program: "abort-storm" },
    wrong: (recorded, replayed) =>
      / false /.test(recorded.stdout) ? "it rejects for another reason" : difference(recorded, replayed),
    edits: [
      {
        file: "capture/fetch.ts",
        find: "    if (over) return;\n    finish();\n    const reason",
        replace:
          "    if (over) return;\n    if (signal !== null) return source.stop(signal.reason);\n    finish();\n    const reason",
      },
    ],
  },
  {
    rule: 7,
    says: "aborted already: it rejects at once, and nothing is sent",
    trial: { program: "abort-storm" },
    wrong: (recorded, replayed) =>
      recorded.stdout.startsWith("aborted already Error true enough\n")
        ? difference(recorded, replayed)
        : `recorded ${recorded.stdout.slice(0, 100)}`,
    edits: [
      {
        file: "capture/fetch.ts",
        find: "if (signal?.aborted) {",
        replace: 'if (signal?.aborted && draft.via !== "fetch") {',
      },
    ],
  },
  {
    rule: 7,
    says: "on abort the shell errors the body by itself",
    trial: { program: "aborted-body" },
    wrong: (recorded, replayed) =>
      recorded.stdout.endsWith("enough\n") ? difference(recorded, replayed) : `recorded ${recorded.stdout}`,
    edits: [{ file: "capture/fetch.ts", find: "else body.fail(reason);", replace: "" }],
  },
  {
    rule: 10,
    says: "the pump runs in the run's context",
    trial: { program: "throwing-callbacks", flags: ["--timeout", "8"] },
    edits: [{ file: "capture/run.ts", find: "within(this.frame, fn);", replace: "fn();" }],
  },
  {
    rule: 11,
    says: "the live transport's own draws pass through",
    trial: { program: "drawn-beside-fetch" },
    edits: [
      {
        file: "capture/live-exchange.ts",
        find: "live(async () => fetch(...(await request.send(this.#abort.signal))))",
        replace: "(async () => fetch(...(await request.send(this.#abort.signal))))()",
      },
    ],
  },
  {
    rule: 11,
    says: "draws and timers of a tool's body are its own",
    trial: { program: "tool-bodies", flags: ["--timeout", "8"] },
    edits: [{ file: "capture/tool-call.ts", find: "scope: step.index,", replace: "scope: frame.scope," }],
  },
  {
    rule: 13,
    says: "a synchronous tool gives its value in the same turn",
    trial: { program: "same-value" },
    edits: [{ file: "capture/function-step.ts", find: "if (call.sync) {", replace: "if (call.sync && failed) {" }],
  },
  {
    rule: 13,
    says: "an object that is returned twice is one object",
    trial: { program: "same-value" },
    edits: [
      {
        file: "replay/tape-source.ts",
        find: "call.same === undefined ? undefined : this.#given.get(call.same)",
        replace: "undefined",
      },
    ],
  },
];
