import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type Answer, call } from "../api/call.ts";
import { FailurePage } from "../failure/failure-page.tsx";
import { useAddress } from "../layout/use-address.ts";
import { useKeys } from "../layout/use-keys.ts";
import { useTitle } from "../layout/use-title.ts";
import { type TestsSearch, testsSearch } from "../search.ts";
import { CopyLine } from "../setup/copy-line.tsx";
import { number } from "../text/format.ts";
import { isRunning, stateIn, TestsControls, type TestsRuns, useTestsRun } from "./tests-run.tsx";
import { type ProjectTest, TestRow } from "./test-row.tsx";

const route = getRouteApi("/tests");
/** Somebody runs the tests in a terminal beside the page: it looks again so often, milliseconds. */
const LOOK = 2000;
/** While a page has tests running. */
const LOOK_AT_RUN = 300;

const stateOf = ({ last, problem }: ProjectTest) => (problem !== null ? "failed" : (last?.status ?? "unknown"));

/** Recorded runs that are tests, each with its last result. */
export function TestsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const address = useAddress(testsSearch);
  const { only } = search;
  useTitle("Tests");
  const query = useQuery({
    queryKey: ["tests"],
    queryFn: ({ signal }) => call("listTests", { signal }),
    refetchInterval: ({ state }) => (isRunning(state.data?.run ?? null) ? LOOK_AT_RUN : LOOK),
  });
  const runs = useTestsRun(query.data);
  const all = query.data?.tests ?? [];
  const shown = only === "failed" ? all.filter((each) => stateOf(each) === "failed") : all;
  const at = () => shown.findIndex(({ file }) => file === address().test);
  const select = (next: TestsSearch) => void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  const move = (by: 1 | -1) => {
    const to = shown[Math.min(shown.length - 1, Math.max(0, at() + by))];
    if (to !== undefined) select({ test: to.file });
  };
  const toFailed = (by: 1 | -1) => {
    const behind = by === 1 ? shown.slice(at() + 1) : shown.slice(0, Math.max(0, at())).toReversed();
    const next = behind.find((each) => stateOf(each) === "failed");
    if (next !== undefined) select({ test: next.file });
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    n: { does: "Select the next failed test", act: () => toFailed(1) },
    p: { does: "Select the previous failed test", act: () => toFailed(-1) },
    ...(runs.start && {
      r: {
        does: "Run the selected test, or all",
        act: () => {
          const file = shown[at()]?.file;
          runs.start?.(file === undefined ? [] : [file]);
        },
      },
    }),
    d: {
      does: "Compare what was recorded with the replay that failed",
      act: () => {
        const { last = null, run = null } = shown[at()] ?? {};
        const replay = last?.replay ?? null;
        if (replay !== null && run !== null)
          void navigate({ to: "/diff/$a/$b", params: { a: run, b: replay }, search: {} });
      },
    },
    Enter: () => {
      const { last = null, run = null } = shown[at()] ?? {};
      const to = last?.replay ?? run;
      if (to !== null) void navigate({ to: "/r/$run", params: { run: to } });
    },
    Escape: () => (address().test === undefined ? void navigate({ to: "/", search: {} }) : select({ test: undefined })),
  });
  if (query.error && !query.data) return <FailurePage error={query.error} retry={() => void query.refetch()} />;
  return (
    <div className="tests">
      <header className="page-head">
        <h1>Tests</h1>
        <p className="muted">
          Recorded runs that the project keeps as tests. They run without a key and without network.
        </p>
      </header>
      {query.data === undefined && <p className="muted loading">Reading the tests …</p>}
      {query.data !== undefined && <Tests data={query.data} shown={shown} search={search} runs={runs} />}
    </div>
  );
}

interface TestsProps {
  readonly data: Answer<"listTests">;
  /** those of them that the page shows */
  readonly shown: readonly ProjectTest[];
  readonly search: TestsSearch;
  readonly runs: TestsRuns;
}

function Tests({ data: { project, tests, command, run }, shown, search, runs }: TestsProps) {
  if (project === null) return <NoProject />;
  if (tests.length === 0) return <NoTests />;
  return (
    <>
      <Counts tests={tests} search={search} />
      <TestsControls runs={runs} />
      <CopyLine what="that runs all tests">{`npx ${command}`}</CopyLine>
      <InCi />
      {shown.length === 0 && <p className="empty">No test has failed.</p>}
      {shown.length > 0 && (
        <ol className="test-rows">
          {shown.map((test) => (
            <TestRow
              key={test.file}
              test={test}
              isSelected={test.file === search.test}
              state={stateIn(run, tests, test.file)}
              start={runs.start}
            />
          ))}
        </ol>
      )}
    </>
  );
}

function Counts({ tests, search }: { tests: readonly ProjectTest[]; search: TestsSearch }) {
  const count = (state: string) => tests.filter((test) => stateOf(test) === state).length;
  const [failed, passed, unknown] = [count("failed"), count("passed"), count("unknown")];
  return (
    <p className="tests-counts" role="status">
      <span className={failed > 0 ? "status failed" : "muted"}>{number(failed)} failed</span>
      <span className={passed > 0 ? "status ok" : "muted"}>{number(passed)} passed</span>
      {unknown > 0 && <span className="muted">{number(unknown)} without a result</span>}
      {search.only === "failed" ? (
        <Link to="/tests" search={{ ...search, only: undefined }}>
          Show all
        </Link>
      ) : (
        failed > 0 &&
        failed < tests.length && (
          <Link to="/tests" search={{ ...search, only: "failed" }}>
            Show failed only
          </Link>
        )
      )}
    </p>
  );
}

/** The lines of a workflow; the runner of the project finds the test files by itself. */
function InCi() {
  return (
    <details className="tests-ci">
      <summary>In CI</summary>
      <p className="muted">
        Fixtures need no key and no network. A failed one is an annotation at its definition; other systems read JUnit.
      </p>
      <CopyLine what="of a GitHub workflow">{"- run: npx reenact test --reporter github"}</CopyLine>
      <CopyLine what="that writes JUnit">npx reenact test --reporter junit --output reenact.xml</CopyLine>
    </details>
  );
}

function NoTests() {
  return (
    <div className="empty">
      <p>This project has no tests yet. Make one of a recorded run:</p>
      <CopyLine what="that makes a test of the last failed run">npx reenact test add @failed</CopyLine>
      <p>
        <Link to="/" search={{ filter: "status:failed -replay-of:*" }}>
          See the failed runs
        </Link>
      </p>
    </div>
  );
}

function NoProject() {
  return (
    <div className="empty">
      <p>Tests belong to a project, and this collector runs over none. Start one in the folder of the project:</p>
      <CopyLine what="that starts a collector over a project">npx reenact up</CopyLine>
      <p>
        <Link to="/">See the runs</Link>
      </p>
    </div>
  );
}
