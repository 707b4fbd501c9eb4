import { ruleReason } from "@reenact/node";
import { oneLine, redactedLine, type StepRedactions, tokenMarks } from "@reenact/view";

/** Lists per step which rule replaced how many values at which place, then what each rule finds. Prints no values. */
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
