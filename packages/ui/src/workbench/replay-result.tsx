import { Link } from "@tanstack/react-router";
import { verdictWords } from "../run/replay-verdict.tsx";
import { CopyLine } from "../setup/copy-line.tsx";
import { ChangedValue } from "../text/changed-text.tsx";
import { dollars, duration, number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import type { ReplayState } from "./use-replay.ts";

type Report = NonNullable<ReplayState["report"]>;

/** What a replay that has ended says: verdict, first cause, both values, and what to do next. */
export function ReplayResult({ replay, recorded }: { replay: ReplayState; recorded: string }) {
  const { report, failure, cancelled, durationMs } = replay;
  if (report === null)
    return (
      <section className={cancelled ? "bench-result" : "bench-result failed"} aria-label="Result">
        <h2>{cancelled ? "Cancelled" : "It could not be replayed"}</h2>
        {failure !== null && (
          <p>
            <RecordedText>{failure}</RecordedText>
          </p>
        )}
      </section>
    );
  const [sign, style, word, rest] = verdictWords(report.verdict);
  return (
    <section className={`bench-result ${cancelled ? "" : style}`} aria-label="Result">
      <h2>
        {cancelled ? (
          "Cancelled"
        ) : (
          <>
            <span aria-hidden="true">{sign}</span> {word}
            {rest}
          </>
        )}
      </h2>
      <p className="muted">{countsOf(report, durationMs)}</p>
      {report.divergence !== null && <FirstCause divergence={report.divergence} />}
      {report.stopped !== null && report.stopped !== report.divergence?.cause && (
        <p>
          stopped: <RecordedText>{report.stopped}</RecordedText>
        </p>
      )}
      <Notes report={report} />
      <p className="bench-links">
        {report.replay !== null && (
          <>
            <Link to="/r/$run" params={{ run: report.replay }}>
              Open the replay
            </Link>
            <Link to="/diff/$a/$b" params={{ a: recorded, b: report.replay }} search={{}}>
              Side by side
            </Link>
          </>
        )}
      </p>
      <CopyLine what="that comes next">{report.next}</CopyLine>
    </section>
  );
}

function countsOf(
  { recorded, edited, live, refused, sockets, missing, costUsd }: Report,
  durationMs: number | null,
): string {
  const counts = [
    `${number(recorded)} recorded`,
    ...(edited > 0 ? [`${number(edited)} run anew`] : []),
    `${number(live)} live`,
    ...(live > 0 ? [costUsd === null ? "cost unknown" : dollars(costUsd)] : []),
    `${number(refused)} refused`,
    ...(missing > 0 ? [`${number(missing)} missing`] : []),
    `${number(sockets)} ${sockets === 1 ? "socket" : "sockets"}`,
    ...(durationMs === null ? [] : [duration(durationMs)]),
  ];
  return counts.join(" · ");
}

/** What was not compared, and what else was found, beyond what the cause says. */
function Notes({ report: { notes: all, findings, divergence, stopped } }: { report: Report }) {
  const notes = all.filter((note) => !divergence?.cause.includes(note) && !stopped?.includes(note));
  if (notes.length === 0 && findings.length === 0) return null;
  return (
    <ul className="muted">
      {notes.map((note) => (
        <li key={note}>
          <RecordedText>{note}</RecordedText>
        </li>
      ))}
      {findings.length > 0 && <li>also: {findings.join(", ")}</li>}
    </ul>
  );
}

function FirstCause({ divergence }: { divergence: NonNullable<Report["divergence"]> }) {
  const { step, run, cause, recorded, now } = divergence;
  return (
    <>
      <p>
        {run !== null && (
          <>
            in the run <RecordedText>{run}</RecordedText> of the same process:{" "}
          </>
        )}
        {step !== null && <strong>step {step}: </strong>}
        <RecordedText>{cause}</RecordedText>
      </p>
      <ChangedValue recorded={recorded} now={now} />
    </>
  );
}
