import { readFileSync } from "node:fs";
import { type ModelPrices, modelPrices } from "@reenact/envelope/schema";
import { CliError, messageOf } from "../errors/cli-error.ts";

const FORM = '{"version": "2026-01", "models": {"gpt-5": {"input": 1.25, "output": 10, "cached": 0.125}}}';

/** Prices of models from a JSON file, as the collector takes them. Dollars per million tokens. */
export function loadPrices(file: string): ModelPrices {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new CliError("REEN-USAGE", `--prices ${file}: ${messageOf(error)}`, `a JSON file: ${FORM}`);
  }
  const parsed = modelPrices.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CliError("REEN-USAGE", `--prices ${file}: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`, FORM);
}
