import type { Edit, ScrubHint, Scrubbed, Scrubber } from "@reenact/capture";
import { bodyChanges } from "./body.ts";
import { applied, type Change, unscanned } from "./change.ts";
import { createCleanTexts } from "./clean-texts.ts";
import type { KnownValue } from "./detect/known.ts";
import type { Ground } from "./leaf.ts";
import { createMemo } from "./memo.ts";
import { createMint } from "./mint.ts";
import { createPassed, type Passed } from "./passed.ts";
import type { Policy } from "./policy.ts";
import { createRecent } from "./recent.ts";
import { rulesHash } from "./rules.ts";
import { createScanner } from "./scan.ts";

/** A `Scrubber` that also knows what it has let through, for the fences behind it. */
export interface RedactingScrubber extends Scrubber {
  /** texts this scrubber has produced; `add` vouches for a text that was put together from such texts */
  readonly passed: Passed;
}

const MEMO_BYTES = 8 * 1024 * 1024;
const RECENT_UNITS = 1024 * 1024;
const CAP_UNITS = 16 * 1024 * 1024;
const BUDGET_MS = 10_000;
const SHORTEST_KNOWN = 4;
const TYPE = /^[A-Z][A-Z_]{0,31}$/;
const NONE: readonly Edit[] = [];

/** Time on the processor: a clock of the agent's may be recorded, replayed or frozen, and this one ignores load. */
const now = (): number => process.cpuUsage().user / 1000;
const LEAVES_PER_CHECK = 64;
const LONG_LEAF = 64 * 1024;

/**
 * Fence 0. `key` is the scope key (16 bytes or more), from which all tokens are derived. `known` are values to be
 * found exactly, anywhere. Never throws: what it cannot scan becomes `UNSCANNED_<length in UTF-16 units>`.
 */
export function createScrubber(options: {
  key: Uint8Array;
  policy?: Policy;
  known?: readonly KnownValue[];
}): RedactingScrubber {
  const policy = options.policy ?? {};
  const off = new Set(policy.off);
  const allow = new Set(policy.allow);
  const isOn = (type: string): boolean => !off.has(type as never);
  const scanner = createScanner(isOn);
  const memo = createMemo<readonly Change[]>(MEMO_BYTES);
  const recent = createRecent(RECENT_UNITS);
  const clean = createCleanTexts();
  const mint = createMint(options.key);
  const passed = createPassed();
  const budget = policy.budgetMs ?? BUDGET_MS;
  /** null until the clock is first asked, which costs more than scanning a short text */
  let deadline: number | null = null;
  let checked = 0;
  const ground: Ground = {
    scanner,
    mint,
    memo,
    clean,
    isOn,
    isAllowed: (value) => allow.size > 0 && allow.has(value),
    cap: policy.capUnits ?? CAP_UNITS,
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

  function addKnown(value: string, type = "SECRET"): void {
    if (typeof value !== "string" || value.length < SHORTEST_KNOWN || !isOn("SECRET")) return;
    if (scanner.learn({ name: "", value, type: TYPE.test(type) ? type : "SECRET" })) {
      memo.clear();
      clean.clear();
      recent.clear();
    }
  }
  for (const { value, type } of options.known ?? []) addKnown(value, type);

  function scrub(text: string, hint: ScrubHint = {}): Scrubbed {
    try {
      const seen = recent.get(text, hint);
      if (seen !== undefined) {
        passed.add(seen.text);
        return seen;
      }
      deadline = null;
      checked = 0;
      const changes = bodyChanges(text, hint, ground);
      const scrubbed = result(text, changes);
      if (scrubbed.counts["UNSCANNED"] === undefined) recent.set(text, hint, scrubbed);
      passed.add(scrubbed.text);
      return scrubbed;
    } catch {
      return result(text, [unscanned(0, text.length)]);
    }
  }
  return { policy: policy.name ?? "default", rules: rulesHash(policy), kid: mint.kid, scrub, addKnown, passed };
}

function result(text: string, changes: readonly Change[]): Scrubbed {
  if (changes.length === 0) return { text, edits: NONE, counts: {} };
  const counts: Record<string, number> = {};
  for (const { type } of changes) if (type !== null) counts[type] = (counts[type] ?? 0) + 1;
  return {
    text: applied(text, changes),
    edits: changes.map(({ start, end, with: w }) => ({ start, end, with: w })),
    counts,
  };
}
