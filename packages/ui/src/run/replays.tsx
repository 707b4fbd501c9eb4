import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call, type Run } from "../api/call.ts";
import { offline } from "../api/offline.ts";
import { age, moment } from "../text/format.ts";
import { RunLink } from "./run-link.tsx";
import { ReplayCause, ReplayVerdict } from "./replay-verdict.tsx";

/** Replays that are listed; the others are behind a link to the list of runs. */
const MOST = 5;

/** What a replay said of the run that it replays, with a link to both side by side. */
export function ReplayOf({ run }: { run: Run }) {
  if (run.replayOf === null) return null;
  return (
    <section className="replays" aria-label="Replay">
      <h2>Replay of</h2>
      <ul>
        <li>
          <RunLink run={run.replayOf} />
          <ReplayVerdict run={run} />
          <ReplayCause run={run} />
          {offline === null && (
            <Link to="/diff/$a/$b" params={{ a: run.replayOf, b: run.run }} search={{}} className="beside">
              Side by side
            </Link>
          )}
        </li>
      </ul>
    </section>
  );
}

/** The replays of a run, the newest first, each with its verdict; nothing where there is none. */
export function Replays({ run }: { run: string }) {
  const filter = `replay-of:${run}`;
  const { data } = useQuery({
    queryKey: ["replays", run],
    queryFn: ({ signal }) => call("listRuns", { query: { filter, limit: MOST }, signal }),
    // somebody replays it in a terminal and comes back
    refetchOnWindowFocus: true,
  });
  if (!data || data.runs.length === 0) return null;
  const more = data.next !== null;
  return (
    <section className="replays" aria-label="Replays of this run">
      <h2>Replays</h2>
      <ul>
        {data.runs.map((each) => (
          <li key={each.run}>
            <RunLink run={each.run} />
            <ReplayVerdict run={each} />
            <ReplayCause run={each} />
            <time className="muted" dateTime={new Date(each.started).toISOString()} title={moment(each.started)}>
              {age(each.started, Date.now())} ago
            </time>
            <Link to="/diff/$a/$b" params={{ a: run, b: each.run }} search={{}} className="beside">
              Side by side<span className="sr-only"> with replay {each.run.slice(0, 6)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {more && (
        <Link to="/" search={{ filter }}>
          All replays
        </Link>
      )}
    </section>
  );
}
