import { noteAgent } from "../inbound/agent-signs.ts";
import { watchAgentGenerator } from "./agent-generator.ts";
import { callRun, jsonOf } from "./call-run.ts";
import { type Frame, stepFrame, isLive, within } from "../run/context.ts";
import { copyFunctionProperties } from "../patch/copy-function-properties.ts";
import { isGenerator } from "../span/generator-kind.ts";
import { guarded } from "../fault/faults.ts";
import { isRecording } from "../install.ts";
import { discriminator, join } from "../run/path.ts";
import { recorder } from "../run/recorder.ts";
import { resultDelivery } from "./result-delivery.ts";
import { Run } from "../run/run.ts";
import { isInbound } from "../run/run-start.ts";
import { hasReader } from "../redact/scrubber.ts";
import { nextSequence } from "../run/sequence.ts";
import { withRoom } from "../patch/stack-room.ts";
import { encodeOrCopy } from "../span/value-snapshot.ts";

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
      const caller = frame?.run ?? null;
      return new Run({
        trigger: "function",
        name,
        sequence: nextSequence(),
        input,
        inputJson: jsonOf(args, input),
        ...(caller !== null && isInbound(caller.start.trigger) && { calledIn: caller.id }),
      });
    });
    return run === null ? withRoom(body) : runAgent(run, body);
  };
  const given = copyFunctionProperties(Object.assign(watched, { [AGENT]: true }), fn) as unknown as F;
  guarded("agent", undefined, () => recorder.onAgent(name, given));
  return given;
}

function runNested(frame: Frame, body: () => unknown): unknown {
  const out = withRoom(() => within(frame, body));
  return isGenerator(out) ? watchAgentGenerator(frame, out, { returned: () => {}, threw: () => {} }, () => null) : out;
}

const AGENT = Symbol.for("reenact.agent");

/** Whether a call of `fn` makes its own run. */
export function isAgent(fn: unknown): boolean {
  return typeof fn === "function" && AGENT in fn;
}

export function runAgent(run: Run, body: () => unknown): unknown {
  run.activate();
  return callRun(run, body, () => resultDelivery(run));
}
