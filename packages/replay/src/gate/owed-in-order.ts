import type { Delivery } from "@reenact/capture/recorder";

/** All deliveries: first those that the record has next (`next`: their keys, in its order), then the rest as they came. */
export function owedInOrder(ready: ReadonlyMap<string, Delivery>, next: Iterable<string>): Delivery[] {
  const recorded = [...new Set(next)].flatMap((key) => ready.get(key) ?? []);
  return [...new Set([...recorded, ...ready.values()])];
}
