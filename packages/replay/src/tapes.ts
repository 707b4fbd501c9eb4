import { recorder, type RunStart, scrubTyped, Tally } from "@reenact/capture";
import { renameTokens } from "@reenact/envelope";
import type { Tape } from "./tape.ts";

/** The records of the runs of one process, each of them for one run of now. */
export class Tapes {
  readonly #left: Set<Tape>;

  constructor(tapes: readonly Tape[]) {
    this.#left = new Set([...tapes].sort((a, b) => (a.root.sequence ?? 0) - (b.root.sequence ?? 0)));
  }

  /**
   * The record of a run that begins. The process has one run of its own; calls of an `agent()` come in whatever order
   * requests arrive, so they are known by name and arguments first, by their number only where these are new. Null:
   * nothing that was recorded.
   */
  take(start: RunStart): Tape | null {
    const left = [...this.#left].filter(({ root }) => root.trigger === start.trigger);
    const tape = start.trigger === "function" ? mostAlike(left, start) : left.find(sameSequence(start));
    if (tape === undefined) return null;
    this.#left.delete(tape);
    return tape;
  }
}

function mostAlike(tapes: readonly Tape[], start: RunStart): Tape | undefined {
  const input = scrubbed(start.input ?? "");
  const named = tapes.filter(({ root }) => root.name === start.name);
  const same = named.filter(({ root }) => root.input === input);
  // with another key, or none, the same value has another token
  const alike = named.filter(({ root }) => renameTokens(root.input ?? "") === renameTokens(input));
  for (const candidates of [same, alike]) {
    const found = candidates.find(sameSequence(start)) ?? candidates[0];
    if (found !== undefined) return found;
  }
  return named.find(sameSequence(start)) ?? tapes.find(sameSequence(start));
}

const sameSequence =
  (start: RunStart) =>
  ({ root }: Tape): boolean =>
    root.sequence === start.sequence;

function scrubbed(input: string): string {
  return recorder.scrubber === null ? input : scrubTyped(recorder.scrubber, input, new Tally());
}
