import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { Run } from "../api/call.ts";
import { age, dollars, duration, moment, number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { ReplayVerdict } from "../run/replay-verdict.tsx";
import { runName } from "../run/run-name.ts";
import { Status } from "../run/status.tsx";
import { stepCount } from "../run/step-count.ts";

interface RunTableProps {
  readonly runs: readonly Run[];
  /** id of the selected one */
  readonly selected: string | null;
  readonly select: (run: string) => void;
  /** ids of those that are to be compared */
  readonly marked: readonly string[];
  readonly mark: (run: string) => void;
}

export function RunTable({ runs, selected, select, marked, mark }: RunTableProps) {
  const now = useNow();
  return (
    <table className="run-table">
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Run</th>
          <th scope="col">Model</th>
          <th scope="col" className="amount">
            Steps
          </th>
          <th scope="col" className="amount">
            Tokens
          </th>
          <th scope="col" className="amount">
            Cost
          </th>
          <th scope="col" className="amount">
            Duration
          </th>
          <th scope="col" className="amount">
            Age
          </th>
          <th scope="col">Class</th>
          <th scope="col">
            <span className="sr-only">Compare</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <Row
            key={run.run}
            run={run}
            now={now}
            isSelected={run.run === selected}
            select={() => select(run.run)}
            isMarked={marked.includes(run.run)}
            mark={() => mark(run.run)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly run: Run;
  readonly now: number;
  readonly isSelected: boolean;
  readonly select: () => void;
  readonly isMarked: boolean;
  readonly mark: () => void;
}

function Row({ run, now, isSelected, select, isMarked, mark }: RowProps) {
  const row = useRef<HTMLTableRowElement>(null);
  const models = modelLine(run.models);
  useEffect(() => {
    if (!isSelected) return;
    row.current?.scrollIntoView({ block: "nearest" });
    // the reader of a screen hears which one it is, and Enter opens it
    row.current?.querySelector("a")?.focus({ preventScroll: true });
  }, [isSelected]);
  return (
    <tr ref={row} className={isSelected ? "selected" : undefined} onFocus={select}>
      <td data-label="Status">
        <Status status={run.state === "open" ? "open" : run.status} />
      </td>
      <td className="run-lines">
        <Link to="/r/$run" params={{ run: run.run }} className="run-name">
          <RecordedText>{runName(run)}</RecordedText>
        </Link>{" "}
        <code className="id">{run.run.slice(0, 6)}</code>
        {run.replayOf !== null && (
          <span className="replay-note">
            replay of{" "}
            <Link to="/r/$run" params={{ run: run.replayOf }} tabIndex={-1}>
              {run.replayOf.slice(0, 6)}
            </Link>
            : <ReplayVerdict run={run} />
          </span>
        )}
        {run.question !== null && (
          <p className="question">
            <RecordedText>{run.question}</RecordedText>
          </p>
        )}
        <LastLine run={run} />
      </td>
      <td data-label="Model" className={models === "–" ? "models unknown" : "models"}>
        <RecordedText>{models}</RecordedText>
      </td>
      <Amount name="Steps" text={number(stepCount(run))} />
      <Amount name="Tokens" text={run.tokens === 0 ? "–" : number(run.tokens)} />
      <Amount name="Cost" text={dollars(run.cost)} />
      <Amount name="Duration" text={run.durationMs === null ? "–" : duration(run.durationMs)} />
      <td data-label="Age" className="amount">
        <time dateTime={new Date(run.started).toISOString()} title={moment(run.started)}>
          {age(run.started, now)}
        </time>
      </td>
      <td data-label="Class">
        <span className="badge" title={run.rule === null ? undefined : `by the rule ${run.rule}`}>
          {run.class}
        </span>
      </td>
      <td data-label="Compare">
        <input
          type="checkbox"
          checked={isMarked}
          onChange={mark}
          aria-label={`Mark ${runName(run)} ${run.run.slice(0, 6)} to compare it`}
        />
      </td>
    </tr>
  );
}

/** A dash, for what is not known, is left out where a row is shown as lines. */
function Amount({ name, text }: { name: string; text: string }) {
  return (
    <td data-label={name} className={text === "–" ? "amount unknown" : "amount"}>
      {text}
    </td>
  );
}

/** What went wrong, else what the model answered last. */
function LastLine({ run: { error, answer } }: { run: Run }) {
  const text = error ? [error.class, error.message].filter((each) => each !== "").join(": ") : answer;
  if (text === null) return null;
  return (
    <p className={error ? "last error" : "last"}>
      <RecordedText>{text}</RecordedText>
    </p>
  );
}

/** Names that only add a date to another one are left out. */
function modelLine(models: readonly string[]): string {
  const short = models.filter((model) => !models.some((other) => other !== model && model.startsWith(other)));
  return short.join(", ") || "–";
}

/** The time, anew every ten seconds. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
