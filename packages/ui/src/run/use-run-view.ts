import { type InfiniteData, type QueryClient, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { type Answer, call, type ViewStep } from "../api/call.ts";

const FIRST = 500;
const LATER = 2000;

/** A run with its steps: the first page is shown at once, the others follow. */
export interface LoadedRun extends Omit<Answer<"getView">, "steps" | "next" | "schemaVersion"> {
  readonly steps: readonly ViewStep[];
}

const keyOf = (run: string) => ["run", run];

/** `isWhole`: all pages are there. `error`: `ApiFailure`. */
export function useRunView(run: string) {
  const query = useInfiniteQuery({
    queryKey: keyOf(run),
    queryFn: ({ pageParam, signal }) =>
      call("getView", { path: { run }, query: { after: pageParam, limit: pageParam === 0 ? FIRST : LATER }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
  });
  const { hasNextPage, isFetching, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const loaded = useMemo((): LoadedRun | null => {
    const [first] = query.data?.pages ?? [];
    if (!first) return null;
    return { ...first, steps: query.data!.pages.flatMap(({ steps }) => steps) };
  }, [query.data]);
  return { loaded, isWhole: !hasNextPage && !isFetching, error: query.error, refetch: () => void query.refetch() };
}

/**
 * Reads the run, and its steps behind the first `from`, once more; all of them where those before `from` have changed their
 * places. Steps that are equal keep their identity. Throws `ApiFailure`.
 */
export async function rereadRun(client: QueryClient, run: string, from: number, signal: AbortSignal): Promise<void> {
  const pages = client.getQueryData<InfiniteData<Answer<"getView">>>(keyOf(run))?.pages ?? [];
  const steps = pages.flatMap((page) => page.steps).slice(0, from);
  let after: number | null = steps.length;
  let head: Answer<"getView"> | null = null;
  while (after !== null) {
    // oxlint-disable-next-line no-await-in-loop -- a page names the next one
    head = await call("getView", { path: { run }, query: { after, limit: LATER }, signal });
    steps.push(...head.steps);
    after = head.next;
  }
  signal.throwIfAborted();
  const isOneReading = steps.length === head?.total && new Set(steps.map(({ id }) => id)).size === steps.length;
  if (!isOneReading && from > 0) return rereadRun(client, run, 0, signal);
  client.setQueryData(keyOf(run), { pages: [{ ...head, steps }], pageParams: [0] });
}
