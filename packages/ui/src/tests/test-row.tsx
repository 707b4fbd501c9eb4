import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Answer } from "../api/call.ts";
import { CopyLine } from "../setup/copy-line.tsx";
import { age, duration, moment } from "../text/format.ts";
import type { TestsRuns, TestState } from "./tests-run.tsx";
import { ChangedValue } from "../text/changed-text.tsx";
import { RecordedText } from "../text/recorded-text.tsx";

export type ProjectTest = Answer<"listTests">["tests"][number];
type Result = NonNullable<ProjectTest["last"]>;

const EXPECTED = {
  same: "does what was recorded",
  fixed: "leaves the recorded failure",
  accepted: "has the accepted outcome",
} as const;
const STATES = {
  passed: ["✓", "ok", "passed"],
  failed: ["✗", "failed", "failed"],
  unknown: ["?", "aborted", "no result"],
} as const;

interface TestRowProps {
  readonly test: ProjectTest;
  readonly isSelected: boolean;
  /** in the tests that run now */
  readonly state: TestState;
  /** null: none may be started now */
  readonly start: TestsRuns["start"];
}

/** A test: what its last run said, and where to go from there. */
export function TestRow({ test, isSelected, state, start }: TestRowProps) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!isSelected) return;
    row.current?.scrollIntoView({ block: "nearest" });
    row.current?.focus({ preventScroll: true });
  }, [isSelected]);
  const { name, command, problem, last } = test;
  const [sign, style, word] = STATES[problem !== null ? "failed" : (last?.status ?? "unknown")];
  return (
    <li
      ref={row}
      tabIndex={-1}
      className={isSelected ? "test-row selected" : "test-row"}
      aria-current={isSelected ? "true" : undefined}
    >
      <header>
        <span className={`status ${style}`}>
          <span aria-hidden="true">{sign}</span> {word}
        </span>
        <h2>
          <RecordedText>{name}</RecordedText>
        </h2>
        {state !== null && <span className="badge">{state === "runs" ? "running …" : "waits"}</span>}
        {last?.isStale === true && (
          <span className="badge warn" title="The files of the test have changed since it was run">
            changed since
          </span>
        )}
        {last !== null && <When result={last} />}
      </header>
      {problem !== null && (
        <p className="test-cause">
          <RecordedText>{problem}</RecordedText>
        </p>
      )}
      {last?.status === "failed" && <Failure result={last} name={name} />}
      <Facts test={test} />
      {command !== null && <HowToRun test={test} command={command} start={start} />}
    </li>
  );
}

/** What is expected, and the runs that have to do with it. */
function Facts({ test: { name, file, run, expect, last } }: { test: ProjectTest }) {
  const replay = last?.replay ?? null;
  const of = <span className="sr-only"> of {name}</span>;
  return (
    <p className="test-facts muted">
      {expect !== null && <span>expected: the agent {EXPECTED[expect]}</span>}
      <code>
        <RecordedText>{file}</RecordedText>
      </code>
      {run !== null && (
        <Link to="/r/$run" params={{ run }}>
          Recorded run{of}
        </Link>
      )}
      {replay !== null && (
        <Link to="/r/$run" params={{ run: replay }}>
          Replay that failed{of}
        </Link>
      )}
      {replay !== null && run !== null && (
        <Link to="/diff/$a/$b" params={{ a: run, b: replay }} search={{}}>
          Side by side{of}
        </Link>
      )}
    </p>
  );
}

function Failure({ result, name }: { result: Result; name: string }) {
  const { what, cause, step } = result;
  const words = what.startsWith(`${name}: `) ? what.slice(name.length + 2) : what;
  return (
    <>
      <p className="test-cause">
        {cause === null ? (
          <RecordedText>{words}</RecordedText>
        ) : (
          <>
            {step !== null && <strong>step {step}: </strong>}
            <RecordedText>{cause}</RecordedText>
          </>
        )}
      </p>
      <Difference result={result} name={name} />
    </>
  );
}

interface HowToRunProps {
  readonly test: ProjectTest;
  readonly command: string;
  readonly start: TestsRuns["start"];
}

function HowToRun({ test: { name, file }, command, start }: HowToRunProps) {
  return (
    <>
      {start !== null && (
        <button type="button" className="button" onClick={() => start([file])}>
          Run<span className="sr-only"> {name}</span>
        </button>
      )}
      <CopyLine what={`that runs ${name}`}>{command.replace(/^reenact /, "npx reenact ")}</CopyLine>
    </>
  );
}

/** Both values where the replay first differs: of a function there is no run of the replay to compare with. */
function Difference({ result: { pointer, recorded, now }, name }: { result: Result; name: string }) {
  if (recorded === null && now === null) return null;
  return (
    <details className="test-difference">
      <summary>
        What differed<span className="sr-only"> in {name}</span>
        {pointer !== null && pointer !== "" && (
          <>
            {" "}
            at{" "}
            <code>
              <RecordedText>{pointer}</RecordedText>
            </code>
          </>
        )}
      </summary>
      <ChangedValue recorded={recorded} now={now} of={` in ${name}`} />
    </details>
  );
}

function When({ result: { at, durationMs } }: { result: Result }) {
  return (
    <span className="test-when muted">
      <time dateTime={new Date(at).toISOString()} title={moment(at)}>
        {age(at, Date.now())} ago
      </time>{" "}
      in {duration(durationMs)}
    </span>
  );
}
