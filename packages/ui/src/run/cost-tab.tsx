import { useState } from "react";
import type { ViewStep } from "../api/call.ts";
import { dollars, number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { StepLink } from "./step-link.tsx";
import type { LoadedRun } from "./use-run-view.ts";

const AT_ONCE = 500;
/** The parts of which the bar of a step is made. Cached tokens are part of those that went in, reasoning of those that came out. */
const KINDS = [
  ["in", "Input"],
  ["cached", "From cache"],
  ["out", "Output"],
  ["reasoning", "Reasoning"],
] as const;
type Kind = (typeof KINDS)[number][0];
type Counts = Readonly<Record<Kind, number | null>>;

function countsOf(tokens: Readonly<Record<string, number>>): Counts {
  const of = (name: string) => tokens[name] ?? null;
  return {
    in: of("prompt"),
    cached: of("prompt_details.cache_read"),
    out: of("completion"),
    reasoning: of("completion_details.reasoning"),
  };
}

const totalOf = ({ tokens }: ViewStep): number =>
  Math.max(tokens["total"] ?? 0, (tokens["prompt"] ?? 0) + (tokens["completion"] ?? 0));

interface CostTabProps {
  readonly view: LoadedRun;
  readonly selected: number | null;
}

/** Tokens by kind, and what they cost, step by step. */
export function CostTab({ view: { run, steps }, selected }: CostTabProps) {
  const [most, setMost] = useState(AT_ONCE);
  const counted = steps.filter((step) => totalOf(step) > 0);
  if (counted.length === 0)
    return <p className="empty">No provider has reported tokens in this run, so its cost is not known.</p>;
  const largest = counted.reduce((max, step) => Math.max(max, totalOf(step)), 0);
  const costs = counted.some(({ cost }) => cost !== null);
  const columns = KINDS.filter(([kind]) => counted.some(({ tokens }) => countsOf(tokens)[kind] !== null));
  const sum = (kind: Kind) => counted.reduce((all, { tokens }) => all + (countsOf(tokens)[kind] ?? 0), 0);
  return (
    <section aria-label="Tokens and cost">
      {run.cost === null && !costs && (
        <p className="muted cost-note">
          The cost is not known: the collector has no list of prices (setting <code>prices</code>), or none for this
          model.
        </p>
      )}
      <div className="table-scroll" role="region" aria-label="Tokens by step" tabIndex={0}>
        <table className="step-table cost-table">
          <thead>
            <tr>
              <th scope="col" className="amount">
                Step
              </th>
              <th scope="col">Model</th>
              <th scope="col" className="cost-bar-cell">
                Tokens
              </th>
              {columns.map(([kind, name]) => (
                <th scope="col" className="amount" key={kind}>
                  {name}
                </th>
              ))}
              {costs && (
                <th scope="col" className="amount">
                  Cost
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {counted.slice(0, most).map((step) => (
              <tr key={step.id} className={step.step === selected ? "selected" : undefined}>
                <td className="amount">
                  <StepLink step={step.step} />
                </td>
                <td>
                  <RecordedText>{step.model ?? step.name}</RecordedText>
                </td>
                <td className="cost-bar-cell">
                  <CostBar counts={countsOf(step.tokens)} largest={largest} />
                </td>
                {columns.map(([kind]) => (
                  <td className="amount" key={kind}>
                    {amount(countsOf(step.tokens)[kind])}
                  </td>
                ))}
                {costs && <td className="amount">{dollars(step.cost)}</td>}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={3}>
                {number(counted.length)} {counted.length === 1 ? "call" : "calls"}
              </th>
              {columns.map(([kind]) => (
                <td className="amount" key={kind}>
                  {number(sum(kind))}
                </td>
              ))}
              {costs && <td className="amount">{dollars(run.cost)}</td>}
            </tr>
          </tfoot>
        </table>
      </div>
      {counted.length > most && (
        <button type="button" className="more" onClick={() => setMost(most + AT_ONCE)}>
          {number(counted.length - most)} more calls
        </button>
      )}
    </section>
  );
}

const amount = (value: number | null): string => (value === null ? "–" : number(value));

/** The numbers beside it say the same. */
function CostBar({ counts, largest }: { counts: Counts; largest: number }) {
  const [read, written] = [counts.in ?? 0, counts.out ?? 0];
  const cached = Math.min(read, counts.cached ?? 0);
  const parts: readonly (readonly [string, number])[] = [
    ["cached", cached],
    ["in", read - cached],
    ["out", written],
  ];
  const scale = 1000 / largest;
  return (
    <svg className="cost-bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
      {parts.map(([name, size], at) => (
        <rect
          key={name}
          className={name}
          x={parts.slice(0, at).reduce((sum, [, before]) => sum + before, 0) * scale}
          width={size * scale}
          height={10}
        />
      ))}
    </svg>
  );
}
