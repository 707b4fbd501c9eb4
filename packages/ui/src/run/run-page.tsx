import { getRouteApi, Link } from "@tanstack/react-router";
import { FailurePage } from "../failure/failure-page.tsx";
import { useKeys } from "../layout/use-keys.ts";
import { useTitle } from "../layout/use-title.ts";
import { type RunSearch, TABS, type Tab } from "../search.ts";
import { ContextTab } from "./context-tab.tsx";
import { RawStep } from "./raw-step.tsx";
import { RunHead } from "./run-head.tsx";
import { Timeline } from "./timeline.tsx";
import { Transcript } from "./transcript.tsx";
import { type LoadedRun, useRunView } from "./use-run-view.ts";

const route = getRouteApi("/r/$run");
const TAB_WORDS: Readonly<Record<Tab, string>> = {
  transcript: "Transcript",
  timeline: "Timeline",
  context: "Context",
  raw: "Raw",
};

/** One run. */
export function RunPage() {
  const { run } = route.useParams();
  const { loaded, error, refetch } = useRunView(run);
  useTitle(loaded ? `${loaded.run.name || "unnamed"} ${loaded.run.run.slice(0, 6)}` : `Run ${run.slice(0, 6)}`);
  if (loaded) return <Loaded view={loaded} />;
  if (error) return <FailurePage error={error} retry={refetch} />;
  return <p className="muted loading">Reading the run …</p>;
}

function Loaded({ view }: { view: LoadedRun }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { tab = "transcript", step: selected = null } = search;
  const { steps, failed } = view;
  // moving through steps leaves one entry in the history, changing the tab one each
  const go = (next: RunSearch, replace = false) =>
    void navigate({ search: { ...search, ...next }, replace, resetScroll: false });
  const select = (step: number) => go({ step }, true);
  const at = steps.findIndex(({ step }) => step === selected);
  const move = (by: number) => {
    const next = steps[Math.min(steps.length - 1, Math.max(0, at === -1 ? (by > 0 ? 0 : steps.length - 1) : at + by))];
    if (next) select(next.step);
  };
  const toError = (by: 1 | -1) => {
    const next =
      by === 1
        ? failed.find((step) => step > (selected ?? 0))
        : failed.findLast((step) => step < (selected ?? Infinity));
    if (next !== undefined) select(next);
  };
  const back = () => {
    if (tab !== "transcript") go({ tab: undefined });
    else if (selected !== null) go({ step: undefined }, true);
    else void navigate({ to: "/", search: {} });
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    n: () => toError(1),
    p: () => toError(-1),
    Enter: () => selected !== null && go({ tab: "raw" }),
    Escape: back,
    "1": () => go({ tab: undefined }),
    "2": () => go({ tab: "timeline" }),
    "3": () => go({ tab: "context" }),
    "4": () => go({ tab: "raw" }),
  });
  const shown = steps[at];
  const blamed = steps.find(({ step }) => step === view.cause?.step);
  return (
    <div className="run">
      <RunHead view={view} />
      <div className="tabs-bar">
        <nav className="tabs" aria-label="Views of the run">
          {TABS.map((each) => (
            <Link
              key={each}
              from="/r/$run"
              to="."
              search={{ ...search, tab: each === "transcript" ? undefined : each }}
              // the router marks the one whose address this is
              activeOptions={{ includeSearch: true, explicitUndefined: true }}
            >
              {TAB_WORDS[each]}
            </Link>
          ))}
        </nav>
        {failed.length > 0 && (
          <div className="errors-nav" role="group" aria-label="Errors">
            <span className="muted">
              {failed.length} {failed.length === 1 ? "error" : "errors"}
            </span>
            <button type="button" className="button quiet" onClick={() => toError(-1)} aria-label="Previous error">
              ↑
            </button>
            <button type="button" className="button quiet" onClick={() => toError(1)} aria-label="Next error">
              ↓
            </button>
          </div>
        )}
      </div>
      {steps.length === 0 && <p className="empty">No step of this run has arrived yet.</p>}
      {tab === "transcript" && <Transcript view={view} selected={selected} select={select} />}
      {tab === "timeline" && (
        <Timeline
          view={view}
          selected={selected}
          select={select}
          asTable={search.as === "table"}
          show={(asTable) => go({ as: asTable ? "table" : undefined })}
        />
      )}
      {tab === "context" && <ContextTab view={view} step={shown ?? blamed ?? steps[0] ?? null} select={select} />}
      {tab === "raw" && <RawStep run={view.run.run} steps={steps} step={shown ?? steps[0] ?? null} select={select} />}
    </div>
  );
}
