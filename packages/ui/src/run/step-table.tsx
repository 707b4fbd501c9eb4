import { useState } from "react";
import type { ViewStep } from "../api/call.ts";
import { dollars, duration, number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { Status } from "./status.tsx";
import { StepColumns } from "./step-columns.tsx";
import { StepLink } from "./step-link.tsx";

const AT_ONCE = 500;

interface StepTableProps {
  readonly steps: readonly ViewStep[];
  readonly selected: number | null;
  /** start of the run, milliseconds since the epoch */
  readonly begin: number;
}

/** The timeline for those who read tables. */
export function StepTable({ steps, selected, begin }: StepTableProps) {
  const [most, setMost] = useState(AT_ONCE);
  return (
    <div className="table-scroll" role="region" aria-label="Steps" tabIndex={0}>
      <table className="step-table">
        <StepColumns>
          <th scope="col">Status</th>
          <th scope="col" className="amount">
            After
          </th>
          <th scope="col" className="amount">
            Duration
          </th>
          <th scope="col" className="amount">
            First chunk
          </th>
          <th scope="col" className="amount">
            Tokens
          </th>
          <th scope="col" className="amount">
            Cost
          </th>
        </StepColumns>
        <tbody>
          {steps.slice(0, most).map((step) => (
            <tr key={step.id} className={step.step === selected ? "selected" : undefined}>
              <td className="amount">
                <StepLink step={step.step} />
              </td>
              <td>{step.kind}</td>
              <td>
                <RecordedText>{step.name}</RecordedText>
              </td>
              <td>
                <Status status={step.status} />
              </td>
              <td className="amount">{duration(Math.max(0, step.started - begin))}</td>
              <td className="amount">{step.durationMs === null ? "–" : duration(step.durationMs)}</td>
              <td className="amount">{step.firstChunkMs === null ? "–" : duration(step.firstChunkMs)}</td>
              <td className="amount">{step.tokens["total"] === undefined ? "–" : number(step.tokens["total"])}</td>
              <td className="amount">{dollars(step.cost)}</td>
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
