import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiFailure } from "../api/api-failure.ts";
import { type Answer, call } from "../api/call.ts";
import { RecordedText } from "../text/recorded-text.tsx";

type Tests = Answer<"listTests">;
type TestsRun = NonNullable<Tests["run"]>;

export const isRunning = (run: TestsRun | null): boolean => run !== null && run.state !== "ended";

/** What a test does in the run of tests that a page has started: null: it is not of it, or has its result. */
export type TestState = "runs" | "waits" | null;

export function stateIn(run: TestsRun | null, tests: readonly Tests["tests"][number][], file: string): TestState {
  if (run === null || run.state !== "running") return null;
  const isDone = (each: string): boolean => (tests.find((test) => test.file === each)?.last?.at ?? 0) >= run.started;
  if (!run.files.includes(file) || isDone(file)) return null;
  return run.files.find((each) => !isDone(each)) === file ? "runs" : "waits";
}

export interface TestsRuns {
  readonly run: TestsRun | null;
  /** what could not be started */
  readonly problem: Error | null;
  /** Runs tests by their files; none: all of them. Null: none may be started now. */
  readonly start: ((files: readonly string[]) => void) | null;
  readonly cancel: () => void;
  /** whether pages may start tests at all */
  readonly isAdmitted: boolean;
}

/** The tests that pages have started last, and how this one starts some. */
export function useTestsRun(data: Tests | undefined): TestsRuns {
  const client = useQueryClient();
  const again = () => client.invalidateQueries({ queryKey: ["tests"] });
  const start = useMutation({
    mutationFn: (files: readonly string[]) => call("startTests", { body: { files: [...files] } }),
    onSettled: again,
  });
  const run = data?.run ?? null;
  const cancel = useMutation({
    mutationFn: () => call("cancelTests", { path: { tests: run?.id ?? "" }, body: {} }),
    onSettled: again,
  });
  const isAdmitted = data?.admitted === true;
  const isFree = isAdmitted && !start.isPending && !isRunning(run);
  return {
    run,
    problem: start.error ?? cancel.error,
    start: isFree ? (files) => start.mutate(files) : null,
    cancel: () => cancel.mutate(),
    isAdmitted,
  };
}

/** Starts all tests, ends them, and says what became of them. */
export function TestsControls({ runs: { run, problem, start, cancel, isAdmitted } }: { runs: TestsRuns }) {
  if (!isAdmitted)
    return (
      <p className="muted">
        To run tests from this page, start the collector with your program, and open the link that it prints:{" "}
        <code>npx reenact up -- node agent.js</code>
      </p>
    );
  const next = problem instanceof ApiFailure ? problem.next : "";
  return (
    <>
      <div className="bench-controls">
        {isRunning(run) && (
          <button type="button" className="button" onClick={cancel} disabled={run?.state === "ending"}>
            {run?.state === "ending" ? "Ending …" : "Cancel"}
          </button>
        )}
        <button type="button" className="button primary" onClick={() => start?.([])} disabled={start === null}>
          {isRunning(run) ? "Running …" : "Run all"}
        </button>
      </div>
      {problem !== null && (
        <p role="alert" className="problem">
          {problem.message}
          {next !== "" && <span className="muted">. Next: {next}</span>}
        </p>
      )}
      {run?.state === "ended" && run.failure !== null && (
        <p role="alert" className="problem">
          <RecordedText>{`Not all tests have a new result: ${run.failure}`}</RecordedText>
        </p>
      )}
    </>
  );
}
