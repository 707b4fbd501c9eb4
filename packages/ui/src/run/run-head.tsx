import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Run } from "../api/call.ts";
import { offline } from "../api/offline.ts";
import { useKeys } from "../layout/use-keys.ts";
import { dollars, duration, moment, number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { NextSteps } from "./next-steps.tsx";
import { ReplayOf, Replays } from "./replays.tsx";
import { RunLink } from "./run-link.tsx";
import { RunMarks } from "./run-marks.tsx";
import { Status } from "./status.tsx";
import { runName } from "./run-name.ts";
import { stepCount } from "./step-count.ts";
import type { LiveState } from "./use-live-run.ts";
import type { LoadedRun } from "./use-run-view.ts";

interface RunHeadProps {
  readonly view: LoadedRun;
  readonly live: LiveState;
}

/** Whether a replay of the run can say something: it has ended, is no replay itself, and its steps were recorded. */
export const isReplayable = ({ state, replayOf, incompleteReasons }: Run): boolean =>
  state === "sealed" && replayOf === null && !incompleteReasons.some((reason) => reason.startsWith("not replayable"));

/** The answer or the error first, then five numbers and what else is known of the run. */
export function RunHead({ view, live }: RunHeadProps) {
  const [isTesting, setTesting] = useState(false);
  const { run, question, answer } = view;
  const hasNext = offline === null && isReplayable(run);
  useKeys(hasNext ? { t: { does: "Make a test of this run", act: () => setTesting((now) => !now) } } : {});
  return (
    <header className="run-head">
      <p className="crumbs">
        {offline === null && (
          <>
            <Link to="/">Runs</Link> <span aria-hidden="true">/</span>{" "}
          </>
        )}
        <code title={run.run}>{run.run.slice(0, 12)}</code>
        {offline === null && <CompareLink run={run} />}
      </p>
      <div className="run-title">
        <h1>
          <RecordedText>{runName(run)}</RecordedText>
        </h1>
        <Status status={run.state === "open" ? "open" : run.status} />
        <Badges view={view} live={live} />
      </div>
      <ReplayOf run={run} />
      {run.error && <ErrorBox view={view} />}
      {question !== null && <Quote who="Asked" text={question} />}
      {answer !== null && <Quote who={run.error ? "Last answer" : "Answered"} text={answer} />}
      {offline === null && <Replays run={run.run} />}
      <div className="run-actions">
        {hasNext && <NextSteps run={run.run} isOpen={isTesting} toggle={setTesting} />}
        <RunMarks run={run} steps={view.steps.length} />
      </div>
      <dl className="numbers">
        <DurationFact view={view} />
        <Fact name="Steps" note={stepNote(view)}>
          {number(stepCount(run))}
        </Fact>
        <Fact name="Tokens" note={tokenNote(run.tokenKinds)}>
          {run.tokens === 0 ? "–" : number(run.tokens)}
        </Fact>
        <Fact name="Cost">{dollars(run.cost)}</Fact>
        <Fact name="Started" note={run.service ?? ""}>
          <time dateTime={new Date(run.started).toISOString()}>{moment(run.started)}</time>
        </Fact>
      </dl>
    </header>
  );
}

/** To the comparison with the run that this one replays, else to the list, where another run is chosen. */
function CompareLink({ run: { run, replayOf } }: { run: Run }) {
  if (replayOf === null)
    return (
      <Link to="/" search={{ marked: run }} className="compare">
        Compare with …
      </Link>
    );
  return (
    <Link to="/diff/$a/$b" params={{ a: replayOf, b: run }} search={{}} className="compare">
      Compare with what it replays
    </Link>
  );
}

/** Of a run that goes on: from its begin to the last end of a step that has arrived. */
function DurationFact({ view: { run, steps } }: { view: LoadedRun }) {
  if (run.durationMs !== null) return <Fact name="Duration">{duration(run.durationMs)}</Fact>;
  const soFar = steps.reduce(
    (most, { started, durationMs }) => Math.max(most, started + (durationMs ?? 0) - run.started),
    0,
  );
  return (
    <Fact name="Duration" note="so far">
      {duration(soFar)}
    </Fact>
  );
}

function stepNote({ run, total }: LoadedRun): string {
  const repeated = run.steps === 0 ? 0 : total - run.steps;
  const attempts = repeated > 0 ? `, ${number(repeated)} repeated` : "";
  return `${number(run.llm)} model, ${number(run.toolCalls)} tool${attempts}`;
}

function tokenNote({ prompt, completion }: Readonly<Record<string, number>>): string {
  if (prompt === undefined || completion === undefined) return "not reported";
  return `${number(prompt)} in, ${number(completion)} out`;
}

function ErrorBox({ view: { run, cause, steps } }: { view: LoadedRun }) {
  const { error } = run;
  const step = cause && steps.find((each) => each.step === cause.step);
  return (
    <section className="error-box" aria-label="Error">
      <p className="error-message">
        {error!.class !== "" && <strong>{error!.class}: </strong>}
        <RecordedText>{error!.message}</RecordedText>
      </p>
      {cause && (
        <p>
          {cause.certain ? "Caused by " : "Last step that failed: "}
          <Link from="/r/$run" to="." search={(before) => ({ ...before, step: cause.step })}>
            step {cause.step}
            {step && (
              <>
                {" "}
                · <RecordedText>{step.name}</RecordedText>
              </>
            )}
          </Link>
          {step?.error && step.error.message !== error!.message && (
            <>
              {" "}
              <span className="muted">
                <RecordedText>
                  {[step.error.class, step.error.message].filter((each) => each !== "").join(": ")}
                </RecordedText>
              </span>
            </>
          )}
        </p>
      )}
    </section>
  );
}

function Quote({ who, text }: { who: string; text: string }) {
  return (
    <section className="quote">
      <h2>{who}</h2>
      <p className="clamp" tabIndex={0}>
        <RecordedText>{text}</RecordedText>
      </p>
    </section>
  );
}

function Fact({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        {note && (
          <small>
            <RecordedText>{note}</RecordedText>
          </small>
        )}
      </dd>
    </div>
  );
}

const LIVE_WORDS = {
  on: "live",
  waiting: "connecting",
  off: "read every few seconds",
  cut: "not connected",
} as const;

function Badges({ view: { run, redacted }, live }: RunHeadProps) {
  return (
    <ul className="badges" aria-label="Facts">
      {run.state === "open" && <li className={live === "cut" ? "badge warn" : "badge"}>{LIVE_WORDS[live]}</li>}
      {run.state === "sealed" && (
        <li className={run.complete ? "badge good" : "badge warn"} title={run.incompleteReasons.join("\n")}>
          {run.complete ? "complete" : `incomplete: ${run.incompleteReasons[0] ?? "reason not known"}`}
        </li>
      )}
      {redacted > 0 && <li className="badge">{number(redacted)} redacted</li>}
      {run.replayOf !== null && (
        <li className="badge">
          replay of <RunLink run={run.replayOf} />
        </li>
      )}
      {run.state === "sealed" && (
        <li className="badge">
          {run.class === "keep" ? "kept" : run.class}
          {run.rule !== null && run.rule !== "pinned" && (
            <>
              : <RecordedText>{run.rule}</RecordedText>
            </>
          )}
        </li>
      )}
      {run.flags.map((flag) => (
        <li key={flag} className="badge warn">
          <RecordedText>{flag}</RecordedText>
        </li>
      ))}
      {run.models.length > 0 && (
        <li className="badge">
          <RecordedText>{run.models[0]!}</RecordedText>
        </li>
      )}
    </ul>
  );
}
