import { useQuery } from "@tanstack/react-query";
import { type Answer, call } from "./call.ts";

/**
 * Options with which a command finds the run: those of the project over which the collector runs, else its address. Null: not known yet.
 */
export function usePlace(isAsked: boolean): string | null {
  const { data, error } = useQuery({
    queryKey: ["tests"],
    queryFn: ({ signal }) => call("listTests", { signal }),
    enabled: isAsked,
  });
  return data === undefined && error === null ? null : placeOf(data);
}

/** The same, asked now. */
export const placeNow = async (): Promise<string> => placeOf(await call("listTests").catch(() => undefined));

const placeOf = (data: Answer<"listTests"> | undefined): string =>
  data !== undefined && data.project !== null
    ? data.place
    : ` --server ${new URL(".", document.baseURI).href.replace(/\/$/, "")}`;
