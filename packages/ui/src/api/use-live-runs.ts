import { useEffect, useState } from "react";
import { addressOf, type Run } from "./call.ts";

interface LiveRuns {
  /** the newest state of runs that changed since the list was read, by id */
  readonly changed: ReadonlyMap<string, Run>;
  /** "missed": changes were lost, so that the list has to be read again; "off": it cannot be watched */
  readonly state: "on" | "missed" | "off";
}

const NONE: LiveRuns = { changed: new Map(), state: "on" };

/** Watches the runs of a filter. What comes is collected until `since`, the time at which the list was read, changes; 0: nothing is watched. */
export function useLiveRuns(filter: string, since: number): LiveRuns {
  const [live, setLive] = useState<LiveRuns>(NONE);
  useEffect(() => {
    setLive(NONE);
    if (since === 0) return;
    const source = new EventSource(addressOf("watchRuns", { query: { filter } }));
    source.addEventListener("run", (event) => {
      const { run } = JSON.parse(event.data as string) as { run: Run };
      setLive(({ changed, state }) => ({ changed: new Map([...changed, [run.run, run]]), state }));
    });
    source.addEventListener("reset", () => setLive((before) => ({ ...before, state: "missed" })));
    source.addEventListener("error", () => {
      // a refused stream is not tried again by the browser, a broken one is
      if (source.readyState === EventSource.CLOSED) setLive((before) => ({ ...before, state: "off" }));
    });
    return () => source.close();
  }, [filter, since]);
  return live;
}
