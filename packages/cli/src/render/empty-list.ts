import { count } from "@reenact/view";
import { environment } from "../process/environment.ts";
import { placeOptions } from "../remote/place-options.ts";
import type { RemoteOptions } from "../remote/remote-options.ts";
import { shellWords } from "./shell-words.ts";
import { placeName } from "./terminal-text.ts";

/** Options that choose the runs of a list. */
export interface ListOptions extends RemoteOptions {
  store: string;
  status?: string;
  user?: string;
  session?: string;
  at?: { from: number; to: number };
  filter?: string;
  after?: string;
}

/**
 * What is said of a list without a run: no run fits what was asked for, or there is none at all; null: other lines have
 * said where they are. `all`: how many there are whatever they are, null where nobody counts.
 */
export async function emptyLine(
  options: ListOptions,
  address: string | undefined,
  { all, told }: { all: () => Promise<number | null>; told: boolean },
): Promise<string | null> {
  const place = placeName(address ?? options.store);
  if (options.after !== undefined) return `no older runs in ${place}`;
  const asked = askedFor(options);
  const runs = asked === "" ? 0 : await all();
  if (runs !== 0) {
    const of = runs === null ? `in ${place}` : `(${count(runs, "run")} in ${place})`;
    return `no run matches ${asked} ${of}. Next: reenact ls${placeOptions(options)}`;
  }
  if (told) return null;
  // where this environment sends its runs they are not here
  const endpoint = address === undefined ? environment()["REENACT_ENDPOINT"] : undefined;
  return `no runs in ${place}. Next: ${endpoint ? `reenact ls --server ${endpoint}` : "reenact run -- node agent.js"}`;
}

function askedFor(options: ListOptions): string {
  const words = (["status", "user", "session", "filter"] as const).flatMap((name) =>
    options[name] === undefined ? [] : [`--${name}`, options[name]],
  );
  return [...(words.length === 0 ? [] : [shellWords(words)]), ...(options.at === undefined ? [] : ["--at"])].join(" ");
}
