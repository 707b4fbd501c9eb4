import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { addressOf, call, type Run } from "./call.ts";
import { type StreamState, useEvents } from "./use-events.ts";

/** The newest runs are read again so often where the stream cannot be had, milliseconds. */
const AGAIN = 10_000;
const NEWEST = 50;

interface LiveRuns {
  /** the newest state of runs that changed since the list was read, by id */
  readonly changed: ReadonlyMap<string, Run>;
  /** changes were lost, so that the list has to be read again */
  readonly missed: boolean;
  readonly stream: StreamState;
}

const NONE: Pick<LiveRuns, "changed" | "missed"> = { changed: new Map(), missed: false };

/**
 * Watches the runs of a filter. What comes is collected until `since`, the time at which the list was read, changes; 0: nothing
 * is watched. Where there is no stream, which is so for free text too, the newest runs are read from time to time.
 */
export function useLiveRuns(filter: string, since: number): LiveRuns {
  const [live, setLive] = useState(NONE);
  useEffect(() => setLive(NONE), [filter, since]);
  const stream = useEvents(since === 0 ? null : addressOf("watchRuns", { query: { filter } }).href, {
    run: (data) => {
      const { run } = data as { run: Run };
      setLive(({ changed, missed }) => ({ changed: new Map([...changed, [run.run, run]]), missed }));
    },
    reset: () => setLive((before) => ({ ...before, missed: true })),
    // has the place behind which the stream goes on
    ready: () => {},
    gone: () => {},
  });
  const polled = useQuery({
    queryKey: ["newest runs", filter],
    queryFn: ({ signal }) => call("listRuns", { query: { filter, limit: NEWEST }, signal }),
    enabled: since !== 0 && stream === "off",
    refetchInterval: AGAIN,
  });
  const changed = useMemo(() => {
    if (stream !== "off" || polled.dataUpdatedAt <= since) return live.changed;
    return new Map([...live.changed, ...(polled.data?.runs ?? []).map((run) => [run.run, run] as const)]);
  }, [live.changed, stream, polled.data, polled.dataUpdatedAt, since]);
  return { changed, missed: live.missed, stream };
}
