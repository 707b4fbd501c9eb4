import type { ScrubHint, Scrubbed, Scrubber } from "@reenact/capture";
import { bodyChanges } from "./scrub/body.ts";
import { withMessageDigests } from "./scrub/message-digests.ts";
import { applied, type Change, ruleOf, unscanned } from "./scrub/change.ts";
import type { DetectorQueue } from "./custom/detector-queue.ts";
import type { KnownValue } from "./detect/secrets/known.ts";
import type { Beginning, Held } from "./cache/history.ts";
import { KEY_BYTES, MAKE_KEY } from "./token/key-text.ts";
import { isUnscanned, LONGEST_AGAIN, secondContext } from "./scrub/leaf.ts";
import { contextOf, createTimeLimit, leavesMoreThanTokens, scannersOf } from "./scrub/policy-context.ts";
import { createTokenizer } from "./token/tokenizer.ts";
import { nameClass } from "./names/name-class.ts";
import { createAlreadyRedacted, type AlreadyRedacted } from "./cache/already-redacted.ts";
import { pointersOf } from "./scrub/pointers.ts";
import type { Policy } from "./policy.ts";
import { createRecent } from "./cache/recent.ts";
import { ScrubbedText } from "./scrub/scrubbed-text.ts";
import { rulesHash } from "./policy/rules-hash.ts";
import { settledChanges } from "./scrub/settled.ts";

