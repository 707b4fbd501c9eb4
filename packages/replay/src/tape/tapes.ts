import { isInbound, recorder, type RunStart, Tally, valueOfRoot } from "@reenact/capture/recorder";
import { renameTokens } from "@reenact/envelope";
import { TokenAlignment } from "@reenact/redaction";
import type { Tape } from "./tape.ts";

/** The records of the runs of one process, each of them for one run of now. */
export class Tapes {
  readonly #left: Set<Tape>;

  constructor(tapes: readonly Tape[]) {
    this.#left = new Set([...tapes].sort((a, b) => (a.root.sequence ?? 0) - (b.root.sequence ?? 0)));
  }

  /**
   * The records that a run that begins may be of, the likeliest first. The process has one run of its own; calls of an
   * `agent()` come in whatever order requests arrive, so they are known by name and arguments first, by their number only
   * where these are new. Empty: nothing that was recorded. More than one: their arguments do not tell them apart. A request or a
   * job that the replay sends is known: it is `awaited`; another one by its name.
   */
  fit(start: RunStart, awaited: Tape | null): readonly Tape[] {
    const left = [...this.#left].filter(({ root }) => root.trigger === start.trigger);
    if (isInbound(start.trigger)) return asked(left, start, awaited);
    if (start.trigger === "function") return alike(left, start);
    const own = left.find(sameSequence(start));
    return own === undefined ? [] : [own];
  }

  /** records of which no run has begun */
  get left(): readonly Tape[] {
    return [...this.#left];
  }

  take(tape: Tape): Tape {
    this.#left.delete(tape);
    return tape;
  }
}

function alike(tapes: readonly Tape[], start: RunStart): readonly Tape[] {
  const input = scrubbed(typeof start.input === "string" ? start.input : "", start.inputJson);
  const named = tapes.filter(({ root }) => isNamed(root.name ?? "", start.name));
  const same = named.filter(({ root }) => root.input === input);
  // with another key, or none, the same value has another token
  const renamed = named.filter(({ root }) => renameTokens(root.input ?? "") === renameTokens(input));
  for (const candidates of [same, renamed, named]) {
    const likeliest = candidates.find(sameSequence(start)) ?? candidates[0];
    if (likeliest !== undefined) return firstOf(likeliest, candidates);
  }
  return [];
}

function asked(tapes: readonly Tape[], start: RunStart, awaited: Tape | null): readonly Tape[] {
  const named = tapes.filter(({ root }) => isNamed(root.name ?? "", start.name));
  return awaited !== null && named.includes(awaited) ? [awaited] : named;
}

function isNamed(recorded: string, now: string): boolean {
  return recorded === now || new TokenAlignment().align(recorded, scrubbedName(now)).ok;
}

function firstOf(likeliest: Tape, candidates: readonly Tape[]): readonly Tape[] {
  return [likeliest, ...candidates.filter((each) => each !== likeliest)];
}

const sameSequence =
  (start: RunStart) =>
  ({ root }: Tape): boolean =>
    root.sequence === start.sequence;

function scrubbedName(name: string): string {
  return recorder.scrubber?.scrub(name).text ?? name;
}

function scrubbed(input: string, json: string | null | undefined): string {
  return recorder.scrubber === null ? input : valueOfRoot(input, json, recorder.scrubber, new Tally());
}
