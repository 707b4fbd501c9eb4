import { CatalogError } from "../catalog/catalog-error.ts";
import type { Filter } from "../catalog/filter.ts";
import { parseDuration } from "../duration.ts";

const AROUND = 15 * 60_000;

/**
 * Runs that were under way around a time: `2026-11-20T16:00±1h` (`+-1h` will do; without it ±15 minutes). A time
 * without a zone is in the zone of this process. Throws `CatalogError` with `BAD_FILTER`.
 */
export function parseMoment(text: string): Filter {
  const [, time = "", around] = /^(.+?)(?:\s*(?:±|\+-|\+\/-)\s*([0-9.a-z]+))?$/.exec(text.trim()) ?? [];
  const at = Date.parse(time);
  const width = around === undefined ? AROUND : parseDuration(around);
  if (Number.isNaN(at) || width === null)
    throw new CatalogError("BAD_FILTER", `${text} is no moment: 2026-11-20T16:00±1h`);
  const neverEnded: Filter = { is: "not", of: { is: "number", field: "ended", op: ">=", value: 0 } };
  return {
    is: "all",
    of: [
      { is: "number", field: "started", op: "<=", value: at + width },
      { is: "any", of: [{ is: "number", field: "ended", op: ">=", value: at - width }, neverEnded] },
    ],
  };
}
