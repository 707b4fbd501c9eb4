import { Link } from "@tanstack/react-router";
import { Fragment, useState } from "react";
import type { Answer, ViewStep } from "../api/call.ts";
import { StepColumns } from "../run/step-columns.tsx";
import { number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { type EditedValue, givenOf, settable } from "./edited-values.ts";
import { LiveRequest } from "./live-request.tsx";
import { StepEditor } from "./step-editor.tsx";
import type { ReplayState } from "./use-replay.ts";

const AT_ONCE = 500;
/** Calls that the record does not have: their numbers are the program's own. */
const ADDED = new Set(["extra", "exhausted", "wrong-tool"]);
const FAITHFUL = new Set(["exact", "equivalent", "warm", "covered", "live"]);

interface ReplayStepsProps {
  readonly run: string;
  readonly steps: readonly ViewStep[];
  readonly replay: ReplayState | null;
  readonly runTools: readonly string[];
  /** runs the body of a tool, or serves it again; null: it cannot be changed now */
  readonly turn: ((name: string, isOn: boolean) => void) | null;
  readonly bench: Answer<"getWorkbench">;
  readonly edited: readonly EditedValue[];
  readonly edit: (value: EditedValue) => void;
  readonly undo: (step: number) => void;
}

/** The recorded steps with the verdict on each, as it comes, then the calls that the record does not have. */
export function ReplaySteps({ run, steps, replay, runTools, turn, bench, edited, edit, undo }: ReplayStepsProps) {
  const [most, setMost] = useState(AT_ONCE);
  const [editing, setEditing] = useState<number | null>(null);
  const editedAt = (step: number) => edited.find((each) => each.step === step) ?? null;
  const calls = replay?.calls ?? [];
  const verdicts = new Map(calls.filter(({ verdict }) => !ADDED.has(verdict)).map((each) => [each.step, each.verdict]));
  const added = calls.filter(({ verdict }) => ADDED.has(verdict));
  const isRunning = replay !== null && replay.state !== "ended";
  return (
    <div className="table-scroll" role="region" aria-label="Steps" tabIndex={0}>
      <table className="step-table bench-table">
        <StepColumns>
          <th scope="col">Answer</th>
          <th scope="col">Replay</th>
        </StepColumns>
        <tbody>
          {steps.slice(0, most).map((step) => (
            <Fragment key={step.id}>
              <tr>
                <td className="amount bench-number">
                  <Link to="/r/$run" from="/r/$run/replay" search={{ step: step.step }}>
                    {step.step}
                  </Link>
                </td>
                <td className="muted">{step.kind}</td>
                <td className="bench-name">
                  <RecordedText>{step.name}</RecordedText>
                </td>
                <td className="bench-answer">
                  <Source
                    step={step}
                    isLive={verdicts.get(step.step) === "live"}
                    isRun={runTools.includes(step.name)}
                    turn={turn}
                    isAdmitted={bench.admitted}
                    isEdited={editedAt(step.step) !== null}
                    open={settable(steps, step) === null ? null : () => setEditing(step.step)}
                    ask={step.kind === "LLM" && step.slot !== null ? () => setEditing(step.step) : null}
                    undo={() => undo(step.step)}
                  />
                </td>
                <td className="verdict-cell">
                  <CallVerdict verdict={verdicts.get(step.step)} isRunning={isRunning} />
                </td>
              </tr>
              {editing === step.step && (
                <tr className="step-editor-row">
                  <td colSpan={5}>
                    {step.kind === "LLM" ? (
                      <LiveRequest
                        run={run}
                        step={step.step}
                        bench={bench}
                        changes={{ runTools, set: edited.map(givenOf) }}
                        close={() => setEditing(null)}
                      />
                    ) : (
                      <StepEditor
                        run={run}
                        step={step}
                        target={settable(steps, step)!}
                        before={editedAt(step.step)}
                        use={(value) => {
                          edit(value);
                          setEditing(null);
                        }}
                        close={() => setEditing(null)}
                      />
                    )}
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
          {added.map(({ step, slot, attempt, verdict }) => (
            <tr key={`${step} ${slot} ${attempt}`}>
              <td className="amount bench-number">+</td>
              <td />
              <td className="bench-name">
                <RecordedText>{slot}</RecordedText>
              </td>
              <td className="bench-answer muted">not in the record</td>
              <td className="verdict-cell">
                <CallVerdict verdict={verdict} isRunning={isRunning} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {steps.length > most && (
        <button type="button" className="more" onClick={() => setMost(most + AT_ONCE)}>
          {number(steps.length - most)} more steps
        </button>
      )}
    </div>
  );
}

interface SourceProps {
  readonly step: ViewStep;
  readonly isRun: boolean;
  /** a real request was sent for it */
  readonly isLive: boolean;
  readonly turn: ReplayStepsProps["turn"];
  readonly isEdited: boolean;
  /** the page may start a replay */
  readonly isAdmitted: boolean;
  /** opens the editor; null: its answer cannot be set */
  readonly open: (() => void) | null;
  /** shows how to send its request anew; null: it is no call of a model */
  readonly ask: (() => void) | null;
  readonly undo: () => void;
}

/** Where the answer of a step comes from: the record, an edited value, or for a tool its own body. */
function Source({
  step: { kind, name, step },
  isRun,
  isLive,
  turn,
  isEdited,
  isAdmitted,
  open,
  ask,
  undo,
}: SourceProps) {
  const of = <span className="sr-only"> the answer of step {step}</span>;
  return (
    <span className="bench-source">
      {isEdited ? (
        <>
          <span className="badge new">edited</span>
          <button type="button" className="more" onClick={open ?? undefined} disabled={turn === null}>
            Change{of}
          </button>
          <button type="button" className="more" onClick={undo} disabled={turn === null}>
            Undo{of}
          </button>
        </>
      ) : (
        <>
          <span className="muted">{isLive ? "live" : isRun ? "from the tool" : "recorded"}</span>
          {ask !== null && (
            <button type="button" className="more" onClick={ask}>
              Ask it anew<span className="sr-only">: the model, at step {step}</span>
            </button>
          )}
          {open !== null && turn !== null && !isRun && (
            <button type="button" className="more" onClick={open}>
              Edit{of}
            </button>
          )}
        </>
      )}
      {/* a name with a comma has no place in the address */}
      {kind === "TOOL" && isAdmitted && !name.includes(",") && !isEdited && (
        <label className="only-new">
          <input
            type="checkbox"
            checked={isRun}
            disabled={turn === null}
            onChange={({ target }) => turn?.(name, target.checked)}
          />{" "}
          run the tool<span className="sr-only"> of step {step}</span>
        </label>
      )}
    </span>
  );
}

function CallVerdict({ verdict, isRunning }: { verdict: string | undefined; isRunning: boolean }) {
  if (verdict === undefined) return <span className="muted">{isRunning ? "…" : "–"}</span>;
  const isFaithful = FAITHFUL.has(verdict);
  return (
    <span className={isFaithful ? "status ok" : "status failed"}>
      <span aria-hidden="true">{isFaithful ? "✓" : "✗"}</span> {verdict}
    </span>
  );
}
