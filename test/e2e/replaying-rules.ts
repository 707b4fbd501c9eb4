import type { Rule } from "./rule.ts";
import type { Recorded, Replayed } from "./trial.ts";

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

const DROPPED = { program: "dropped-call", changed: ["without-d"], flags: ["--timeout", "8"] };

/** What has to hold when a replayed program does something else, and when it ends. */
export const REPLAYING_RULES: readonly Rule[] = [
  {
    rule: 16,
    says: "never poll: a parked gate lets the loop run empty",
    trial: DROPPED,
    wrong: degraded("d"),
    edits: [
      { package: "replay", symbol: "ReplayGate.#pump", change: { call: "#unordered", becomes: "(this.#arm(), $&)" } },
    ],
  },
  {
    rule: 17,
    says: "idle is exact: what is owed at beforeExit is a divergence",
    trial: DROPPED,
    wrong: degraded("d"),
    edits: [{ package: "replay", symbol: "startReplay", change: { call: "session.idle", becomes: "undefined" } }],
  },
  {
    rule: 18,
    says: "a watchdog where a listening server keeps the loop alive",
    trial: { program: "dropped-call-beside-server", changed: ["without-b"], flags: ["--timeout", "8"] },
    wrong: degraded("b"),
    edits: [
      { package: "replay", symbol: "Session.#serve", change: { call: "source.gate.watch", becomes: "undefined" } },
    ],
  },
  {
    rule: 19,
    says: "degraded, what is owed is released in recorded order",
    trial: DROPPED,
    wrong: degraded("d"),
    edits: [{ package: "replay", symbol: "ReplayGate.#nextOf", change: { condition: "true", of: "isOf" } }],
  },
  {
    rule: 19,
    says: "degraded, what is owed is released at all",
    trial: DROPPED,
    wrong: degraded("d"),
    edits: [{ package: "replay", symbol: "ReplayGate.#unordered", change: { call: "#anything", becomes: "false" } }],
  },
  {
    rule: 20,
    says: "standard output is compared",
    trial: { program: "output-only", changed: ["another output"] },
    wrong: diverges("output-changed"),
    edits: [{ package: "replay", symbol: "compareText", change: { condition: "true", of: "isSameContent" } }],
  },
  {
    rule: 20,
    says: "exit codes are compared",
    trial: { program: "output-only", changed: ["", "5"] },
    wrong: diverges("exit-code-changed"),
    edits: [{ package: "replay", symbol: "compareEnding", change: { call: "compareExitCode", becomes: "undefined" } }],
  },
  {
    rule: 22,
    says: "ports of the program itself are let pass",
    trial: { program: "own-server" },
    edits: [{ package: "replay", symbol: "guardSockets", change: { call: "isOwn", becomes: "false" } }],
  },
  {
    rule: 24,
    says: "a verdict needs substance",
    trial: { program: "killed-in-first-call", changed: ["crash"] },
    wrong: diverges("no-substance"),
    edits: [{ package: "replay", symbol: "outcomeOf", change: { call: "reportNoSubstance", becomes: "undefined" } }],
  },
];
