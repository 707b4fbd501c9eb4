import { encodeValue } from "@reenact/envelope";
import type { RunContext } from "../../run/context.ts";

/** What was asked of a server outside of every run that is written, and what it answered. */
export interface OutsideExchange {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly value: unknown;
}

/** Bytes in the typed encoding: what a server is asked at its start and an agent's replay needs again. */
const MOST_BYTES = 256 * 1024;

const kept = new Map<string, { readonly exchanges: OutsideExchange[]; bytes: number }>();

/** Whether what this run does is not written, so that other runs have to tell it. */
export function isOutside(run: RunContext | null): boolean {
  return run === null || (run.start.trigger === "process" && !run.isActive);
}

/** Keeps an exchange for the runs that will use the same server. What is past the bound is dropped. */
export function noteOutside(key: string, exchange: OutsideExchange): void {
  let known = kept.get(key);
  if (known === undefined) kept.set(key, (known = { exchanges: [], bytes: 0 }));
  if (known.bytes > MOST_BYTES) return;
  known.bytes += encodeValue([exchange.args, exchange.value]).text.length;
  if (known.bytes <= MOST_BYTES) known.exchanges.push(exchange);
}

/** Whether another exchange with this server may be kept. */
export function hasRoomOutside(key: string): boolean {
  return (kept.get(key)?.bytes ?? 0) <= MOST_BYTES;
}

export function outsideExchanges(key: string): readonly OutsideExchange[] {
  return kept.get(key)?.exchanges ?? [];
}
