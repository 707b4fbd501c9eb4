import { originals } from "@reenact/capture/recorder";
import { createCleanTexts } from "../cache/clean-texts.ts";
import { createHistory } from "../cache/history.ts";
import { createMemo, type Memo } from "../cache/memo.ts";
import { besideMasks, withCustom } from "../custom/custom-scanner.ts";
import { DETECTOR_MS, type DetectorQueue, detectorQueue } from "../custom/detector-queue.ts";
import type { AsyncDetector, SyncDetector } from "../custom/detector.ts";
import { type WaitingScanner, waitingScanner } from "../custom/waiting-scanner.ts";
import type { Policy } from "../policy.ts";
import { createAllowList } from "../policy/allow-list.ts";
import { createPathPolicy, type PathPolicy } from "../policy/path-policy.ts";
import { createScanner, type Scanner } from "../scan/scan.ts";
import { createReplace } from "../token/replacement.ts";
import type { Tokenizer } from "../token/tokenizer.ts";
import type { Change } from "./change.ts";
import { readLeaf } from "./leaf.ts";
import type { ScanContext } from "./scan-context.ts";

const MEMO_BYTES = 8 * 1024 * 1024;
const HISTORY_UNITS = 4 * 1024 * 1024;
const CAP_UNITS = 16 * 1024 * 1024;
const LEAVES_PER_CHECK = 64;
const LONG_LEAF = 64 * 1024;

/** What finds the values of a policy. */
export interface Scanners {
  readonly own: Scanner;
  /** the same with the answers of asynchronous detectors; null: the policy has none */
  readonly waiting: WaitingScanner | null;
}

/** `queue`: where asynchronous detectors are asked; undefined: on this thread. Throws for a pattern that is not linear. */
export function scannersOf(policy: Policy, queue: DetectorQueue | undefined): Scanners {
  const off = new Set(policy.off);
  const detectors = policy.detectors ?? [];
  const sync = detectors.filter((each): each is SyncDetector => "find" in each);
  const later = detectors.filter((each): each is AsyncDetector => !("find" in each));
  const found = withCustom(
    createScanner((type) => !off.has(type), off),
    policy.patterns ?? [],
    sync,
  );
  const own = Object.values(policy.actions ?? {}).includes("mask") ? besideMasks(found) : found;
  if (later.length === 0) return { own, waiting: null };
  return { own, waiting: waitingScanner(own, queue ?? detectorQueue(later, policy.detectorMs ?? DETECTOR_MS)) };
}

/** The time for one text. */
export interface TimeLimit {
  /** A text begins. */
  begin(): void;
  /** Called before each leaf, with its length in UTF-16 units. Throws once the time is over. */
  check(units: number): void;
}

/** Time on the processor: a clock of the agent's may be recorded, replayed or frozen, and this one ignores load. */
const now = (): number => originals.cpuUsage().user / 1000;

/** `budget`: milliseconds. The clock costs more than scanning a short text: it is asked once in so many leaves. */
export function createTimeLimit(budget: number): TimeLimit {
  /** null until the clock is first asked */
  let deadline: number | null = null;
  let checked = 0;
  return {
    begin() {
      deadline = null;
      checked = 0;
    },
    check(units) {
      checked += units > LONG_LEAF ? LEAVES_PER_CHECK : 1;
      if (checked < LEAVES_PER_CHECK) return;
      // once over, it stays over for the rest of the text
      const time = now();
      deadline ??= time + budget;
      if (time <= deadline) checked = 0;
      else throw new Error("time for redaction is over");
    },
  };
}

/** What is handed down to every leaf, with new caches. */
export function contextOf(
  policy: Policy,
  { own, waiting }: Scanners,
  tokenizer: Tokenizer,
  timeLimit: TimeLimit,
): ScanContext {
  const off = new Set<string>(policy.off);
  const paths = createPathPolicy(policy.paths);
  const actions = policy.actions ?? {};
  return {
    scanner: waiting ?? own,
    again: own,
    memo: memoFor(waiting),
    // an answer of a detector, or a path of the policy, is more than a leaf and its key
    history: waiting !== null || paths !== null ? null : createHistory(HISTORY_UNITS),
    clean: createCleanTexts(),
    paths,
    isOn: (type) => !off.has(type) && (type !== "AUTH" || !off.has("auth.name")),
    replace: createReplace({ tokenizer, allow: createAllowList(policy.allow), actions, paths }),
    cap: policy.capUnits ?? CAP_UNITS,
    media: policy.media ?? "keep",
    readLeaf,
    checkTime: timeLimit.check,
  };
}

/** What was read without an answer of a detector is not remembered as the outcome. */
function memoFor(waiting: WaitingScanner | null): Memo<readonly Change[]> {
  const memo = createMemo<readonly Change[]>(MEMO_BYTES);
  if (waiting === null) return memo;
  return { ...memo, set: (slot, changes, bytes) => waiting.isWhole() && memo.set(slot, changes, bytes) };
}

/** Whether redaction leaves more than tokens, so that what it has made is read until nothing is found. */
export const leavesMoreThanTokens = (policy: Policy, paths: PathPolicy | null): boolean =>
  Object.values(policy.actions ?? {}).some((action) => action !== "token") ||
  (policy.paths?.shapes ?? []).length > 0 ||
  paths?.denies === true;
