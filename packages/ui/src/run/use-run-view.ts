import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { type Answer, call, type ViewStep } from "../api/call.ts";

const FIRST = 500;
const LATER = 2000;
/** An open run is read again so often, milliseconds. */
const AGAIN = 2000;

/** A run with its steps: the first page is shown at once, the others follow. */
export interface LoadedRun extends Omit<Answer<"getView">, "steps" | "next" | "schemaVersion"> {
  readonly steps: readonly ViewStep[];
}

/** `error`: `ApiFailure`. */
export function useRunView(run: string) {
  const query = useInfiniteQuery({
    queryKey: ["run", run],
    queryFn: ({ pageParam, signal }) =>
      call("getView", { path: { run }, query: { after: pageParam, limit: pageParam === 0 ? FIRST : LATER }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.run.state === "open" ? AGAIN : false),
  });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const loaded = useMemo((): LoadedRun | null => {
    const [first] = query.data?.pages ?? [];
    if (!first) return null;
    return { ...first, steps: query.data!.pages.flatMap(({ steps }) => steps) };
  }, [query.data]);
  return { loaded, error: query.error, refetch: () => void query.refetch() };
}
