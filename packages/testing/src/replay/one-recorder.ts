let lastRecording: Promise<unknown> = Promise.resolve();
const replays = new Set<Promise<unknown>>();

/** Calls `record` once no recording and no replay of this process is under way: a process has one recorder. */
export function recordAlone<T>(record: () => Promise<T>): Promise<T> {
  const recorded = lastRecording.then(async () => {
    await Promise.allSettled(replays);
    return record();
  });
  lastRecording = recorded.catch(() => {});
  return recorded;
}

/** Calls `replay` once no recording of this process is under way. Replays go on at the same time. */
export function replayTogether<T>(replay: () => Promise<T>): Promise<T> {
  return lastRecording.then(() => {
    const replayed = replay();
    replays.add(replayed);
    const forget = (): void => void replays.delete(replayed);
    replayed.then(forget, forget);
    return replayed;
  });
}
