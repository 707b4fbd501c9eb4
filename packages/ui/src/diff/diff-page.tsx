import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { call, type RunDiff } from "../api/call.ts";
import { FailurePage } from "../failure/failure-page.tsx";
import { useAddress } from "../layout/use-address.ts";
import { useKeys } from "../layout/use-keys.ts";
import { useTitle } from "../layout/use-title.ts";
import { runName } from "../run/run-name.ts";
import { type DiffSearch, diffSearch } from "../search.ts";
import { number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { DiffRows } from "./diff-rows.tsx";
import { Totals } from "./totals.tsx";

const route = getRouteApi("/diff/$a/$b");

/** Two runs side by side. */
export function DiffPage() {
  const { a, b } = route.useParams();
  const { data, error, refetch } = useQuery({
    queryKey: ["diff", a, b],
    queryFn: ({ signal }) => call("diffRuns", { query: { a, b }, signal }),
  });
  useTitle(data ? `${runName(data.a)} ${a.slice(0, 6)} → ${b.slice(0, 6)}` : "Two runs");
  if (error) return <FailurePage error={error} retry={() => void refetch()} />;
  if (data) return <Loaded diff={data} />;
  return <p className="muted loading">Comparing the runs …</p>;
}

function Loaded({ diff }: { diff: RunDiff }) {
  const { a, b, rows, first, summary, complete } = diff;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const address = useAddress(diffSearch);
  const { row: selected = null, all = false } = search;
  const go = (next: DiffSearch) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false });
  const toggleAll = () => go({ all: address().all ? undefined : true });
  const shown = () => rows.flatMap(({ status }, at) => (address().all || status !== "same" ? [at + 1] : []));
  const changed = rows.flatMap(({ status }, at) => (status === "same" ? [] : [at + 1]));
  const move = (among: readonly number[], by: 1 | -1) => {
    const from = address().row ?? (by === 1 ? 0 : Infinity);
    const next = by === 1 ? among.find((row) => row > from) : among.findLast((row) => row < from);
    if (next !== undefined) go({ row: next });
  };
  const swap = () =>
    void navigate({ to: "/diff/$a/$b", params: { a: b.run, b: a.run }, search: { all: address().all }, replace: true });
  const open = () => {
    const row = rows[(address().row ?? 0) - 1];
    if (row?.after) void navigate({ to: "/r/$run", params: { run: b.run }, search: { step: row.after } });
    else if (row?.before) void navigate({ to: "/r/$run", params: { run: a.run }, search: { step: row.before } });
  };
  useKeys({
    j: () => move(shown(), 1),
    k: () => move(shown(), -1),
    n: { does: "Go to the next change", act: () => move(changed, 1) },
    p: { does: "Go to the previous change", act: () => move(changed, -1) },
    a: { does: all ? "Hide equal steps" : "Show equal steps", act: toggleAll },
    s: { does: "Swap the runs", act: swap },
    Enter: open,
    Escape: () => (address().row === undefined ? void navigate({ to: "/", search: {} }) : go({ row: undefined })),
  });

  return (
    <div className="run diff">
      <p className="crumbs">
        <Link to="/">Runs</Link> <span aria-hidden="true">/</span> compare
      </p>
      <h1>
        <RecordedText>{runName(a)}</RecordedText> <code className="id">{a.run.slice(0, 6)}</code>
        <span aria-hidden="true"> → </span>
        <span className="sr-only"> compared with </span>
        {runName(a) !== runName(b) && (
          <>
            <RecordedText>{runName(b)}</RecordedText>{" "}
          </>
        )}
        <code className="id">{b.run.slice(0, 6)}</code>
      </h1>
      <section className={first === null ? "verdict same" : "verdict"} aria-label="First difference">
        {summary === null ? (
          <p>No step differs.</p>
        ) : (
          <p>
            <span className="muted">First difference: </span>
            <Link from="/diff/$a/$b" to="." search={{ ...search, row: first! + 1 }} replace resetScroll={false}>
              <RecordedText>{summary}</RecordedText>
            </Link>
          </p>
        )}
        {!complete && <p className="muted">Only the first 20,000 steps of each run were compared.</p>}
      </section>
      <Totals a={a} b={b} />
      <div className="diff-bar">
        <h2>Steps</h2>
        <span className="muted">
          {number(changed.length)} {changed.length === 1 ? "difference" : "differences"} in {number(rows.length)}{" "}
          {rows.length === 1 ? "step" : "steps"}
        </span>
        <span className="diff-buttons">
          <button type="button" className="button" aria-pressed={!all} onClick={toggleAll}>
            Only differences
          </button>
          <button type="button" className="button" onClick={swap}>
            Swap
          </button>
        </span>
      </div>
      <DiffRows
        diff={diff}
        all={all}
        selected={selected}
        select={(row) => go({ row })}
        showAll={() => go({ all: true })}
      />
    </div>
  );
}
