import { encodeValue, recordError } from "@reenact/envelope";
import { type Frame, live, type RunFrame, within } from "../run/context.ts";
import { openStep, settle, type StepStart, type OpenStep } from "./open-step.ts";
import type { CallDraft } from "./step-content.ts";
import { raise } from "../source/raise.ts";
import { thenSeen } from "../patch/show-awaiter.ts";
import { withRoom } from "../patch/stack-room.ts";
import { noteTurn } from "../patch/error-turns.ts";
import { guarded } from "../fault/faults.ts";
import { plainJson } from "../redact/plain-json.ts";
import { readResultAhead } from "../redact/read-ahead.ts";
import { sha256 } from "./digest.ts";
import { offerOpen } from "./offer-open.ts";
import { isGenerator } from "./generator-kind.ts";
import { type GeneratorRecording, watchGenerator, tapeGenerator } from "./generator-step.ts";
import { thrownJson } from "../redact/scrub-renamed.ts";
import { encodeOrCopy } from "./value-snapshot.ts";

export interface FunctionStep {
  start: Omit<StepStart, "content" | "source">;
  /** frame in which the body runs */
  inner(step: OpenStep): Frame;
  /** source text of the body, for its digest; null where there is none of interest */
  source: string | null;
  /** each value that the body yields stands alone, and is written before the agent gets it, since the step may go on for long */
  writesYields?: boolean;
  /** a call without a record throws, where it would begin at once */
  throwsMiss?: boolean;
  /** what the agent gets for an error that was decoded from the record */
  revive?: (error: unknown) => unknown;
}

/** Runs a function as a step: its body where it goes live, its recorded outcome where it is served. */
export function callStep(frame: RunFrame, what: FunctionStep, args: readonly unknown[], body: () => unknown): unknown {
  const { run } = frame;
  const encoded = encodeOrCopy(args, () => run.hasReader, { stacks: false });
  // a source that compares arguments is a replay's, for which nothing is copied
  const text = typeof encoded.text === "string" ? encoded.text : "";
  const input = typeof encoded.text === "string" ? plainJson(args.length === 1 ? args[0] : args, text) : null;
  const source = what.source === null ? null : sha256(what.source);
  const step = openStep(frame, { ...what.start, source, content: { args: text, json: input } });
  const call: CallDraft = {
    args: encoded.text,
    result: null,
    error: null,
    sync: false,
    same: null,
    yields: null,
    generator: null,
    input,
    output: null,
  };
  step.call = call;
  for (const line of encoded.lossy) step.lossy.push(`args: ${line}`);
  const { answer } = step;
  if (answer.from === "miss") {
    missed(step, call, answer.error);
    return what.throwsMiss === true ? raise(answer.error) : Promise.reject(answer.error);
  }
  if (answer.from === "call") return serve(step, call, answer, what.revive);
  if (answer.from === "live") step.run.inFlight(step);
  return runBody(step, call, { frame: what.inner(step), writesYields: what.writesYields === true }, body);
}

/** A miss is an error of the recorder: the step ends with it. */
function missed(step: OpenStep, call: CallDraft, error: Error): void {
  call.error = encodeValue(error).text;
  step.error = recordError(error);
  step.run.closed(step);
}

function serve(
  step: OpenStep,
  call: CallDraft,
  answer: Extract<OpenStep["answer"], { from: "call" }>,
  revive = (error: unknown): unknown => error,
): unknown {
  const recorded = answer.call;
  call.served = true;
  call.result = recorded.result ?? null;
  call.error = recorded.error ?? null;
  call.sync = recorded.sync ?? false;
  const failed = recorded.error !== undefined;
  const { open = false } = answer;
  if (recorded["generator"] !== undefined) return tapeGenerator(step, call, answer);
  if (open) return new Promise(() => offerOpen(step, 0));
  if (call.sync) {
    settleFunction(step, call);
    if (failed) raise(revive(answer.value()));
    return answer.value();
  }
  return new Promise((resolve, reject_) => {
    offer(step, () => {
      const value = answer.value();
      settleFunction(step, call);
      if (failed) reject_(revive(value));
      else resolve(value);
    });
  });
}

function runBody(step: OpenStep, call: CallDraft, how: GeneratorRecording, body: () => unknown): unknown {
  let out: unknown;
  try {
    out = withRoom(() => within(how.frame, body));
  } catch (error) {
    call.sync = true;
    noteTurn(step.run, error);
    step.run.source.ran(step, { error });
    keepError(step, call, error);
    settleFunction(step, call);
    return raise(error);
  }
  if (isGenerator(out)) return watchGenerator(step, call, how, out);
  if (!isThenable(out)) {
    call.sync = true;
    step.run.source.ran(step, { value: out });
    keepValue(step, call, out);
    settleFunction(step, call);
    return out;
  }
  return new Promise((resolve, reject_) => {
    thenSeen(
      out,
      (value) => {
        step.run.source.ran(step, { value });
        const deliver = (): void =>
          offer(step, () => {
            keepValue(step, call, value);
            settleFunction(step, call);
            resolve(value);
          });
        const wait = guarded("finish", null, () => readResultAhead(step, call, value));
        if (wait === null) deliver();
        else void live(() => wait.then(deliver));
      },
      (error: unknown) => {
        noteTurn(step.run, error);
        step.run.source.ran(step, { error });
        offer(step, () => {
          keepError(step, call, error);
          settleFunction(step, call);
          reject_(error);
        });
      },
      resolve,
    );
  });
}

function offer(step: OpenStep, fire: () => void): void {
  const { run, frame, index } = step;
  run.source.gate.offer({
    kind: "h",
    id: index,
    part: 0,
    scope: frame.scope,
    ofBody: true,
    dead: () => false,
    referenced: () => true,
    fire,
  });
}

function keepValue(step: OpenStep, call: CallDraft, value: unknown): void {
  const { text, lossy } = encodeOrCopy(value, () => step.run.hasReader, { call: live });
  call.result = text;
  call.output = typeof text === "string" ? plainJson(value, text) : null;
  for (const line of lossy) step.lossy.push(`result: ${line}`);
  if (typeof value !== "object" || value === null) return;
  const known = step.run.returned.get(value);
  if (known === undefined) step.run.returned.set(value, step.index);
  else call.same = known;
}

function keepError(step: OpenStep, call: CallDraft, error: unknown): void {
  const { text, lossy } = encodeValue(error, { call: live });
  call.error = text;
  const json = live(() => thrownJson(error, text));
  if (json !== null) call.renamed = { error: json };
  step.error = recordError(error);
  for (const line of lossy) step.lossy.push(`error: ${line}`);
}

function settleFunction(step: OpenStep, call: CallDraft): void {
  if (call.error !== null && step.error === null)
    step.error = step.answer.from === "call" ? recordError(step.answer.value()) : null;
  // a step that its run has left goes on by itself
  if (step.state === "open") settle(step);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === "object" || typeof value === "function") &&
    value !== null &&
    typeof Reflect.get(value, "then") === "function"
  );
}
