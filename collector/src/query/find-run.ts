import { expiryOf } from "../retain/retention-times.ts";
import type { RunRow } from "../catalog/run-row.ts";
import { ApiError } from "./api-error.ts";
import type { ReadDeps } from "./api-deps.ts";

/** Ids that an `AMBIGUOUS` names. */
const CANDIDATES = 4;

/** The run whose id begins so, sealed or open; `local` false: not one of a local folder. Throws `BAD_REQUEST`, `NOT_FOUND` or `AMBIGUOUS`. */
export async function findRun(
  { catalog, open, times }: Pick<ReadDeps, "catalog" | "open" | "times">,
  tenant: string,
  prefix: string,
  local = true,
): Promise<RunRow> {
  if (!/^[0-9a-f]{4,32}$/.test(prefix))
    throw new ApiError("BAD_REQUEST", `${JSON.stringify(prefix.slice(0, 40))} is not 4 to 32 digits of a run's id`);
  if (prefix.length === 32) {
    const row = await catalog.get(tenant, prefix);
    if (row) return row;
  }
  const { rows } = await catalog.find(
    { tenant, filter: { is: "starts", field: "run", prefix } },
    { limit: CANDIDATES },
  );
  const live = await open.rows(tenant, prefix, local);
  const found = [...rows, ...live.filter(({ run }) => rows.every((row) => row.run !== run))];
  if (found.length > 1) {
    const ids = found.slice(0, CANDIDATES).map(({ run }) => run);
    const number = found.length < CANDIDATES ? `${found.length} runs` : `${CANDIDATES} runs or more`;
    throw new ApiError("AMBIGUOUS", `${prefix} begins the ids of ${number}: ${ids.join(", ")}`);
  }
  if (found[0]) return found[0];
  const days = (ms: number) => `${Math.round(ms / 864_000) / 100} days`;
  const kept = `short is kept ${days(times.short)}, sample ${days(times.sample)}`;
  throw new ApiError("NOT_FOUND", `there is no run ${prefix}; it was never received, or it has expired (${kept})`);
}

/** The error for a run whose row exists and whose pack is gone. */
export function expired(
  { run, class: kept, parts }: RunRow,
  { times, now = Date.now }: Pick<ReadDeps, "times" | "now">,
): ApiError {
  const key = parts.at(-1)?.key ?? "";
  const at = expiryOf(key, times);
  if (at === null || at > now()) {
    const until = at === null ? "for ever" : `until ${new Date(at).toISOString().slice(0, 10)}`;
    return new ApiError(
      "PACK_MISSING",
      `the pack of run ${run} is not in the store: ${key}, class ${kept}, to be kept ${until}`,
    );
  }
  const on = `expired on ${new Date(at).toISOString().slice(0, 10)}`;
  return new ApiError("EXPIRED", `run ${run} ${on}, class ${kept}; kept copies: none`);
}
