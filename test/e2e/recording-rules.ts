import type { Rule } from "./rule.ts";
import { difference } from "./trial.ts";

/** What has to hold while a run is recorded, and of what is the same code in record and replay. */
export const RECORDING_RULES: readonly Rule[] = [
  {
    rule: 2,
    says: "one delivery per turn, in record too",
    trial: { program: "shared-settle" },
    edits: [{ package: "capture", symbol: "RecordGate.offer", change: { condition: "true", of: "#busy" } }],
  },
  {
    rule: 3,
    says: "a turn is in use from any call of the agent into the shell",
    trial: { program: "before-exit" },
    edits: [{ package: "capture", symbol: "RecordGate.touch", change: { body: "" } }],
  },
  {
    rule: 4,
    says: "journal at delivery, not at arrival",
    trial: { program: "late-draws" },
    edits: [
      {
        package: "capture",
        symbol: "RecordGate.offer",
        change: { first: "if (!this.#closed) journalDelivery(this.#journal, delivery);" },
      },
      {
        package: "capture",
        symbol: "RecordGate.enter",
        change: { first: "if (!this.#closed) journalDelivery(this.#journal, delivery);" },
      },
      { package: "capture", symbol: "RecordGate.#fire", change: { call: "journalDelivery", becomes: "undefined" } },
    ],
  },
  {
    rule: 5,
    says: "ids are creation numbers",
    trial: { program: "timers-crossed", flags: ["--timeout", "8"] },
    edits: [
      { package: "capture", symbol: "LiveSource.next", change: { value: "0", of: "n" } },
      { package: "replay", symbol: "TapeSource.next", change: { value: "0", of: "n" } },
    ],
  },
  {
    rule: 7,
    says: "on abort the shell rejects by itself, synchronously",
    trial: { program: "abort-storm" },
    wrong: (recorded, replayed) =>
      / false /.test(recorded.stdout) ? "it rejects for another reason" : difference(recorded, replayed),
    edits: [
      {
        package: "capture",
        symbol: "shell.onAbort",
        change: { first: "if (!over && signal !== null) return source.stop(signal.reason);" },
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
        package: "capture",
        symbol: "callFetch",
        change: { condition: 'signal?.aborted && draft.via !== "fetch"', of: "aborted" },
      },
    ],
  },
  {
    rule: 7,
    says: "on abort the shell errors the body by itself",
    trial: { program: "aborted-body" },
    wrong: (recorded, replayed) =>
      recorded.stdout.endsWith("enough\n") ? difference(recorded, replayed) : `recorded ${recorded.stdout}`,
    edits: [{ package: "capture", symbol: "shell.onAbort", change: { call: "body.fail", becomes: "undefined" } }],
  },
  {
    rule: 10,
    says: "the pump runs in the run's context",
    trial: { program: "throwing-callbacks", flags: ["--timeout", "8"] },
    edits: [{ package: "capture", symbol: "Run.enter", change: { call: "within", becomes: "fn()" } }],
  },
  {
    rule: 11,
    says: "the live transport's own draws pass through",
    trial: { program: "drawn-beside-fetch" },
    edits: [{ package: "capture", symbol: "LiveExchange.constructor", change: { call: "live", becomes: "($1)()" } }],
  },
  {
    rule: 11,
    says: "draws and timers of a tool's body are its own",
    trial: { program: "tool-bodies", flags: ["--timeout", "8"] },
    edits: [{ package: "capture", symbol: "callTool", change: { value: "frame.scope", of: "scope" } }],
  },
  {
    rule: 13,
    says: "a synchronous tool gives its value in the same turn",
    trial: { program: "same-value" },
    edits: [{ package: "capture", symbol: "serve", change: { condition: "call.sync && failed", of: "sync" } }],
  },
  {
    rule: 13,
    says: "an object that is returned twice is one object",
    trial: { program: "same-value" },
    edits: [{ package: "replay", symbol: "TapeSource.#value", change: { value: "undefined", of: "earlier" } }],
  },
];
