import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { useLiveRuns } from "../api/use-live-runs.ts";
import type { RunsSearch } from "../search.ts";

/** Runs on one page of the list. */
export const PAGE = 50;

/** One page of runs, each as it is now; those that began since the page was read are only counted. */
export function useRunList({ filter = "", order = "started", after }: RunsSearch) {
  const list = useQuery({
    queryKey: ["runs", filter, order, after],
    queryFn: async ({ signal }) => {
      const asked = Date.now();
      return { ...(await call("listRuns", { query: { filter, order, after, limit: PAGE }, signal })), asked };
    },
    placeholderData: keepPreviousData,
  });
  const live = useLiveRuns(filter, list.isSuccess && !list.isPlaceholderData ? list.data.asked : 0);
  const read = list.data?.runs ?? [];
  const newest = read.reduce((latest, { received }) => Math.max(latest, received), 0);
  const known = new Set(read.map(({ run }) => run));
  // compared by the clock of the collector, which may differ from that of the browser
  const fresh = [...live.changed.values()].filter(({ run, received }) => received >= newest && !known.has(run)).length;
  return {
    list,
    live: { fresh, missed: live.missed, stream: live.stream },
    runs: read.map((run) => live.changed.get(run.run) ?? run),
  };
}
