import type { RedactedPlace } from "@reenact/envelope";
import { ruleReason } from "@reenact/node";
import type { ShownStep } from "../shown-step.ts";
import { oneLine } from "./terminal-text.ts";
import { redactedLine, tokenMarks } from "./token-marks.ts";

/** What was replaced in one step, as `show --redactions --json` gives it. */
export interface StepRedactions {
  readonly step: number;
  readonly name: string;
  readonly policy: string;
  readonly rules: string;
  readonly kid: string;
  readonly counts: Readonly<Record<string, number>>;
  /** null: the recorder was too old to say */
  readonly places: readonly RedactedPlace[] | null;
}

/** The steps in which something was replaced. */
export function redactionsOf(steps: readonly ShownStep[]): StepRedactions[] {
  return steps.flatMap(({ step, name, record }) => {
    const { redacted } = record ?? {};
    if (redacted === undefined || Object.keys(redacted.counts).length === 0) return [];
    const { policy, rules, kid, counts, places = null } = redacted;
    return [{ step, name, policy, rules, kid, counts, places }];
  });
}

/** No values: rule, number, place, and once per rule what it finds. */
export function printRedactions(all: readonly StepRedactions[]): string {
  const marked = tokenMarks();
  const lines: string[] = [];
  const rules = new Set<string>();
  for (const { step, name, counts, places } of all) {
    lines.push(`step ${step}  ${oneLine(marked(name), 60)}  ${redactedLine(counts)}`);
    for (const { at, rule, type, n } of places ?? []) {
      rules.add(rule);
      const where = at === "" ? "(further places)" : oneLine(marked(at), 120);
      lines.push(`  ${rule.padEnd(24)} ${type.padEnd(16)} ${String(n).padStart(4)}  ${where}`);
    }
    if (places === null) lines.push("  by which rules and where was not recorded");
  }
  const [first] = all;
  if (first === undefined) return "nothing was replaced in the steps of this run\n";
  if (rules.size > 0) lines.push("");
  for (const rule of [...rules].toSorted()) lines.push(`${rule}: ${ruleReason(rule)}`);
  const sets = new Set(
    all.map((each) => `policy ${oneLine(each.policy, 64)}, rule set ${each.rules}, key ${each.kid}`),
  );
  lines.push("", ...sets, 'Switch a rule off with `redaction: { off: ["<rule>"] }` in reenact.config.ts');
  return `${lines.join("\n")}\n`;
}
