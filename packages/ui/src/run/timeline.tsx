import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { ViewStep } from "../api/call.ts";
import { duration } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { StepTable } from "./step-table.tsx";
import { END } from "./use-end.ts";
import type { LoadedRun } from "./use-run-view.ts";

const ROW = 30;
/** The most that fit. */
const TICKS = 5;

interface TimelineProps {
  readonly view: LoadedRun;
  readonly selected: number | null;
  readonly select: (step: number) => void;
  readonly asTable: boolean;
  readonly show: (asTable: boolean) => void;
}

/** When each step ran, as bars over time or as a table. */
export function Timeline({ view, selected, select, asTable, show }: TimelineProps) {
  return (
    <section aria-label="Timeline">
      <div className="switch" role="group" aria-label="Show as">
        <button type="button" aria-pressed={!asTable} onClick={() => show(false)}>
          Bars
        </button>
        <button type="button" aria-pressed={asTable} onClick={() => show(true)}>
          Table
        </button>
      </div>
      {asTable ? (
        <StepTable steps={view.steps} selected={selected} begin={view.run.started} />
      ) : (
        <Bars view={view} selected={selected} select={select} />
      )}
    </section>
  );
}

function Bars({ view: { run, steps }, selected, select }: Pick<TimelineProps, "view" | "selected" | "select">) {
  const list = useRef<HTMLOListElement>(null);
  const rows = useWindowVirtualizer({
    count: steps.length,
    estimateSize: () => ROW,
    overscan: 20,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (at) => steps[at]!.id,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: END,
  });
  const at = steps.findIndex(({ step }) => step === selected);
  const reached = useRef<string | null>(null);
  const id = steps[at]?.id ?? null;
  useEffect(() => {
    if (at === -1 || reached.current === id) return;
    reached.current = id;
    rows.scrollToIndex(at, { align: "auto" });
  }, [at, id, rows]);

  const begin = Math.min(run.started, ...steps.slice(0, 1).map(({ started }) => started));
  const end = steps.reduce((latest, { started, ended }) => Math.max(latest, ended ?? started), run.ended ?? begin + 1);
  const span = Math.max(1, end - begin);
  return (
    <div className="bars">
      <div className="axis" aria-hidden="true">
        {ticksOf(span).map((at) => (
          <span key={at} style={{ insetInlineStart: `${(at / span) * 100}%` }}>
            {duration(at)}
          </span>
        ))}
      </div>
      <ol ref={list} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const step = steps[index]!;
          return (
            <li key={key} style={{ transform: `translateY(${start - rows.options.scrollMargin}px)`, height: ROW }}>
              <button
                type="button"
                className={step.step === selected ? "bar-row selected" : "bar-row"}
                onClick={() => select(step.step)}
                aria-pressed={step.step === selected}
              >
                <span className="bar-label" style={{ paddingInlineStart: `${Math.min(step.depth, 6) * 0.75}rem` }}>
                  <span className="bar-number">{step.step}</span> <RecordedText>{step.name}</RecordedText>
                </span>
                <span className="bar-lane">
                  <Bar step={step} begin={begin} span={span} />
                </span>
                <span className="bar-time">{step.durationMs === null ? "open" : duration(step.durationMs)}</span>
              </button>
            </li>
          );
        })}
      </ol>
      <p className="legend muted">
        <span className="swatch llm" /> model <span className="swatch tool" /> tool <span className="swatch other" />{" "}
        other <span className="swatch failed" /> failed <span className="swatch waiting" /> until the first chunk
      </p>
    </div>
  );
}

/** Round times from 0 up to a span, both in milliseconds. */
function ticksOf(span: number): number[] {
  const power = 10 ** Math.floor(Math.log10(span / TICKS));
  const step = [1, 2, 5, 10].map((n) => n * power).find((each) => span / each <= TICKS) ?? span;
  return Array.from({ length: Math.ceil(span / step) }, (_, n) => n * step);
}

/** Where a step lies in the run; the paler part is the time until the first chunk of its answer. */
function Bar({ step, begin, span }: { step: ViewStep; begin: number; span: number }) {
  const { started, durationMs, firstChunkMs, kind, status } = step;
  const length = durationMs ?? begin + span - started;
  const waiting = firstChunkMs === null || length <= 0 || status === "failed" ? 0 : Math.min(1, firstChunkMs / length);
  const color = kind === "LLM" ? "llm" : kind === "TOOL" ? "tool" : "other";
  return (
    <span
      className={`bar ${status === "failed" ? "failed" : color}`}
      style={{
        insetInlineStart: `${Math.max(0, ((started - begin) / span) * 100)}%`,
        width: `max(3px, ${(length / span) * 100}%)`,
      }}
    >
      {waiting > 0 && <span className="waiting" style={{ width: `${waiting * 100}%` }} />}
    </span>
  );
}
