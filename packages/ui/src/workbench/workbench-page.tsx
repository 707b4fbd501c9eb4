import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, Navigate } from "@tanstack/react-router";
import { ApiFailure } from "../api/api-failure.ts";
import { type Answer, call } from "../api/call.ts";
import { usePlace } from "../api/use-place.ts";
import { FailurePage } from "../failure/failure-page.tsx";
import { useKeys } from "../layout/use-keys.ts";
import { useTitle } from "../layout/use-title.ts";
import { runName } from "../run/run-name.ts";
import { type LoadedRun, useRunView } from "../run/use-run-view.ts";
import { CopyLine } from "../setup/copy-line.tsx";
import { dollars, number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { type EditedValue, givenOf, useEditedValues } from "./edited-values.ts";
import { ReplayResult } from "./replay-result.tsx";
import { ReplaySteps } from "./replay-steps.tsx";
import { type ReplayState, useReplay } from "./use-replay.ts";

const route = getRouteApi("/r/$run/replay");

/** Replays one run with the code of now, and shows what comes of each step. */
export function WorkbenchPage() {
  const { run } = route.useParams();
  const { loaded, error, refetch } = useRunView(run);
  const bench = useQuery({ queryKey: ["workbench"], queryFn: ({ signal }) => call("getWorkbench", { signal }) });
  useTitle(`Replay ${run.slice(0, 6)}`);
  const failure = error ?? bench.error;
  if (failure) return <FailurePage error={failure} retry={refetch} />;
  if (loaded === null || bench.data === undefined) return <p className="muted loading">Reading the run …</p>;
  return <Bench key={loaded.run.run} view={loaded} bench={bench.data} />;
}

interface BenchProps {
  readonly view: LoadedRun;
  readonly bench: Answer<"getWorkbench">;
}

function Bench({ view: { run, steps }, bench }: BenchProps) {
  const { tools = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const runTools = tools === "" ? [] : tools.split(",");
  const { edited, edit, undo, undoTool } = useEditedValues();
  const { replay, problem, isRunning, begin, cancel } = useBench(run.run, { runTools, edited }, bench.admitted);
  const turn = (name: string, isOn: boolean) => {
    if (isOn) undoTool(name);
    const next = isOn ? [...runTools, name] : runTools.filter((each) => each !== name);
    void navigate({ search: (before) => ({ ...before, tools: next.join(",") || undefined }), replace: true });
  };
  useKeys({
    ...(begin && { r: { does: "Begin the replay", act: begin } }),
    Escape: () => void navigate({ to: "/r/$run", params: { run: run.run }, search: {} }),
  });
  // its verdict says nothing of this run
  if (replay !== null && replay.run !== run.run)
    return <Navigate to="/r/$run/replay" params={{ run: replay.run }} search={{ replay: replay.id }} replace />;
  return (
    <div className="workbench">
      <header className="page-head">
        <p className="crumbs">
          <Link to="/">Runs</Link> <span aria-hidden="true">/</span>{" "}
          <Link to="/r/$run" params={{ run: run.run }}>
            <code>{run.run.slice(0, 12)}</code>
          </Link>
        </p>
        <h1>
          Replay of <RecordedText>{runName(run)}</RecordedText>
        </h1>
        <p className="muted">{sourcesOf(replay)}</p>
      </header>
      {bench.admitted ? (
        <Controls command={bench.command ?? ""} replay={replay} begin={begin} cancel={cancel} />
      ) : (
        <HowToReplay run={run.run} command={bench.command} />
      )}
      {problem !== null && <Problem error={problem} running={bench.running} run={run.run} />}
      <p className="sr-only" role="status">
        {wordsOf(replay)}
      </p>
      {replay !== null && replay.state === "ended" && <ReplayResult replay={replay} recorded={run.run} />}
      <ReplaySteps
        run={run.run}
        bench={bench}
        edited={edited}
        edit={edit}
        undo={undo}
        steps={steps}
        replay={replay}
        runTools={runTools}
        turn={bench.admitted && !isRunning ? turn : null}
      />
    </div>
  );
}

/** Where the answers of the shown replay come from; without one, those of a replay that the page begins. */
function sourcesOf(replay: ReplayState | null): string {
  const report = replay?.report ?? null;
  const live = report?.live ?? (replay?.calls ?? []).filter(({ verdict }) => verdict === "live").length;
  if (live === 0)
    return "Runs the code of now. Each model and tool call gets its recorded answer: no key, no network, no cost.";
  const calls = live === 1 ? "1 call was" : `${number(live)} calls were`;
  const cost =
    report === null || report.costUsd === null ? "at a cost that is not known" : `for ${dollars(report.costUsd)}`;
  const recorded = report === null ? "" : `; ${number(report.recorded)} got their recorded answers`;
  return `Ran the code of now. ${calls} really made, ${cost}${recorded}.`;
}

/** The replay of the page. `begin` null: none may be started now. */
function useBench(
  run: string,
  { runTools, edited }: { readonly runTools: readonly string[]; readonly edited: readonly EditedValue[] },
  isAdmitted: boolean,
) {
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const { replay, error, cancel } = useReplay(route.useSearch().replay);
  const start = useMutation({
    mutationFn: async () => {
      const set = edited.map(givenOf);
      return (await call("startReplay", { body: { run, runTools, set } })).replay;
    },
    onSuccess: (begun) => {
      client.setQueryData(["replay", begun.id], begun);
      void navigate({ search: (before) => ({ ...before, replay: begun.id }), replace: true });
    },
    // another page may have begun one
    onSettled: () => void client.invalidateQueries({ queryKey: ["workbench"] }),
  });
  const isRunning = start.isPending || (replay !== null && replay.state !== "ended");
  const begin = isAdmitted && !isRunning ? () => start.mutate() : null;
  return { replay, problem: start.error ?? error, isRunning, begin, cancel };
}

interface ControlsProps {
  readonly command: string;
  readonly replay: ReplayState | null;
  readonly begin: (() => void) | null;
  readonly cancel: () => void;
}

function Controls({ command, replay, begin, cancel }: ControlsProps) {
  const isEnding = replay?.state === "ending";
  return (
    <div className="bench-controls">
      <code>
        <RecordedText>{command}</RecordedText>
      </code>
      {begin === null && replay !== null && replay.state !== "ended" && (
        <button type="button" className="button" onClick={cancel} disabled={isEnding}>
          {isEnding ? "Ending …" : "Cancel"}
        </button>
      )}
      <button type="button" className="button primary" onClick={() => begin?.()} disabled={begin === null}>
        {begin === null ? "Replaying …" : replay === null ? "Replay" : "Replay again"}
      </button>
    </div>
  );
}

function wordsOf(replay: ReplayState | null): string {
  if (replay === null) return "";
  if (replay.state !== "ended") return "The replay runs.";
  return `The replay has ended: ${replay.report?.verdict ?? "no verdict"}.`;
}

/** Where this page may not start anything: the lines that do. */
function HowToReplay({ run, command }: { run: string; command: string | null }) {
  const place = usePlace(true) ?? "";
  return (
    <section className="bench-how" aria-label="How to replay">
      {command === null ? (
        <>
          <p>In a terminal, with the command of your program:</p>
          <CopyLine what="that replays this run">{`npx reenact replay ${run.slice(0, 12)}${place} -- node agent.js`}</CopyLine>
          <p className="muted">To replay from this page, start the collector with that command:</p>
          <CopyLine what="that starts a collector whose pages replay">npx reenact up -- node agent.js</CopyLine>
        </>
      ) : (
        <>
          <p>
            Only pages that were opened by the link which <code>reenact up</code> printed may start the program. Open
            that link once in this browser, or replay in a terminal:
          </p>
          <CopyLine what="that replays this run">{`npx reenact replay ${run.slice(0, 12)}${place} -- ${command}`}</CopyLine>
        </>
      )}
    </section>
  );
}

function Problem({ error, running, run }: { error: Error; running: string | null; run: string }) {
  const next = error instanceof ApiFailure ? error.next : "";
  const isBusy = error instanceof ApiFailure && error.code === "BUSY" && running !== null;
  return (
    <p role="alert" className="problem">
      {error.message}
      {isBusy ? (
        <>
          {". "}
          <Link to="/r/$run/replay" params={{ run }} search={{ replay: running }}>
            Show it
          </Link>
        </>
      ) : (
        next !== "" && <span className="muted">. Next: {next}</span>
      )}
    </p>
  );
}
