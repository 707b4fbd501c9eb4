import { useQuery } from "@tanstack/react-query";
import { call } from "./call.ts";

/**
 * Options with which a command finds the run: those of the project over which the collector runs, else its address. Null: not known yet.
 */
export function usePlace(isAsked: boolean): string | null {
  const { data, error } = useQuery({
    queryKey: ["tests"],
    queryFn: ({ signal }) => call("listTests", { signal }),
    enabled: isAsked,
  });
  if (data === undefined && error === null) return null;
  if (data !== undefined && data.project !== null) return data.place;
  return ` --server ${new URL(".", document.baseURI).href.replace(/\/$/, "")}`;
}
