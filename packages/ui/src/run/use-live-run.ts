import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { ApiFailure } from "../api/api-failure.ts";
import { addressOf, type ViewStep } from "../api/call.ts";
import { type StreamState, useEvents } from "../api/use-events.ts";
import { useVisible } from "../api/use-visible.ts";
import { rereadRun, useRunView } from "./use-run-view.ts";

/** Changes that come within so long are read together, milliseconds. */
const GATHER = 250;
/** Without a stream an open run is read again so often, milliseconds. */
const AGAIN = 2000;
/** It is read for at most this share of the time, of which the collector spends the most: a long run takes long. */
const SHARE = 0.2;

/** "cut": the collector does not answer. */
export type LiveState = StreamState | "cut";

/** A failure that may pass by itself: what was read stays on the screen, and is read again. */
const PASSES: readonly string[] = ["UNREACHABLE", "UNAVAILABLE"];

/**
 * A run, followed while it is open: by the collector's events, or by reading it again where they cannot be had. An event only says
 * from which step on the run has changed; what is shown is always an answer to one reading. `trouble`: it was not read the last time.
 */
export function useLiveRun(run: string) {
  const client = useQueryClient();
  const { loaded, isWhole, error, refetch } = useRunView(run);
  const [trouble, setTrouble] = useState<Error | null>(null);
  const isOpen = loaded?.run.state === "open" && isWhole;
  const reader = useMemo(
    () => createReader((from, signal) => rereadRun(client, run, from, signal), setTrouble),
    [client, run],
  );
  useEffect(() => () => reader.stop(), [reader]);
  useEffect(() => setTrouble(null), [run]);

  // a stream begins with all steps there are
  const places = useMemo(() => new Map(loaded?.steps.map(({ id }, at) => [id, at])), [loaded?.steps]);
  // what goes wrong is in `trouble`
  const changed = (from: number) => void reader.read(from);
  const stream = useEvents(isOpen ? addressOf("watchRun", { path: { run: loaded.run.run } }).href : null, {
    step: (data) => {
      const { step } = data as { step: EventStep };
      const at = places.get(step.id);
      const known = loaded?.steps[at ?? -1];
      // the root span has a number, too, and is no step: the change may be one position further to the front
      if (at === undefined || !known) changed(step.n - 2);
      else if (known.status !== step.status || known.ended !== step.ended) changed(at);
    },
    run: () => changed(Infinity),
    reset: () => changed(0),
    sealed: () => changed(0),
    gone: () => changed(0),
  });
  const isPassing = trouble instanceof ApiFailure && PASSES.includes(trouble.code);
  const isVisible = useVisible();
  const polls = isOpen && isVisible && (stream === "off" || isPassing);
  useEffect(() => {
    if (!polls) return;
    let timer: ReturnType<typeof setTimeout>;
    const again = async () => {
      await reader.read(0);
      timer = setTimeout(() => void again(), AGAIN);
    };
    timer = setTimeout(() => void again(), 0);
    return () => clearTimeout(timer);
  }, [polls, reader]);

  const retry = () => {
    setTrouble(null);
    refetch();
  };
  const live: LiveState = isPassing ? "cut" : stream;
  return { loaded, live, error: error ?? (isPassing ? null : trouble), retry };
}

type EventStep = Pick<ViewStep, "id" | "status" | "ended"> & { readonly n: number };

/** Reads one at a time; what is asked for meanwhile is read after it, from the first position on. */
function createReader(
  reread: (from: number, signal: AbortSignal) => Promise<void>,
  tell: (trouble: Error | null) => void,
) {
  let wanted: number | null = null;
  let reading: Promise<void> | null = null;
  let abort = new AbortController();
  /** how long to wait before the next one, milliseconds */
  let pause = GATHER;

  async function work({ signal }: AbortController): Promise<void> {
    try {
      while (wanted !== null) {
        // oxlint-disable-next-line no-await-in-loop -- one after another
        await new Promise((resolve) => setTimeout(resolve, pause));
        signal.throwIfAborted();
        const begin = performance.now();
        const from = Math.max(0, wanted);
        wanted = null;
        // oxlint-disable-next-line no-await-in-loop
        await reread(from, signal);
        tell(null);
        pause = Math.max(GATHER, (performance.now() - begin) * (1 / SHARE - 1));
      }
    } catch (error) {
      if (!signal.aborted) tell(error instanceof Error ? error : new Error(String(error)));
    } finally {
      if (abort.signal === signal) reading = null;
    }
  }

  return {
    /** Resolves when it has been tried. `from`: number of steps before the first that may have changed. */
    read(from: number): Promise<void> {
      wanted = Math.min(wanted ?? Infinity, from);
      return (reading ??= work(abort));
    },
    stop() {
      abort.abort();
      abort = new AbortController();
      wanted = null;
      reading = null;
    },
  };
}
