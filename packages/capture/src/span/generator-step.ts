import { encodeValue, recordError } from "@reenact/envelope";
import { type Frame, live, within } from "../run/context.ts";
import { thenSeen } from "../patch/show-awaiter.ts";
import { renamedJson, thrownJson } from "../redact/scrub-renamed.ts";
import { withRoom } from "../patch/stack-room.ts";
import { type AnyGenerator, isSyncGenerator } from "./generator-kind.ts";
import { offerOpen } from "./offer-open.ts";
import { settle, type OpenStep } from "./open-step.ts";
import { servedValue } from "../source/served-value.ts";
import type { Answer } from "../source/answer.ts";
import type { CallDraft } from "./step-content.ts";

export interface GeneratorRecording {
  /** of the step, in which its body runs */
  readonly frame: Frame;
  /** writes each value before the agent gets it */
  readonly writesYields: boolean;
}

/**
 * The generator that a live body returned, recorded yield by yield. Same object kind, same laziness. A body runs in the
 * context of who asks for its next value: each time it is brought into the frame of its step.
 */
export function watchGenerator(
  step: OpenStep,
  call: CallDraft,
  how: GeneratorRecording,
  inner: AnyGenerator,
): AnyGenerator {
  call.generator = isSyncGenerator(inner) ? "sync" : "async";
  call.yields = [];
  const yields = call.yields;
  const renamed: NonNullable<CallDraft["renamed"]> = {};
  call.renamed = renamed;
  const keep = (value: unknown): void => {
    // its run has left it, and holds nothing more
    if (step.state !== "open") return;
    const { text } = encodeValue(value, { call: live });
    const json = live(() => renamedJson(value, text));
    if (json !== null) (renamed.yields ??= new Map()).set(yields.length, json);
    yields.push(text);
    if (how.writesYields) step.run.yielded(step, yields.length - 1);
  };
  const end = (outcome: { value: unknown } | { error: unknown }): void => {
    if (step.state !== "open") return;
    if ("value" in outcome) {
      call.result = encodeValue(outcome.value, { call: live }).text;
      const json = live(() => renamedJson(outcome.value, call.result as string));
      if (json !== null) renamed.result = json;
    } else {
      call.error = encodeValue(outcome.error, { call: live }).text;
      const json = live(() => thrownJson(outcome.error, call.error as string));
      if (json !== null) renamed.error = json;
      step.error = recordError(outcome.error);
    }
    step.run.source.ran(step, outcome);
    settle(step);
  };
  return isSyncGenerator(inner)
    ? watchSync(how.frame, inner, keep, end)
    : watchAsync(step, how.frame, inner, keep, end);
}

type Keep = (value: unknown) => void;
type End = (outcome: { value: unknown } | { error: unknown }) => void;

function* watchSync(frame: Frame, inner: Generator, keep: Keep, end: End): Generator {
  let sent: unknown;
  try {
    for (;;) {
      const { done, value } = withRoom(() => within(frame, () => inner.next(sent)));
      if (done) {
        end({ value });
        return value;
      }
      keep(value);
      sent = yield value;
    }
  } catch (error) {
    end({ error });
    throw error;
  } finally {
    within(frame, () => inner.return(undefined));
    end({ value: undefined });
  }
}

async function* watchAsync(step: OpenStep, frame: Frame, inner: AsyncGenerator, keep: Keep, end: End): AsyncGenerator {
  let sent: unknown;
  let part = 0;
  try {
    for (;;) {
      const next = await delivered(
        step,
        part++,
        withRoom(() => within(frame, () => inner.next(sent))),
      );
      if (next.done) {
        end({ value: next.value });
        return next.value;
      }
      keep(next.value);
      sent = yield next.value;
    }
  } catch (error) {
    end({ error });
    throw error;
  } finally {
    end({ value: undefined });
    void within(frame, () => inner.return(undefined)).catch(() => {});
  }
}

/** Each step of the inner generator reaches the agent in a turn of its own. */
function delivered<T>(step: OpenStep, part: number, arriving: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const offer = (fire: () => void): void =>
      step.run.source.gate.offer({
        kind: "c",
        id: step.index,
        part,
        scope: step.frame.scope,
        dead: () => false,
        referenced: () => true,
        fire,
      });
    thenSeen(
      arriving,
      (value) => offer(() => resolve(value)),
      (error) => offer(() => reject(error)),
      resolve,
    );
  });
}

interface Recorded {
  readonly yields: readonly string[];
  /** ends the replay: what comes next is not in the record; absent: the record is whole */
  readonly over?: () => void;
}

const recorded = new WeakMap<object, Recorded>();

/** What a generator is going to yield, as it stands in the record; undefined: it is none of a record. */
export function yieldsOf(generator: object): readonly unknown[] | undefined {
  return recorded.get(generator)?.yields.map((text) => servedValue(text));
}

/** Ends a replay in which a generator of the record cannot give what it gave: the record is incomplete. Returns false elsewhere. */
export function endReplay(generator: object): boolean {
  const over = recorded.get(generator)?.over;
  over?.();
  return over !== undefined;
}

/** A recorded generator: the same yields, then the recorded end; of one that had not ended none. */
export function tapeGenerator(
  step: OpenStep,
  call: CallDraft,
  { call: given, open = false, over }: Extract<Answer, { from: "call" }>,
): AnyGenerator {
  call.generator = given["generator"] === "sync" ? "sync" : "async";
  call.yields = [...(given.yields ?? [])];
  const yields = call.yields;
  const finish = (): unknown => {
    if (step.state === "open") {
      if (given.error !== undefined) step.error = recordError(servedValue(given.error));
      settle(step);
    }
    if (given.error !== undefined) throw servedValue(given.error);
    return given.result === undefined ? undefined : servedValue(given.result);
  };
  if (call.generator === "sync")
    return (function* () {
      for (const text of yields) yield servedValue(text);
      if (open) over?.();
      return finish();
    })();
  const generator = (async function* () {
    let part = 0;
    for (const text of yields) {
      await delivered(step, part++, Promise.resolve());
      yield servedValue(text);
    }
    await (open ? new Promise<never>(() => offerOpen(step, part)) : delivered(step, part, Promise.resolve()));
    return finish();
  })();
  recorded.set(generator, { yields, ...(over !== undefined && { over }) });
  return generator;
}
