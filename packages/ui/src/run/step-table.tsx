import { useState } from "react";
import type { ViewStep } from "../api/call.ts";
import { dollars, duration, number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { Status } from "./status.tsx";
import { StepColumns } from "./step-columns.tsx";
import { StepLink } from "./step-link.tsx";

const AT_ONCE = 500;
/** Shown where a step has a value. */
const COLUMNS: readonly (readonly [name: string, textOf: (step: ViewStep) => string])[] = [
  ["First chunk", ({ firstChunkMs }) => (firstChunkMs === null ? "–" : duration(firstChunkMs))],
  ["Tokens", ({ tokens: { total } }) => (total === undefined ? "–" : number(total))],
  ["Cost", ({ cost }) => dollars(cost)],
];

interface StepTableProps {
  readonly steps: readonly ViewStep[];
  readonly selected: number | null;
  /** start of the run, milliseconds since the epoch */
  readonly begin: number;
}

/** The timeline for those who read tables. */
export function StepTable({ steps, selected, begin }: StepTableProps) {
  const [most, setMost] = useState(AT_ONCE);
  const columns = COLUMNS.filter(([, textOf]) => steps.some((step) => textOf(step) !== "–"));
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
          {columns.map(([name]) => (
            <th scope="col" className="amount" key={name}>
              {name}
            </th>
          ))}
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
              {columns.map(([name, textOf]) => (
                <td className="amount" key={name}>
                  {textOf(step)}
                </td>
              ))}
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
