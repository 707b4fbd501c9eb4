import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { DiffRow, RunDiff } from "../api/call.ts";
import { ChangedText, TextStretch } from "../text/changed-text.tsx";
import { number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";

const MARKS: Readonly<Record<DiffRow["status"], readonly [sign: string, word: string]>> = {
  same: ["=", "the same"],
  changed: ["~", "changed"],
  moved: ["↕", "moved"],
  added: ["+", "only in B"],
  removed: ["−", "only in A"],
};
/** Kinds that have a colour. */
const KINDS: Readonly<Record<string, readonly string[]>> = { LLM: ["llm"], TOOL: ["tool"] };
const AT_ONCE = 200;

interface DiffRowsProps {
  readonly diff: RunDiff;
  readonly all: boolean;
  /** from 1 */
  readonly selected: number | null;
  readonly select: (row: number) => void;
  readonly showAll: () => void;
}

/** The steps of both runs side by side; stretches of equal ones are folded unless all are shown. */
export function DiffRows({ diff: { a, b, rows }, all, selected, select, showAll }: DiffRowsProps) {
  const [most, setMost] = useState(AT_ONCE);
  const entries = all ? rows.map((_, at) => ({ at, same: 0 })) : folded(rows);
  const end = Math.max(most, entries.findIndex(({ at, same }) => same === 0 && at + 1 === selected) + 1);
  return (
    <>
      <ol className="diff-rows">
        {entries.slice(0, end).map(({ at, same }) =>
          same > 0 ? (
            <li key={`fold ${at}`} className="fold">
              <button type="button" className="more" onClick={showAll}>
                <span aria-hidden="true">= </span>
                {number(same)} {same === 1 ? "step" : "steps"} the same
              </button>
            </li>
          ) : (
            <Row
              key={at}
              row={rows[at]!}
              a={a.run}
              b={b.run}
              isSelected={at + 1 === selected}
              select={() => select(at + 1)}
            />
          ),
        )}
      </ol>
      {entries.length > end && (
        <button type="button" className="more" onClick={() => setMost(end + AT_ONCE)}>
          {number(entries.length - end)} more
        </button>
      )}
    </>
  );
}

/** Positions of the rows that differ, and between them how many are the same. */
function folded(rows: readonly DiffRow[]): { at: number; same: number }[] {
  const entries: { at: number; same: number }[] = [];
  rows.forEach(({ status }, at) => {
    const last = entries.at(-1);
    if (status !== "same") entries.push({ at, same: 0 });
    else if (last && last.same > 0) last.same++;
    else entries.push({ at, same: 1 });
  });
  return entries;
}

interface RowProps {
  readonly row: DiffRow;
  /** ids of the runs */
  readonly a: string;
  readonly b: string;
  readonly isSelected: boolean;
  readonly select: () => void;
}

function Row({ row, a, b, isSelected, select }: RowProps) {
  const { status, before, after, kind, name, changes } = row;
  const [sign, word] = MARKS[status];
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!isSelected) return;
    item.current?.scrollIntoView({ block: "nearest" });
    // the reader of a screen hears which one it is
    item.current?.focus({ preventScroll: true });
  }, [isSelected]);
  return (
    <li
      ref={item}
      className={["diff-row", status, ...(KINDS[kind] ?? []), ...(isSelected ? ["selected"] : [])].join(" ")}
      tabIndex={-1}
      aria-current={isSelected ? "true" : undefined}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest("a, button, pre")) return;
        select();
      }}
    >
      <header>
        <span className="mark" aria-hidden="true">
          {sign}
        </span>
        <span className="numbers-of">
          {before === null ? <Nothing /> : <StepOf run={a} step={before} side="A" />}
          <span aria-hidden="true">→</span>
          {after === null ? <Nothing /> : <StepOf run={b} step={after} side="B" />}
        </span>
        <span className="kind">{kind || "STEP"}</span>
        <h3>
          <RecordedText>{name}</RecordedText>
        </h3>
        <span className="muted word">{word}</span>
      </header>
      {changes.map((change) => (
        <Change key={change.part} change={change} />
      ))}
    </li>
  );
}

const Nothing = () => (
  <span className="muted" aria-hidden="true">
    –
  </span>
);

function StepOf({ run, step, side }: { run: string; step: number; side: string }) {
  return (
    <Link to="/r/$run" params={{ run }} search={{ step }} aria-label={`Step ${step} of ${side}`}>
      {step}
    </Link>
  );
}

function Change({ change: { part, pointer, before, after } }: { change: DiffRow["changes"][number] }) {
  return (
    <div className="change">
      <p>
        <strong>{part}</strong>
        {pointer !== "" && (
          <>
            {" "}
            <span className="muted">at</span>{" "}
            <code>
              <RecordedText>{pointer}</RecordedText>
            </code>
          </>
        )}
      </p>
      <pre tabIndex={0} aria-label={`${part}, A and B`}>
        {before && after && <ChangedText was={before} is={after} />}
        {before && !after && (
          <del>
            <TextStretch of={before} />
          </del>
        )}
        {after && !before && (
          <ins>
            <TextStretch of={after} />
          </ins>
        )}
      </pre>
    </div>
  );
}
