import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Run } from "../api/call.ts";
import { Status } from "../run/status.tsx";
import { stepCount } from "../run/step-count.ts";
import { dollars, duration, moment, number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";

/** Of one fact of a run what is shown, and by how much two runs differ in it. */
interface Fact {
  readonly name: string;
  readonly of: (run: Run) => ReactNode;
  /** "": they are equal, or there is no difference to count */
  readonly more: (a: Run, b: Run) => string;
}

const FACTS: readonly Fact[] = [
  {
    name: "Outcome",
    of: (run) => (
      <>
        <Status status={run.state === "open" ? "open" : run.status} />
        {run.error && (
          <span className="outcome">
            <RecordedText>{[run.error.class, run.error.message].filter((each) => each !== "").join(": ")}</RecordedText>
          </span>
        )}
      </>
    ),
    more: () => "",
  },
  { name: "Model", of: (run) => <RecordedText>{run.models.join(", ") || "–"}</RecordedText>, more: () => "" },
  { name: "Steps", of: (run) => number(stepCount(run)), more: by(stepCount, number) },
  {
    name: "Tokens",
    of: ({ tokens }) => (tokens === 0 ? "–" : number(tokens)),
    more: by(({ tokens }) => tokens || null, number),
  },
  { name: "Cost", of: ({ cost }) => dollars(cost), more: by(({ cost }) => cost, dollars) },
  {
    name: "Duration",
    of: ({ durationMs }) => (durationMs === null ? "–" : duration(durationMs)),
    more: by(({ durationMs }) => durationMs, duration),
  },
];

/** The difference of a number, with its sign; "": it is none, or one is not known. */
function by(of: (run: Run) => number | null, text: (value: number) => string): Fact["more"] {
  return (a, b) => {
    const [was, is] = [of(a), of(b)];
    if (was === null || is === null || was === is) return "";
    return `${is > was ? "+" : "−"}${text(Math.abs(is - was))}`;
  };
}

/** What differs of two runs as a whole. */
export function Totals({ a, b }: { a: Run; b: Run }) {
  return (
    <table className="totals">
      <thead>
        <tr>
          <td />
          <Side name="A" run={a} />
          <Side name="B" run={b} />
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {FACTS.map(({ name, of, more }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{of(a)}</td>
            <td>{of(b)}</td>
            <td className="more-or-less">{more(a, b)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Side({ name, run }: { name: string; run: Run }) {
  return (
    <th scope="col">
      {name}{" "}
      <Link to="/r/$run" params={{ run: run.run }}>
        <code>{run.run.slice(0, 6)}</code>
      </Link>
      <small>{moment(run.started)}</small>
    </th>
  );
}
