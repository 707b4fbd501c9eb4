import { resolve } from "node:path";
import { CliError } from "../errors/cli-error.ts";
import { allowedOrigins } from "../replay/allowed-origins.ts";
import { loadPrices } from "../replay/load-prices.ts";
import type { LiveLimits } from "./live-budget.ts";

interface Flags {
  readonly allowLive?: boolean;
  readonly maxCost?: number;
  readonly prices?: string;
  readonly to: readonly string[];
}

/** What the flags of `reenact up` let its pages send; null: nothing. Throws where one of them is missing, or means nothing. */
export function liveLimits({ allowLive, maxCost, prices, to }: Flags, hasCommand: boolean): LiveLimits | null {
  if (allowLive !== true) {
    if (maxCost === undefined && prices === undefined && to.length === 0) return null;
    throw usage(
      "--max-cost, --prices and --to are of live replays, and the pages may send nothing",
      "add --allow-live",
    );
  }
  const line = "reenact up --allow-live --max-cost 0.50 --prices prices.json -- node agent.js";
  if (!hasCommand) throw usage("--allow-live: there is no command after -- that may be replayed", line);
  if (maxCost === undefined || prices === undefined)
    throw usage("--allow-live: pages spend nothing without --max-cost <usd> and --prices <file>", line);
  loadPrices(prices);
  allowedOrigins(to, {});
  return { maxCost, prices: resolve(prices), to };
}

const usage = (what: string, next: string): CliError => new CliError("REEN-USAGE", what, next);
