import { useNavigate } from "@tanstack/react-router";
import type { Run } from "../api/call.ts";

/** Runs that are marked to be compared, at most two; their ids are in the address. */
export function useMarks(search: string | undefined, runs: readonly Run[], set: (marked: string | undefined) => void) {
  const navigate = useNavigate();
  const marked = search?.split(",") ?? [];
  /** the older one first, where it is known which that is */
  const startOf = (id: string) => runs.find(({ run }) => run === id)?.started ?? 0;
  return {
    marked,
    toggle(run: string | undefined) {
      if (run === undefined) return;
      const rest = marked.filter((each) => each !== run);
      // a third mark takes the place of the first
      const next = rest.length < marked.length ? rest : [...rest.slice(-1), run];
      set(next.length === 0 ? undefined : next.join(","));
    },
    clear: () => set(undefined),
    compare() {
      const areHere = marked.every((id) => startOf(id) > 0);
      const [a, b] = areHere ? marked.toSorted((one, other) => startOf(one) - startOf(other)) : marked;
      if (a !== undefined && b !== undefined) void navigate({ to: "/diff/$a/$b", params: { a, b }, search: {} });
    },
  };
}
