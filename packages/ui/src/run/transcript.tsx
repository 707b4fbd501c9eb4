import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef } from "react";
import type { ViewStep } from "../api/call.ts";
import { StepCard } from "./step-card.tsx";
import { END } from "./use-end.ts";
import type { LoadedRun } from "./use-run-view.ts";

/** Height of a card that has not been shown yet, pixels. */
const GUESS = 160;
const GUESS_FOLDED = 56;
/** Height of what sticks to the top of the window. */
const BAR = 64;
/** … with the field that finds. */
const BAR_AND_FIELD = 120;

interface TranscriptProps {
  readonly view: LoadedRun;
  readonly selected: number | null;
  readonly select: (step: number) => void;
  /** only the heads of the steps, and the messages of the selected one */
  readonly isFolded: boolean;
  readonly isFinding: boolean;
}

/** The steps as a conversation. Only those on the screen are in the document. */
export function Transcript({ view: { run, steps, total }, selected, select, isFolded, isFinding }: TranscriptProps) {
  const list = useRef<HTMLOListElement>(null);
  const rows = useWindowVirtualizer({
    count: steps.length,
    estimateSize: () => (isFolded ? GUESS_FOLDED : GUESS),
    overscan: 6,
    scrollMargin: list.current?.offsetTop ?? 0,
    scrollPaddingStart: isFinding ? BAR_AND_FIELD : BAR,
    scrollPaddingEnd: 16,
    getItemKey: (at) => steps[at]!.id,
    // of a live run: the card under the reader's eyes stays where it is, and at the end new ones are followed
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: END,
  });
  const repeated = useMemo(() => repeatedSteps(steps), [steps]);
  const at = steps.findIndex(({ step }) => step === selected);
  const reached = useRef<string | null>(null);
  const id = steps[at]?.id ?? null;
  // known heights are of the other form
  useEffect(() => rows.measure(), [isFolded, rows]);
  useEffect(() => {
    // folding moves all cards: the selected one comes into view again
    const place = `${id} ${isFolded}`;
    if (at === -1 || reached.current === place) return;
    reached.current = place;
    rows.scrollToIndex(at, { align: "auto" });
  }, [at, id, isFolded, rows]);

  return (
    <ol ref={list} className="transcript" style={{ height: rows.getTotalSize() }} aria-label={`${total} steps`}>
      {rows.getVirtualItems().map(({ index, key, start }) => {
        const step = steps[index]!;
        return (
          <li
            key={key}
            ref={rows.measureElement}
            data-index={index}
            style={{ transform: `translateY(${start - rows.options.scrollMargin}px)` }}
            aria-setsize={total}
            aria-posinset={index + 1}
          >
            <StepCard
              run={run.run}
              step={step}
              isSelected={step.step === selected}
              isFolded={isFolded && step.step !== selected}
              isRepeated={repeated.has(step.id)}
              select={() => select(step.step)}
            />
          </li>
        );
      })}
    </ol>
  );
}

/** Ids of attempts after which another one was made. */
function repeatedSteps(steps: readonly ViewStep[]): ReadonlySet<string> {
  const place = (slot: string, attempt: number) => JSON.stringify([slot, attempt]);
  const later = new Set(steps.flatMap(({ slot, attempt }) => (slot && attempt ? [place(slot, attempt - 1)] : [])));
  return new Set(
    steps.flatMap(({ id, slot, attempt }) =>
      slot !== null && attempt !== null && later.has(place(slot, attempt)) ? [id] : [],
    ),
  );
}
