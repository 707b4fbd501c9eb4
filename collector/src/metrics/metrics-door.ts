import { isLoopback } from "../receive/allow-list.ts";
import type { Keys } from "../receive/keys.ts";

/** Why somebody may not see the metrics; null: they may. */
export type MetricsDoor = (authorization: string | undefined) => { status: 401 | 403; message: string } | null;

/** Beyond this machine the numbers of a collector are for those with a key for `metrics` or `read`. */
export function createMetricsDoor(host: string, keys: Keys): MetricsDoor {
  if (isLoopback(host)) return () => null;
  return (authorization) => {
    const metrics = keys.admit(authorization, "metrics");
    if (metrics.is === "known" || keys.admit(authorization, "read").is === "known") return null;
    return { status: metrics.is === "forbidden" ? 403 : 401, message: metrics.message };
  };
}
