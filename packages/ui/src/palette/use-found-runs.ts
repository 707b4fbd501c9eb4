import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call, type Run } from "../api/call.ts";
import { offline } from "../api/offline.ts";
import { runName } from "../run/run-name.ts";
import { quoted } from "../runs/filter-term.ts";

/** Pause behind a key before the collector is asked, milliseconds. */
const PAUSE = 120;
const ASKED = 30;
const SHOWN = 8;

/**
 * Runs whose id, name or service begins with a text, or that have its words; the newest ones of no text. While they are looked for
 * there is none, so that nobody opens one that was found for another text. `error`: `ApiFailure`.
 */
export function useFoundRuns(text: string) {
  const wanted = text.trim();
  const [asked, setAsked] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), PAUSE);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data, error, isPending } = useQuery({
    queryKey: ["found-runs", asked],
    queryFn: async ({ signal }) => {
      const { runs } = await call("listRuns", { query: { filter: filterOf(asked), limit: ASKED }, signal });
      return [...runs.filter((run) => begins(run, asked)), ...runs.filter((run) => !begins(run, asked))];
    },
    enabled: offline === null,
    staleTime: 5000,
  });
  const isOf = asked === wanted;
  return {
    runs: (isOf && data?.slice(0, SHOWN)) || [],
    error: isOf ? error : null,
    isSearching: offline === null && (!isOf || isPending),
  };
}

function filterOf(text: string): string | undefined {
  if (text === "") return undefined;
  const beginning = ["name", "service"].map((field) => `${field}:${quoted(text)}*`);
  const words = /[\p{L}\p{N}]/u.test(text) ? [quoted(text)] : [];
  return [`run:${quoted(text.toLowerCase())}*`, ...beginning, ...words].join(" or ");
}

const begins = (run: Run, text: string): boolean =>
  [run.run, runName(run)].some((each) => each.toLowerCase().startsWith(text.toLowerCase()));
