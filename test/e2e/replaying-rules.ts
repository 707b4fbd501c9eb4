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

const REPLAY_GATE = "replay/replay-gate.ts";
const DROPPED = { program: "dropped-call", changed: ["without-d"], flags: ["--timeout", "8"] };

/** What has to hold when a replayed program does something else, and when it ends. */
export const REPLAYING_RULES: readonly Rule[] = [
  {
    rule: 16,
    says: "never poll: a parked gate lets the loop run empty",
    trial: DROPPED,
    wrong: degraded("d"),
    edits: [
      {
        file: REPLAY_GATE,
        find: "this.#unordered(false);",
        replace: "this.#arm();\n    this.#unordered(false);",
      },
    ],
  },
  {
    rule: 17,
    says: "idle is exact: what is owed at beforeExit is a divergence",
    trial: DROPPED,
    wrong: degraded("d"),
    edits: [{ file: "replay/start.ts", find: "session.idle()", replace: "{}" }],
  },
  {
    rule: 18,
    says: "a watchdog where a listening server keeps the loop alive",
    trial: { program: "dropped-call-beside-server", changed: ["without-b"], flags: ["--timeout", "8"] },
    wrong: degraded("b"),
    edits: [{ file: "replay/session.ts", find: "source.gate.watch();", replace: "" }],
  },
  {
    rule: 19,
    says: "degraded, what is owed is released in recorded order",
    trial: DROPPED,
    wrong: degraded("d"),
    edits: [{ file: REPLAY_GATE, find: 'if (e.k === "s" || !isOf(e)) continue;', replace: "continue;" }],
  },
  {
    rule: 19,
    says: "degraded, what is owed is released at all",
    trial: DROPPED,
    wrong: degraded("d"),
    edits: [{ file: REPLAY_GATE, find: "this.degraded && this.#anything(alive)", replace: "false" }],
  },
  {
    rule: 20,
    says: "standard output is compared",
    trial: { program: "output-only", changed: ["another output"] },
    wrong: diverges("output-changed"),
    edits: [
      {
        file: "replay/effects.ts",
        find: "if ((recorded.bytes === 0 && now.bytes === 0) || isSameContent(ledger, recorded, now)) return;",
        replace: "if (recorded.bytes >= 0) return;",
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
        file: "replay/outcome.ts",
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
        file: "replay/guard.ts",
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
    edits: [{ file: "replay/outcome.ts", find: "if (served.length === 0", replace: "if (served.length < 0" }],
  },
];
