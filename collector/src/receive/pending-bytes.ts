/** Bytes that were received and are not yet on disk: all of them, and those of one tenant. */
export interface PendingBytes {
  /** Which limit has no room for another body; null: none. */
  full(tenant: string): "all" | "tenant" | null;
  /** More is here than may be: bodies that are still coming must go. */
  over(): boolean;
  add(tenant: string, bytes: number): void;
  total(): number;
}

/** `limit` for all together, `share` of it (0 … 1) for one tenant. */
export function createPendingBytes(limit: number, share: number): PendingBytes {
  const tenants = new Map<string, number>();
  let total = 0;
  return {
    full: (tenant) => {
      if (total >= limit) return "all";
      return (tenants.get(tenant) ?? 0) >= limit * share ? "tenant" : null;
    },
    over: () => total > limit,
    add: (tenant, bytes) => {
      total += bytes;
      const sum = (tenants.get(tenant) ?? 0) + bytes;
      if (sum > 0) tenants.set(tenant, sum);
      else tenants.delete(tenant);
    },
    total: () => total,
  };
}
