import { type Frame, stepFrame, within } from "../run/context.ts";
import { isRecording } from "../install.ts";
import { discriminator, join } from "../run/path.ts";
import { withRoom } from "../patch/stack-room.ts";

/**
 * Runs a function as a named branch, so that a replay tells the steps of parallel branches apart by name, not by order.
 *
 * @param key the branch's name, unique among those that run at the same time
 * @returns what `fn` returns
 */
export function branch<T>(key: string, fn: () => T): T {
  const frame = stepFrame();
  if (frame === null || frame.run === null) return isRecording() ? withRoom(fn) : fn();
  const inner: Frame = {
    run: frame.run,
    path: join(frame.path, `branch:${discriminator(key)}`),
    scope: frame.scope,
    span: frame.span,
    pendingToolCalls: frame.run.newPendingToolCalls(),
    outer: frame,
  };
  return withRoom(() => within(inner, fn));
}
