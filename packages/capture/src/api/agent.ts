import { noteAgent } from "../inbound/agent-signs.ts";
import { finished } from "node:stream";
import { encodeValue, recordError } from "@reenact/envelope";
import { watchAgentGenerator } from "./agent-generator.ts";
import { type Frame, stepFrame, isLive, live, within } from "../run/context.ts";
import { copyFunctionProperties } from "../patch/copy-function-properties.ts";
import { isGenerator } from "../span/generator-kind.ts";
import { guarded } from "../fault/faults.ts";
import { isRecording } from "../install.ts";
import { discriminator, join } from "../run/path.ts";
import { recorder } from "../run/recorder.ts";
import { returnedStream } from "./returned-stream.ts";
import type { RunEnd } from "../run/run-start.ts";
import { Run } from "../run/run.ts";
import { renamedJson, thrownJson } from "../redact/scrub-renamed.ts";
import { hasReader } from "../redact/scrubber.ts";
import { nextSequence } from "../run/sequence.ts";
import { withRoom } from "../patch/stack-room.ts";
import { thrownMessage } from "../span/thrown-message.ts";
import { encodeOrCopy, type TypedText } from "../span/value-snapshot.ts";
import { noteTurn } from "../patch/error-turns.ts";

/**
 * Makes each call of a function a run of its own: what a server does for one request, or a worker for one job. A call
 * inside another run is a part of that run, shown as a sub-agent.
 *
 * @param name the name that lists of runs show
 * @param fn a plain, asynchronous or generator function
 * @returns a function with the same type
 * @example
 * const answer = agent("answer", async (question: string) => ask(question));
 */
export function agent<F extends (...args: never[]) => unknown>(name: string, fn: F): F {
  noteAgent();
  const watched = function (this: unknown, ...args: unknown[]): unknown {
    const body = (): unknown => Reflect.apply(fn, this, args);
    const frame = stepFrame();
    if (frame !== null && frame.run !== null && (frame.run.start.trigger === "function" || frame.scope !== -1))
      return runNested(
        {
          run: frame.run,
          path: join(frame.path, `agent:${discriminator(name)}`),
          scope: frame.scope,
          span: frame.span,
          pendingToolCalls: frame.run.newPendingToolCalls(),
          outer: frame,
        },
        body,
      );
    if (!isRecording()) return body();
    if (isLive()) return withRoom(body);
    const run = guarded("agent", null, () => {
      const elsewhere = (): boolean => !recorder.isReplay && hasReader(recorder.scrubber);
      const input = encodeOrCopy(args, elsewhere, { stacks: false }).text;
      return new Run({ trigger: "function", name, sequence: nextSequence(), input, inputJson: jsonOf(args, input) });
    });
    return run === null ? withRoom(body) : runAgent(run, body);
  };
  const given = copyFunctionProperties(Object.assign(watched, { [AGENT]: true }), fn) as unknown as F;
  guarded("agent", undefined, () => recorder.onAgent(name, given));
  return given;
}

/** Of what was copied, which is plain data, a `toJSON` is no part. */
const jsonOf = (value: unknown, typed: TypedText): string | null =>
  typeof typed === "string" ? renamedJson(value, typed) : null;

function runNested(frame: Frame, body: () => unknown): unknown {
  const out = withRoom(() => within(frame, body));
  return isGenerator(out) ? watchAgentGenerator(frame, out, { returned: () => {}, threw: () => {} }) : out;
}

/** A stream is made while it is read: the call lasts until then. */
function endWhenRead(run: Run, stream: ReadableStream, end: RunEnd): boolean {
  run.answered = end;
  live(() =>
    finished(stream as unknown as NodeJS.ReadableStream, (error) =>
      run.end(error === null || error === undefined ? end : { ...end, status: "failed", message: error.message }),
    ),
  );
  return true;
}

const AGENT = Symbol.for("reenact.agent");

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "then") === "function";
}

/** Whether a call of `fn` makes its own run. */
export function isAgent(fn: unknown): boolean {
  return typeof fn === "function" && AGENT in fn;
}

export function runAgent(run: Run, body: () => unknown): unknown {
  run.activate();
  const returned = (value: unknown): void => {
    const output = encodeOrCopy(value, () => run.hasReader, { stacks: false }).text;
    const end: RunEnd = { status: "ok", output, outputJson: jsonOf(value, output) };
    const stream = guarded("agent", null, () => returnedStream(value));
    if (stream === null || !guarded("agent", false, () => endWhenRead(run, stream, end))) run.end(end);
  };
  const threw = (error: unknown): void => {
    noteTurn(run, error);
    const output = encodeValue(error, { stacks: false }).text;
    run.end({
      status: "failed",
      message: thrownMessage(error),
      facts: { threw: true, error: recordError(error) },
      output,
      outputJson: thrownJson(error, output),
      thrown: error,
    });
  };
  let out: unknown;
  try {
    out = withRoom(() => within(run.frame, body));
  } catch (error) {
    threw(error);
    throw error;
  }
  if (isGenerator(out)) return watchAgentGenerator(run.frame, out, { returned, threw });
  if (!isThenable(out)) {
    returned(out);
    return out;
  }
  return out.then(
    (value) => {
      returned(value);
      return value;
    },
    (error: unknown) => {
      threw(error);
      throw error;
    },
  );
}
