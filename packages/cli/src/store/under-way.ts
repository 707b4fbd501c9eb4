import { endTime } from "@reenact/envelope";
import type { Manifest } from "./run-files.ts";

/** Whether a run was under way at some moment from `from` to `to`, both in milliseconds since the epoch and included. */
export function isUnderWay(
  { started, ended }: Pick<Manifest, "started" | "ended">,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  const ms = (nano: bigint) => Number(nano / 1_000_000n);
  const start = BigInt(started);
  const end = endTime(start, BigInt(ended ?? 0));
  return ms(start) <= to && (end === null || ms(end) >= from);
}
