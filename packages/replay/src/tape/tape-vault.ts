import type { Scrubber } from "@reenact/capture";
import type { KeptStep } from "@reenact/capture/recorder";
import { type Originals, openVault, VaultError, type VaultPlace } from "@reenact/node/vault";
import type { Tape, RecordedStep, TapeVault } from "./tape.ts";

/** The vault of a recorded run. `place` null: it is not wanted. */
export function vaultOf(runId: string, place: VaultPlace | null): TapeVault {
  if (place === null) return { problem: "it was not opened", next: "replay without --no-vault" };
  try {
    return { originals: openVault(runId, place) };
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    return { problem: error.message, next: error.next };
  }
}

/** A tape of which answers are served as they were. */
export function withVault(tape: Tape, place: VaultPlace | null): Tape {
  return { ...tape, vault: vaultOf(tape.runId, place) };
}

export function originalsOf({ vault }: Pick<Tape, "vault">): Originals | null {
  return vault !== undefined && "originals" in vault ? vault.originals : null;
}

/** A step as its program got it, for serving alone: what is compared and written stays redacted. */
export function unsealed(step: RecordedStep, tape: Pick<Tape, "vault">): RecordedStep {
  const kept = originalsOf(tape)?.steps.get(step.index);
  if (kept === undefined || kept.span !== step.spanId || step.given !== undefined) return step;
  return { ...step, record: { ...step.record, ...callOf(step, kept), ...exchangeOf(step, kept) } };
}

function callOf(
  { record: { call } }: RecordedStep,
  { result, error, yields }: KeptStep,
): Partial<RecordedStep["record"]> {
  if (call === undefined) return {};
  return {
    call: {
      ...call,
      ...(call.result === undefined || result === undefined ? {} : { result }),
      ...(call.error === undefined || error === undefined ? {} : { error }),
      ...(call.yields === undefined || yields === undefined ? {} : { yields: [...yields] }),
    },
  };
}

function exchangeOf(
  { record: { exchange } }: RecordedStep,
  { response, failure }: KeptStep,
): Partial<RecordedStep["record"]> {
  if (exchange === undefined) return {};
  return {
    exchange: {
      ...exchange,
      ...(exchange.response === undefined || response === undefined
        ? {}
        : { response: { ...exchange.response, ...response } }),
      ...(exchange.error === undefined || failure === undefined ? {} : { error: failure }),
    },
  };
}

/** What a run was given before its first step: its input, and variables, as they were. */
export function unsealedRoot(tape: Tape): Pick<Tape["root"], "input" | "environment"> {
  const { root } = tape;
  const kept = originalsOf(tape)?.root;
  const input = kept?.input ?? root.input;
  const environment = { ...root.environment };
  for (const [name, value] of Object.entries(kept?.environment ?? {}))
    if (typeof environment[name] === "string") environment[name] = value;
  return { ...(input === undefined ? {} : { input }), environment };
}

/** Values of the vault whose tokens were made with another key than this process's: they are compared by value too. */
export function tokensOfOtherKey(tape: Tape, scrubber: Pick<Scrubber, "kid"> | null): Iterable<[string, string]> {
  const originals = originalsOf(tape);
  if (originals === null || scrubber === null) return [];
  const isOfOwnKey = ({ record: { redacted } }: RecordedStep): boolean => redacted?.kid === scrubber.kid;
  return tape.ordered.every(isOfOwnKey) ? [] : originals.values;
}
