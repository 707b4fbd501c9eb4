import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { CollectorError } from "../collector-error.ts";
import { type RetentionRule, retentionRules } from "./retention-rules.ts";

/** Rules from a YAML or JSON file. Throws `CollectorError` with `BAD_CONFIG` that names file and place. */
export function loadRules(file: string): readonly RetentionRule[] {
  const wrong = (why: string, cause?: unknown) =>
    new CollectorError(
      "BAD_CONFIG",
      `retention rules (${file}): ${why}`,
      `correct ${file}; OPERATIONS.md shows each condition`,
      { cause },
    );
  let value: unknown;
  try {
    value = parse(readFileSync(file, "utf8"), { maxAliasCount: 0 }) as unknown;
  } catch (cause) {
    throw wrong(cause instanceof Error ? cause.message.split("\n")[0]! : String(cause), cause);
  }
  const parsed = retentionRules.safeParse(value ?? { rules: [] });
  if (parsed.success) return parsed.data.rules;
  const issue = parsed.error.issues[0]!;
  throw wrong(`${issue.path.join(".")}: ${issue.message}`, parsed.error);
}
