import { getRouteApi, Link } from "@tanstack/react-router";
import { FailurePage } from "../failure/failure-page.tsx";
import { useTitle } from "../layout/use-title.ts";
import { TABS, type Tab } from "../search.ts";
import { ContextTab } from "./context-tab.tsx";
import { useCopied } from "./copied-link.tsx";
import { CopyMenu } from "./copy-menu.tsx";
import { CostTab } from "./cost-tab.tsx";
import { FindBar } from "./find-bar.tsx";
import { LiveLine } from "./live-line.tsx";
import { RawStep } from "./raw-step.tsx";
import { RunHead } from "./run-head.tsx";
import { runName } from "./run-name.ts";
import { Timeline } from "./timeline.tsx";
import { Transcript } from "./transcript.tsx";
import { type LiveState, useLiveRun } from "./use-live-run.ts";
import type { LoadedRun } from "./use-run-view.ts";
import { useRunKeys } from "./use-run-keys.ts";
import { useSelection } from "./use-selection.ts";

const route = getRouteApi("/r/$run");
const TAB_WORDS: Readonly<Record<Tab, string>> = {
  transcript: "Transcript",
  timeline: "Timeline",
  context: "Context",
  cost: "Cost",
  raw: "Raw",
};

/** One run. */
export function RunPage() {
  const { run } = route.useParams();
  const { loaded, live, error, retry } = useLiveRun(run);
  useTitle(loaded ? `${runName(loaded.run)} ${loaded.run.run.slice(0, 6)}` : `Run ${run.slice(0, 6)}`);
  if (error) return <FailurePage error={error} retry={retry} />;
  if (loaded) return <Loaded key={loaded.run.run} view={loaded} live={live} />;
  return <p className="muted loading">Reading the run …</p>;
}

function Loaded({ view, live }: { view: LoadedRun; live: LiveState }) {
  const selection = useSelection(view);
  const { search, tab, step: shown, selected, go, select, toError } = selection;
  const { steps, failed } = view;
  const copied = useCopied();
  useRunKeys(view, selection, copied.copyLink);
  const blamed = steps.find(({ step }) => step === view.cause?.step);
  return (
    <div className="run">
      <RunHead view={view} live={live} />
      <h2 className="sr-only">Steps</h2>
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
        <CopyMenu view={view} step={shown} copied={copied} />
        {search.find !== undefined && (
          <FindBar
            steps={steps}
            text={search.find}
            selected={selected}
            change={(find) => go({ find }, true)}
            select={select}
            close={() => go({ find: undefined }, true)}
          />
        )}
      </div>
      {copied.notice}
      {steps.length === 0 && <p className="empty">No step of this run has arrived yet.</p>}
      {tab === "transcript" && (
        <Transcript
          view={view}
          selected={selected}
          select={select}
          isFolded={search.fold === true}
          isFinding={search.find !== undefined}
        />
      )}
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
      {tab === "cost" && <CostTab view={view} selected={selected} />}
      {tab === "raw" && <RawStep run={view.run.run} steps={steps} step={shown ?? steps[0] ?? null} select={select} />}
      <LiveLine view={view} live={live} />
    </div>
  );
}
