import { getRouteApi, Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { ApiFailure } from "../api/api-failure.ts";
import type { Answer, Run } from "../api/call.ts";
import type { StreamState } from "../api/use-events.ts";
import { FailurePage } from "../failure/failure-page.tsx";
import { useKeys } from "../layout/use-keys.ts";
import { useTitle } from "../layout/use-title.ts";
import { type RunsSearch } from "../search.ts";
import { number } from "../text/format.ts";
import { Facets } from "./facets.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { MarkedRuns } from "./marked-runs.tsx";
import { RunStrip } from "./run-strip.tsx";
import { RunTable } from "./run-table.tsx";
import { useMarks } from "./use-marks.ts";
import { PAGE, useRunList } from "./use-run-list.ts";

const route = getRouteApi("/");

/** The list of runs. */
export function RunsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { filter = "", order = "started", after } = search;
  const filterField = useRef<HTMLInputElement>(null);
  // of a list that is read again, or another one that has the run too, it stays the selected one
  const [selected, setSelected] = useState<string | null>(null);
  useTitle("Runs");

  const { list, live, runs } = useRunList(search);
  const change = (next: RunsSearch) =>
    void navigate({ search: (before) => ({ ...before, after: undefined, ...next }) });
  const showNew = () => {
    setSelected(null);
    if (after === undefined) void list.refetch();
    else change({});
  };

  const marks = useMarks(
    search.marked,
    runs,
    (marked) => void navigate({ search: (before) => ({ ...before, marked }), replace: true }),
  );
  useRunKeys({ runs, selected, setSelected, clear: () => change({ filter: undefined }) });
  useKeys({
    "/": { does: "Filter the runs", act: () => filterField.current?.focus() },
    ".": { does: "Show new runs", act: showNew },
    x: () => marks.toggle(runs.find(({ run }) => run === selected)?.run),
    ...(marks.marked.length === 2 && { c: { does: "Compare the marked runs", act: marks.compare } }),
  });

  const problem = list.error instanceof ApiFailure && list.error.code === "BAD_FILTER" ? list.error : null;
  if (list.error && problem === null) return <FailurePage error={list.error} retry={() => void list.refetch()} />;
  return (
    <div className="runs">
      <h1 className="sr-only">Runs</h1>
      <Facets filter={filter} change={(next) => change({ filter: next })} />
      <div className="runs-main">
        <FilterBar field={filterField} filter={filter} order={order} problem={problem} change={change} />
        {list.isPending && <p className="muted loading">Reading the runs …</p>}
        {list.data && problem === null && (
          <>
            <RunStrip filter={filter} change={(next) => change({ filter: next })} />
            <RunsLine count={list.data.count} live={live} showNew={showNew} />
            {runs.length === 0 ? (
              <NoRuns filtered={filter !== ""} />
            ) : (
              <RunTable
                runs={runs}
                selected={selected}
                select={setSelected}
                marked={marks.marked}
                mark={marks.toggle}
              />
            )}
            <Pages search={search} next={list.data.next} />
            <MarkedRuns {...marks} />
          </>
        )}
      </div>
    </div>
  );
}

/** Keys that move through the list and open a run. */
function useRunKeys({
  runs,
  selected,
  setSelected,
  clear,
}: {
  runs: readonly Run[];
  selected: string | null;
  setSelected: (change: (now: string | null) => string | null) => void;
  /** takes the filter away */
  clear: () => void;
}): void {
  const navigate = route.useNavigate();
  const placeOf = (id: string | null) => runs.findIndex(({ run }) => run === id);
  const move = (by: number) =>
    setSelected((now) => runs[Math.min(runs.length - 1, Math.max(0, placeOf(now) + by))]?.run ?? null);
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    n: {
      does: "Select the next failed run",
      act: () => setSelected((now) => nextFailed(runs, placeOf(now), 1)?.run ?? now),
    },
    p: {
      does: "Select the previous failed run",
      act: () => setSelected((now) => nextFailed(runs, placeOf(now), -1)?.run ?? now),
    },
    Enter: () => {
      const run = runs[placeOf(selected)];
      if (run) void navigate({ to: "/r/$run", params: { run: run.run } });
    },
    Escape: () => (placeOf(selected) === -1 ? clear() : setSelected(() => null)),
  });
}

interface RunsLineProps {
  readonly count: Answer<"listRuns">["count"];
  /** number of new runs, and how they are watched */
  readonly live: { readonly fresh: number; readonly missed: boolean; readonly stream: StreamState };
  readonly showNew: () => void;
}

/** How many runs there are, and how many are new. */
function RunsLine({ count: { value, exact }, live, showNew }: RunsLineProps) {
  return (
    <div className="runs-line">
      <p className="muted" role="status">
        {exact ? "" : "at least "}
        {number(value)} {value === 1 ? "run" : "runs"}
        {live.stream === "off" && " · new ones are looked for every 10 s"}
      </p>
      {(live.fresh > 0 || live.missed) && (
        <button type="button" className="button fresh" onClick={showNew}>
          {live.fresh > 0 ? `${number(live.fresh)} new` : "the list has changed"}, press <kbd>.</kbd>
        </button>
      )}
    </div>
  );
}

function Pages({ search, next }: { search: RunsSearch; next: string | null }) {
  return (
    <nav className="pages" aria-label="Pages">
      {search.after !== undefined && (
        <Link to="/" search={{ ...search, after: undefined }} className="button">
          First page
        </Link>
      )}
      {next !== null && (
        <Link to="/" search={{ ...search, after: next }} className="button">
          Next {PAGE}
        </Link>
      )}
    </nav>
  );
}

/** The next run in a direction that failed. `at`: position of the selected one, -1: none is. */
const nextFailed = (runs: readonly Run[], at: number, by: 1 | -1): Run | undefined =>
  (by === 1 ? runs.slice(at + 1) : runs.slice(0, Math.max(0, at)).toReversed()).find(({ status }) => status !== "ok");

function NoRuns({ filtered }: { filtered: boolean }) {
  if (filtered) return <p className="empty">No run fits this filter.</p>;
  return (
    <div className="empty">
      <p>No run has arrived yet. Record one:</p>
      <pre>npx reenact run -- node agent.js</pre>
      <p>
        <Link to="/setup">More ways, and what to do if none arrives</Link>
      </p>
    </div>
  );
}