/** A value that was found, without the value. Offsets are UTF-16 units of the text as it was given. */
export interface Finding {
  readonly type: string;
  /** id of its rule in RULES.md, or the name of a detector of the policy */
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

export interface LocatedFinding extends Finding {
  /** JSON pointer of its field, "" where the text has no parts; names in it are those of the scrubbed text */
  readonly at: string;
}

export interface ScrubberOptions {
  /** the scope key, 32 bytes or more, from which all tokens are derived */
  key: Uint8Array;
  policy?: Policy;
  /** values to be found exactly, anywhere */
  known?: readonly KnownValue[];
  /** where the policy's asynchronous detectors are asked; default: on this thread, so that only `prepare` waits */
  queue?: DetectorQueue;
}

/** A `Scrubber` that also knows what it has let through, for the fences behind it. */
export interface RedactingScrubber extends Scrubber {
  /** texts this scrubber has produced; `add` takes a text that was put together from such texts */
  readonly alreadyRedacted: AlreadyRedacted;
  /** UTF-16 units of a text that `scrub` would have to read: not those that an earlier text began with */
  unread(text: string, hint?: ScrubHint): number;
  /** Whether the policy denies what stands at a path: whole, with all below it. Undefined: it names no such path. */
  denies?(path: string): boolean;
  /** what `unread` goes by of a text that was read, for a scrubber with the same options on another thread */
  held?(text: string, hint?: ScrubHint): Held | null;
  hold?(text: string, hint: ScrubHint, held: Held): void;
  /** the same of the longest beginning of a text that was read; null: none was */
  beginning?(text: string, hint?: ScrubHint): Beginning | null;
  /** The policy has asynchronous detectors: what can wait has to wait for `prepare`. */
  readonly answersLater?: boolean;
  /**
   * Waits until asynchronous detectors have answered for a text, a bounded time. A text that was not prepared, or too
   * late, is `UNSCANNED_<length>`. Never rejects.
   */
  prepare?(text: string, hint?: ScrubHint): Promise<void> | null;
}

/** A scrubber that can also say what it found where. */
export interface InspectingScrubber extends RedactingScrubber {
  /** What `scrub` makes of a text, and where each value stood. */
  inspect(text: string, hint?: ScrubHint): { text: string; hits: Finding[] };
  /** The same, with the location of each value in the structure of the text. */
  explain(text: string, hint?: ScrubHint): { text: string; hits: LocatedFinding[] };
}

const RECENT_UNITS = 1024 * 1024;
const BUDGET_MS = 10_000;
const SHORTEST_KNOWN = 4;
const TYPE = /^[A-Z][A-Z_]{0,31}$/;
const NONE_CHANGED: readonly Change[] = [];

const FORM = /^\s*application\/x-www-form-urlencoded\b/i;

/**
 * Whether a text as a whole is read a second time: its leaves are. What is found between leaves, as the lines of a
 * private key are, may change how one of them reads, and so may an escape that a form needs.
 */
function isReadAgain(text: string, { mime }: ScrubHint, changes: readonly Change[]): boolean {
  if (changes.length === 0 || changes.some(isUnscanned)) return false;
  return text.length <= LONGEST_AGAIN || FORM.test(mime ?? "") || changes.some(({ type }) => type === "PEM");
}

/**
 * Fence 0. `key` is the scope key (32 bytes or more), from which all tokens are derived. `known` are values to be
 * found exactly, anywhere. Throws for a shorter key and for a pattern that is not linear; what it returns never throws: what it cannot scan
 * becomes `UNSCANNED_<length in UTF-16 units>`.
 */
export function createScrubber(options: ScrubberOptions): InspectingScrubber {
  const policy = options.policy ?? {};
  if (options.key.length < KEY_BYTES)
    throw new Error(`the scope key holds ${options.key.length} bytes; it needs ${KEY_BYTES}: ${MAKE_KEY}`);
  const scanners = scannersOf(policy, options.queue);
  const { waiting } = scanners;
  const tokenizer = createTokenizer(options.key);
  const timeLimit = createTimeLimit(policy.budgetMs ?? BUDGET_MS);
  const context = contextOf(policy, scanners, tokenizer, timeLimit);
  const { paths } = context;
  const recent = createRecent(RECENT_UNITS);
  // a policy of paths judges each name by itself
  const alreadyRedacted = createAlreadyRedacted(paths === null ? nameClass : (name) => name);
  if (waiting !== null) alreadyRedacted.watch();
  const looksForKnown = !["SECRET", "known"].some((rule) => policy.off?.includes(rule));
  const isSettledByReading = leavesMoreThanTokens(policy, paths);

  function addKnown(value: string, type = "SECRET"): void {
    if (typeof value !== "string" || value.length < SHORTEST_KNOWN || !looksForKnown) return;
    if (context.scanner.learn({ name: "", value, type: TYPE.test(type) ? type : "SECRET" })) {
      context.memo.clear();
      context.clean.clear();
      context.history?.clear();
      recent.clear();
    }
  }
  for (const { value, type } of options.known ?? []) addKnown(value, type);

  function readOf(text: string, hint: ScrubHint): readonly Change[] {
    timeLimit.begin();
    try {
      const changes = withMessageDigests(text, bodyChanges(text, hint, context), tokenizer);
      if (isSettledByReading) return settledChanges(text, changes, (again) => bodyChanges(again, hint, context));
      const second = isReadAgain(text, hint, changes) ? secondContext(context) : null;
      return second === null ? changes : settledChanges(text, changes, (again) => bodyChanges(again, hint, second));
    } catch {
      return [unscanned(0, text.length)];
    }
  }
  const changesOf = (text: string, hint: ScrubHint): readonly Change[] =>
    waiting === null ? readOf(text, hint) : waiting.answered(() => readOf(text, hint), hint.waits !== false);

  function scrub(text: string, hint: ScrubHint = {}): Scrubbed {
    try {
      // what has come out of here is not asked about once more
      if (waiting !== null && hint.as === undefined && alreadyRedacted.has(text, hint))
        return new ScrubbedText(text, hint, NONE_CHANGED, tokenizer.mark);
      const seen = recent.get(text, hint);
      if (seen !== undefined) {
        alreadyRedacted.add(seen.text, hint);
        return seen;
      }
      const scrubbed = new ScrubbedText(text, hint, changesOf(text, hint), tokenizer.mark);
      if (scrubbed.counts["UNSCANNED"] === undefined && waiting?.isWhole() !== false) recent.set(text, hint, scrubbed);
      if (hint.as === undefined) alreadyRedacted.add(scrubbed.text, hint);
      return scrubbed;
    } catch {
      return new ScrubbedText(text, hint, [unscanned(0, text.length)], tokenizer.mark);
    }
  }

  function unread(text: string, hint: ScrubHint = {}): number {
    if (recent.get(text, hint) !== undefined) return 0;
    const known = hint.mime === undefined ? 0 : (context.history?.known(text, mimeOf(hint)) ?? 0);
    return text.length - known;
  }

  const mimeOf = ({ mime }: ScrubHint): string => mime?.trim() ?? "";
  const held = (text: string, hint: ScrubHint = {}): Held | null => context.history?.held(text, mimeOf(hint)) ?? null;
  const hold = (text: string, hint: ScrubHint, it: Held): void => context.history?.hold(text, mimeOf(hint), it);

  const beginning = (text: string, hint: ScrubHint = {}): Beginning | null =>
    context.history?.beginning(text, mimeOf(hint)) ?? null;

  function explain(text: string, hint: ScrubHint = {}): { text: string; hits: LocatedFinding[] } {
    const changes = changesOf(text, hint);
    const pointers = pointersOf(text, hint, changes);
    const hits = changes.flatMap(({ type, rule, start, end }, i) =>
      type === null ? [] : [{ type, rule: ruleOf(type, rule), start, end, at: pointers[i] ?? "" }],
    );
    return { text: applied(text, changes), hits };
  }

  function inspect(text: string, hint: ScrubHint = {}): { text: string; hits: Finding[] } {
    const { hits, ...rest } = explain(text, hint);
    return { ...rest, hits: hits.map(({ type, rule, start, end }) => ({ type, rule, start, end })) };
  }

  const prepare = async (text: string, hint: ScrubHint = {}): Promise<void> =>
    waiting?.prepare(() => void readOf(text, hint));

  return {
    policy: policy.name ?? "default",
    rules: rulesHash(policy),
    kid: tokenizer.kid,
    tokenOf: (type, value) => tokenizer.token(type, value.normalize("NFC")),
    scrub,
    addKnown,
    alreadyRedacted,
    unread,
    held,
    hold,
    beginning,
    inspect,
    explain,
    ...(paths?.denies === true ? { denies: (path: string) => paths.of(path) === "deny" } : {}),
    ...(waiting === null ? {} : { prepare, answersLater: true }),
  };
}
