import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { addressOf, call, type Run } from "./call.ts";
import { type StreamState, useEvents } from "./use-events.ts";

/** The newest runs are read again so often where the stream cannot be had, milliseconds. */
const AGAIN = 10_000;
const NEWEST = 50;

interface LiveRuns {
  /** the newest state of runs that changed since the list was asked for, by id */
  readonly changed: ReadonlyMap<string, Run>;
  /** changes were lost since then, so that the list has to be read again */
  readonly missed: boolean;
  readonly stream: StreamState;
}

/** What came, with the time at which it did. */
interface Heard {
  readonly runs: ReadonlyMap<string, { readonly run: Run; readonly at: number }>;
  readonly lost: number;
}
const NOTHING: Heard = { runs: new Map(), lost: 0 };

/**
 * Watches the runs of a filter. `since`: when the list was asked for, which has what came before; 0: it is not there yet. Where
 * there is no stream, which is so for free text too, the newest runs are read from time to time.
 */
export function useLiveRuns(filter: string, since: number): LiveRuns {
  const [heard, setHeard] = useState(NOTHING);
  useEffect(() => setHeard(NOTHING), [filter]);
  const stream = useEvents(addressOf("watchRuns", { query: { filter } }).href, {
    run: (data) => {
      const { run } = data as { run: Run };
      const at = Date.now();
      setHeard(({ runs, lost }) => ({
        runs: new Map([...[...runs].filter(([, before]) => before.at >= since), [run.run, { run, at }]]),
        lost,
      }));
    },
    reset: () => setHeard(({ runs }) => ({ runs, lost: Date.now() })),
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
    const news = [...heard.runs].flatMap(([id, { run, at }]) => (at >= since ? [[id, run] as const] : []));
    const isNewer = stream === "off" && polled.dataUpdatedAt > since;
    return new Map([...news, ...(isNewer ? (polled.data?.runs ?? []) : []).map((run) => [run.run, run] as const)]);
  }, [heard.runs, stream, polled.data, polled.dataUpdatedAt, since]);
  return { changed, missed: since !== 0 && heard.lost >= since, stream };
}
