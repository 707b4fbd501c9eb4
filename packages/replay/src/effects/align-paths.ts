import { findTokens, type TokenHit } from "@reenact/envelope";
import type { Ledger } from "../verdict/ledger.ts";
import { placesHere } from "../scratch/places-here.ts";
import { recordedKeys } from "./same-content.ts";

/**
 * Facts of now by the recorded path that each one stands for; by its own path where there is none. Redaction tokens in
 * a path are compared by value. Only where another key than the recording's has made them are they compared by their
 * type and place, and counted. In another working directory a path may be shown otherwise and lead to the same place.
 */
export function byRecordedPath<T extends { path: string }>(
  ledger: Ledger,
  recorded: readonly { path: string }[],
  now: readonly T[],
): Map<string, T> {
  const keys = recordedKeys(ledger.tape);
  const isForeign = ({ token }: TokenHit): boolean => !keys.has(token.split("_").at(-2) ?? "");
  const same = new Set(now.map(({ path }) => path));
  const free = new Map<string, string[]>();
  for (const { path } of recorded) {
    if (same.has(path) || findTokens(path).length === 0) continue;
    const shape = shapeOf(path);
    free.set(shape, [...(free.get(shape) ?? []), path]);
  }
  const byPlace = recordedPlaces(
    ledger,
    recorded.filter(({ path }) => !same.has(path)),
  );
  const taken = new Set(recorded.map(({ path }) => path));
  const found = new Map<string, T>();
  for (const fact of now) {
    const foreign = findTokens(fact.path).filter(isForeign).length;
    const counterpart = foreign === 0 ? undefined : free.get(shapeOf(fact.path))?.shift();
    const elsewhere = taken.has(fact.path) ? undefined : byPlace(fact.path);
    if (counterpart !== undefined) ledger.effectsByPlace += foreign;
    found.set(counterpart ?? elsewhere ?? fact.path, fact);
  }
  return found;
}

/** The recorded path that leads, here, to the same place as a path of now; of each place one. */
function recordedPlaces({ tape }: Ledger, recorded: readonly { path: string }[]): (path: string) => string | undefined {
  const facts = tape.root.process;
  if (facts?.cwd === undefined || recorded.length === 0) return () => undefined;
  const placesOfThen = placesHere(facts);
  const placesOfNow = placesHere({ cwd: process.cwd() });
  const paths = new Map<string, string>();
  for (const { path } of recorded)
    for (const place of placesOfThen(path)) if (!paths.has(place)) paths.set(place, path);
  return (path) => {
    for (const place of placesOfNow(path)) {
      const then = paths.get(place);
      if (then === undefined) continue;
      for (const other of placesOfThen(then)) paths.delete(other);
      return then;
    }
    return undefined;
  };
}

/** The path with the types of its tokens in their place. */
function shapeOf(path: string): string {
  let shape = "";
  let from = 0;
  for (const { start, end, type } of findTokens(path)) {
    shape += `${path.slice(from, start)}\0${type}\0`;
    from = end;
  }
  return shape + path.slice(from);
}
