import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef } from "react";
import type { ViewStep } from "../api/call.ts";
import { number } from "../text/format.ts";

interface FindBarProps {
  readonly steps: readonly ViewStep[];
  readonly text: string;
  readonly selected: number | null;
  readonly change: (text: string) => void;
  readonly select: (step: number) => void;
  readonly close: () => void;
}

/** Goes to the steps whose names, errors or shown texts have some words. Of a long value its first 2,000 characters are looked through. */
export function FindBar({ steps, text, selected, change, select, close }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const found = useMemo(
    () => (wanted === "" ? [] : steps.filter((each) => textsOf(each).some((of) => of.toLowerCase().includes(wanted)))),
    [steps, wanted],
  );
  const at = found.findIndex(({ step }) => step === selected);
  const go = (by: 1 | -1) => {
    const next =
      by === 1
        ? found.find(({ step }) => step > (selected ?? 0))
        : found.findLast(({ step }) => step < (selected ?? 0));
    const other = by === 1 ? found[0] : found.at(-1);
    const to = next ?? other;
    if (to !== undefined) select(to.step);
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") close();
    else if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  return (
    <search className="find-bar">
      <input
        ref={field}
        aria-label="Find in this run"
        placeholder="Find in this run"
        value={text}
        onChange={({ target }) => change(target.value)}
        onKeyDown={press}
        spellCheck={false}
        autoComplete="off"
      />
      <span className="muted" role="status">
        {wordsOf(wanted, found.length, at)}
      </span>
      <button type="button" className="button quiet" onClick={() => go(-1)} disabled={found.length === 0}>
        <span aria-hidden="true">↑</span>
        <span className="sr-only">Previous step that has it</span>
      </button>
      <button type="button" className="button quiet" onClick={() => go(1)} disabled={found.length === 0}>
        <span aria-hidden="true">↓</span>
        <span className="sr-only">Next step that has it</span>
      </button>
      <button type="button" className="button quiet" onClick={close} aria-label="Close the search">
        ×
      </button>
    </search>
  );
}

function textsOf({ name, model, error, input, output }: ViewStep): string[] {
  const shown = [...input, ...output].flatMap((item) => [item.name ?? "", item.text]);
  return [name, model ?? "", error?.class ?? "", error?.message ?? "", ...shown];
}

function wordsOf(wanted: string, count: number, at: number): string {
  if (wanted === "") return "";
  if (count === 0) return "in no step";
  const steps = `${number(count)} ${count === 1 ? "step" : "steps"}`;
  return at === -1 ? steps : `${number(at + 1)} of ${steps}`;
}
