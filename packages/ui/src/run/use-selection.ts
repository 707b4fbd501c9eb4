import { getRouteApi } from "@tanstack/react-router";
import { useEffect } from "react";
import type { ViewStep } from "../api/call.ts";
import { offline } from "../api/offline.ts";
import type { RunSearch } from "../search.ts";
import type { LoadedRun } from "./use-run-view.ts";

const route = getRouteApi("/r/$run");

/** The selected step and tab of a run's page, which are in its address, and how they change. */
export function useSelection({ run, steps, failed }: LoadedRun) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { tab = "transcript", step: wanted } = search;
  const at = steps.findIndex(({ step, id }) => step === wanted || id === wanted);
  const shown: ViewStep | null = steps[at] ?? null;
  const selected = shown?.step ?? (typeof wanted === "number" ? wanted : null);
  // moving through steps leaves one entry in the history, changing the tab one each
  const go = (next: RunSearch, replace = false) =>
    void navigate({ search: { ...search, ...next }, replace, resetScroll: false });
  const select = (step: number) => go({ step }, true);

  // a link gives a number, which is another step's when one comes late
  const lasting = shown && (run.state === "open" ? shown.id : shown.step);
  useEffect(() => {
    if (lasting === null || lasting === wanted) return;
    void navigate({ search: { ...search, step: lasting }, replace: true, resetScroll: false });
  }, [lasting, wanted, navigate, search]);

  return {
    search,
    tab,
    step: shown,
    selected,
    go,
    select,
    move(by: 1 | -1) {
      const from = at === -1 ? (by > 0 ? -1 : steps.length) : at;
      const next = steps[Math.min(steps.length - 1, Math.max(0, from + by))];
      if (next) select(next.step);
    },
    toError(by: 1 | -1) {
      const next =
        by === 1
          ? failed.find((step) => step > (selected ?? 0))
          : failed.findLast((step) => step < (selected ?? Infinity));
      if (next !== undefined) select(next);
    },
    /** Goes to the comparison with the run that this one replays, else to the list, where another run is chosen. */
    compare() {
      if (offline !== null) return;
      if (run.replayOf === null) void navigate({ to: "/", search: { marked: run.run } });
      else void navigate({ to: "/diff/$a/$b", params: { a: run.replayOf, b: run.run }, search: {} });
    },
    back() {
      if (tab !== "transcript") go({ tab: undefined });
      else if (selected !== null) go({ step: undefined }, true);
      else if (offline === null) void navigate({ to: "/", search: {} });
    },
  };
}
