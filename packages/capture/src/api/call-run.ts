import { finished } from "node:stream";
import { encodeValue, recordError } from "@reenact/envelope";
import { guarded } from "../fault/faults.ts";
import { noteTurn } from "../patch/error-turns.ts";
import { withRoom } from "../patch/stack-room.ts";
import { renamedJson, thrownJson } from "../redact/scrub-renamed.ts";
import { live, within } from "../run/context.ts";
import { recorder } from "../run/recorder.ts";
import type { Run } from "../run/run.ts";
import type { RunEnd } from "../run/run-start.ts";
import { isGenerator } from "../span/generator-kind.ts";
import { thrownMessage } from "../span/thrown-message.ts";
import { encodeOrCopy, type TypedText } from "../span/value-snapshot.ts";
import { watchAgentGenerator } from "./agent-generator.ts";
import type { ResultDelivery } from "./result-delivery.ts";
import { returnedStream } from "./returned-stream.ts";

/**
 * Runs a call in the context of a run, which ends with it: how it ended is recorded if the run has taken an agentic step by then.
 *
 * @param deliveryOf called in the context of the caller where it waits for an outcome
 */
export function callRun(run: Run, body: () => unknown, deliveryOf = (): ResultDelivery | null => null): unknown {
  const isWritten = (): boolean => run.isActive || recorder.isReplay;
  const returned = (value: unknown): void => {
    if (!isWritten()) return run.end({ status: "ok" });
    const output = encodeOrCopy(value, () => run.hasReader, { stacks: false }).text;
    const end: RunEnd = { status: "ok", output, outputJson: jsonOf(value, output) };
    const stream = guarded("agent", null, () => returnedStream(value));
    if (stream === null || !guarded("agent", false, () => endWhenRead(run, stream, end))) run.end(end);
  };
  const threw = (error: unknown): void => {
    if (!isWritten()) return run.end({ status: "failed" });
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
  if (isGenerator(out)) return watchAgentGenerator(run.frame, out, { returned, threw }, deliveryOf);
  if (!isThenable(out)) {
    returned(out);
    return out;
  }
  const delivery = deliveryOf();
  return out.then(
    (value) => {
      returned(value);
      return delivery === null ? value : delivery().then(() => value);
    },
    (error: unknown) => {
      threw(error);
      if (delivery === null) throw error;
      return delivery().then(() => {
        throw error;
      });
    },
  );
}

/** JSON of a value that is encoded already. Of what was copied, which is plain data, a `toJSON` is no part. */
export function jsonOf(value: unknown, typed: TypedText): string | null {
  return typeof typed === "string" ? renamedJson(value, typed) : null;
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

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "then") === "function";
}
