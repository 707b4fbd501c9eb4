import { readFileSync } from "node:fs";
import { type ModelPrices, modelPrices } from "@reenact/envelope/schema";
import { parse } from "yaml";
import { CollectorError } from "../collector-error.ts";

/** Prices of models from a YAML or JSON file. Throws `CollectorError` with `BAD_CONFIG`. */
export function loadPrices(file: string): ModelPrices {
  let value: unknown;
  try {
    value = parse(readFileSync(file, "utf8"), { maxAliasCount: 0 }) as unknown;
  } catch (cause) {
    throw wrong(file, cause instanceof Error ? cause.message.split("\n")[0]! : String(cause), cause);
  }
  const parsed = modelPrices.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw wrong(file, `${issue.path.join(".")}: ${issue.message}`, parsed.error);
}

function wrong(file: string, why: string, cause: unknown): CollectorError {
  return new CollectorError("BAD_CONFIG", `prices (${file}): ${why}`, `correct ${file}; OPERATIONS.md shows its form`, {
    cause,
  });
}
