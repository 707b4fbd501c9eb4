import { getRouteApi } from "@tanstack/react-router";
import { useEffect } from "react";
import type { ViewStep } from "../api/call.ts";
import { offline } from "../api/offline.ts";
import { useAddress } from "../layout/use-address.ts";
import { type RunSearch, runSearch } from "../search.ts";
import type { LoadedRun } from "./use-run-view.ts";

const route = getRouteApi("/r/$run");

/** The selected step and tab of a run's page, which are in its address, and how they change. */
export function useSelection({ run, steps, failed }: LoadedRun) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const address = useAddress(runSearch);
  const { tab = "transcript", step: wanted } = search;
  const shown = stepOf(steps, wanted);
  const selected = numberOf(steps, wanted);
  // moving through steps leaves one entry in the history, changing the tab one each
  const go = (next: RunSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace, resetScroll: false });
  const select = (step: number) => go({ step }, true);

  // a link gives a number, which is another step's when one comes late
  const lasting = shown && (run.state === "open" ? shown.id : shown.step);
  useEffect(() => {
    if (lasting === null || lasting === wanted) return;
    void navigate({
      search: (before) => (before.step === wanted ? { ...before, step: lasting } : before),
      replace: true,
      resetScroll: false,
    });
  }, [lasting, wanted, navigate]);

  return {
    search,
    tab,
    step: shown,
    selected,
    go,
    select,
    move(by: 1 | -1) {
      const now = stepOf(steps, address().step);
      const from = now === null ? (by > 0 ? -1 : steps.length) : steps.indexOf(now);
      const next = steps[Math.min(steps.length - 1, Math.max(0, from + by))];
      if (next) select(next.step);
    },
    toError(by: 1 | -1) {
      const from = numberOf(steps, address().step);
      const next =
        by === 1 ? failed.find((step) => step > (from ?? 0)) : failed.findLast((step) => step < (from ?? Infinity));
      if (next !== undefined) select(next);
    },
    /** Goes to the comparison with the run that this one replays, else to the list, where another run is chosen. */
    compare() {
      if (run.replayOf === null) void navigate({ to: "/", search: { marked: run.run } });
      else void navigate({ to: "/diff/$a/$b", params: { a: run.replayOf, b: run.run }, search: {} });
    },
    open() {
      if (numberOf(steps, address().step) !== null) go({ tab: "raw" });
    },
    back() {
      const now = address();
      if (now.tab !== undefined && now.tab !== "transcript") go({ tab: undefined });
      else if (now.step !== undefined) go({ step: undefined }, true);
      else if (offline === null) void navigate({ to: "/", search: {} });
    },
  };
}

type Wanted = RunSearch["step"];

/** The step that an address names by its number or its span. */
const stepOf = (steps: readonly ViewStep[], wanted: Wanted): ViewStep | null =>
  steps.find(({ step, id }) => step === wanted || id === wanted) ?? null;

/** Its number; a number of a step that has not come yet, too. */
const numberOf = (steps: readonly ViewStep[], wanted: Wanted): number | null =>
  stepOf(steps, wanted)?.step ?? (typeof wanted === "number" ? wanted : null);
