import type { Frame } from "./context.ts";
import type { PendingToolCalls } from "./pending-tool-calls.ts";

/** Looks through the frame and the frames around it, up to the tool body that it stands in. */
export function findPendingCall(frame: Frame, name: string, args: readonly unknown[]): string | null {
  return findIn(frame, (pending) => pending.take(name, args));
}

/** As `findPendingCall`, by the id of the tool call. */
export function findPendingCallById(frame: Frame, id: string): string | null {
  return findIn(frame, (pending) => pending.takeById(id));
}

function findIn(frame: Frame, take: (pending: PendingToolCalls) => string | null): string | null {
  for (let f: Frame | null = frame; f !== null && f.scope === frame.scope && f.run === frame.run; f = f.outer) {
    const place = f.pendingToolCalls === null ? null : take(f.pendingToolCalls);
    if (place !== null) return place;
  }
  return null;
}
