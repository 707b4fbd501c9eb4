import type { ScrubHint, Scrubbed, Scrubber } from "@reenact/capture";
import { originals } from "@reenact/capture/recorder";
import { createAllowList } from "./policy/allow-list.ts";
import { bodyChanges } from "./scrub/body.ts";
import { applied, type Change, ruleOf, unscanned } from "./scrub/change.ts";
import { createCleanTexts } from "./cache/clean-texts.ts";
import { besideMasks, withCustom } from "./custom/custom-scanner.ts";
import { DETECTOR_MS, type DetectorQueue, detectorQueue } from "./custom/detector-queue.ts";
import type { AsyncDetector, SyncDetector } from "./custom/detector.ts";
import { waitingScanner } from "./custom/waiting-scanner.ts";
import type { KnownValue } from "./detect/secrets/known.ts";
import { createHistory, type Held } from "./cache/history.ts";
import { KEY_BYTES, MAKE_KEY } from "./token/key-text.ts";
import { isUnscanned, LONGEST_AGAIN, readLeaf, secondContext } from "./scrub/leaf.ts";
import type { ScanContext } from "./scrub/scan-context.ts";
import { createMemo } from "./cache/memo.ts";
import { createTokenizer } from "./token/tokenizer.ts";
import { nameClass } from "./names/name-class.ts";
import { createAlreadyRedacted, type AlreadyRedacted } from "./cache/already-redacted.ts";
import { createPathPolicy } from "./policy/path-policy.ts";
import { pointersOf } from "./scrub/pointers.ts";
import type { Policy } from "./policy.ts";
import { createRecent } from "./cache/recent.ts";
import { createReplace } from "./token/replacement.ts";
import { ScrubbedText } from "./scrub/scrubbed-text.ts";
import { rulesHash } from "./policy/rules-hash.ts";
import { createScanner } from "./scan/scan.ts";
import { settledChanges } from "./scrub/settled.ts";

/** A value that was found, without the value. Offsets are UTF-16 units of the text as it was given. */
export interface Finding {
  readonly type: string;
  /** id of its rule in RULES.md, or the name of a detector of the policy */
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

export interface PlacedFinding extends Finding {
  /** JSON pointer of its place, "" where the text has no parts; names in it are those of the scrubbed text */
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
  /** The same, with the place of each value in the structure of the text. */
  explain(text: string, hint?: ScrubHint): { text: string; hits: PlacedFinding[] };
}

const MEMO_BYTES = 8 * 1024 * 1024;
const HISTORY_UNITS = 4 * 1024 * 1024;
const RECENT_UNITS = 1024 * 1024;
const CAP_UNITS = 16 * 1024 * 1024;
const BUDGET_MS = 10_000;
const SHORTEST_KNOWN = 4;
const TYPE = /^[A-Z][A-Z_]{0,31}$/;
const NONE_CHANGED: readonly Change[] = [];

/** Time on the processor: a clock of the agent's may be recorded, replayed or frozen, and this one ignores load. */
const now = (): number => originals.cpuUsage().user / 1000;
const LEAVES_PER_CHECK = 64;
const LONG_LEAF = 64 * 1024;
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
  const off = new Set(policy.off);
  const isOn = (name: string): boolean => !off.has(name);
  const detectors = policy.detectors ?? [];
  const sync = detectors.filter((each): each is SyncDetector => "find" in each);
  const later = detectors.filter((each): each is AsyncDetector => !("find" in each));
  const masks = Object.values(policy.actions ?? {}).includes("mask");
  const found = withCustom(createScanner(isOn, off), policy.patterns ?? [], sync);
  const own = masks ? besideMasks(found) : found;
  const waiting =
    later.length === 0
      ? null
      : waitingScanner(own, options.queue ?? detectorQueue(later, policy.detectorMs ?? DETECTOR_MS));
  const scanner = waiting ?? own;
  const memory = createMemo<readonly Change[]>(MEMO_BYTES);
  // what was read without an answer is not to be taken for the outcome
  const memo: typeof memory =
    waiting === null
      ? memory
      : { ...memory, set: (slot, changes, bytes) => waiting.isWhole() && memory.set(slot, changes, bytes) };
  const recent = createRecent(RECENT_UNITS);
  const history = createHistory(HISTORY_UNITS);
  const clean = createCleanTexts();
  const tokenizer = createTokenizer(options.key);
  const paths = createPathPolicy(policy.paths);
  // a policy of paths judges each name by itself
  const alreadyRedacted = createAlreadyRedacted(paths === null ? nameClass : (name) => name);
  if (waiting !== null) alreadyRedacted.watch();
  const budget = policy.budgetMs ?? BUDGET_MS;
  /** null until the clock is first asked, which costs more than scanning a short text */
  let deadline: number | null = null;
  let checked = 0;
  const context: ScanContext = {
    scanner,
    again: own,
    memo,
    // an answer of a detector, or a path of the policy, is more than a leaf and its key
    history: waiting !== null || paths !== null ? null : history,
    clean,
    paths,
    isOn: (type) => isOn(type) && (type !== "AUTH" || isOn("auth.name")),
    replace: createReplace({ tokenizer, allow: createAllowList(policy.allow), actions: policy.actions ?? {}, paths }),
    cap: policy.capUnits ?? CAP_UNITS,
    media: policy.media ?? "keep",
    readLeaf,
    checkTime: (units) => {
      checked += units > LONG_LEAF ? LEAVES_PER_CHECK : 1;
      if (checked < LEAVES_PER_CHECK) return;
      // once over, it stays over for the rest of the text
      const time = now();
      deadline ??= time + budget;
      if (time <= deadline) checked = 0;
      else throw new Error("time for redaction is over");
    },
  };

  const leavesMore =
    Object.values(policy.actions ?? {}).some((action) => action !== "token") ||
    (policy.paths?.shapes ?? []).length > 0 ||
    paths?.denies === true;

  function addKnown(value: string, type = "SECRET"): void {
    if (typeof value !== "string" || value.length < SHORTEST_KNOWN || !isOn("SECRET") || !isOn("known")) return;
    if (scanner.learn({ name: "", value, type: TYPE.test(type) ? type : "SECRET" })) {
      memo.clear();
      clean.clear();
      recent.clear();
      history.clear();
    }
  }
  for (const { value, type } of options.known ?? []) addKnown(value, type);

  function readOf(text: string, hint: ScrubHint): readonly Change[] {
    deadline = null;
    checked = 0;
    try {
      const changes = bodyChanges(text, hint, context);
      if (leavesMore) return settledChanges(text, changes, (again) => bodyChanges(again, hint, context));
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
    const isKnownPlace = context.history !== null && hint.mime !== undefined;
    return text.length - (isKnownPlace ? history.known(text, hint.mime?.trim() ?? "") : 0);
  }

  const mimeOf = ({ mime }: ScrubHint): string => mime?.trim() ?? "";
  const held = (text: string, hint: ScrubHint = {}): Held | null => context.history?.held(text, mimeOf(hint)) ?? null;
  const hold = (text: string, hint: ScrubHint, it: Held): void => context.history?.hold(text, mimeOf(hint), it);

  function explain(text: string, hint: ScrubHint = {}): { text: string; hits: PlacedFinding[] } {
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
    inspect,
    explain,
    ...(paths?.denies === true ? { denies: (path: string) => paths.of(path) === "deny" } : {}),
    ...(waiting === null ? {} : { prepare, answersLater: true }),
  };
}
