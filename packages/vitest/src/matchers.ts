import { type ExpectedArguments, type FixtureReplay, judgeReplay, matchToolCall, withOutput } from "@reenact/testing";

export interface ReplayMatchers<R = unknown> {
  /** The agent did exactly what was recorded. */
  toReplay(): R;
  /** The agent did what the fixture expects: what was recorded, a fix of a recorded failure, or the outcome that was accepted. */
  toMatchRun(): R;
  /** A recorded tool was called in this replay, with an argument that has these members, or that the function agrees with. */
  toCallTool(name: string, expected?: ExpectedArguments): R;
}

interface Result {
  pass: boolean;
  message(): string;
}

export const matchers = {
  toReplay(received: unknown): Result {
    const replayed = replayOf(received, "toReplay");
    const { pass, message } = judgeReplay({ ...replayed, fixture: { ...replayed.fixture, definition: null } });
    return { pass, message: () => withOutput(message, replayed) };
  },
  toMatchRun(received: unknown): Result {
    const replayed = replayOf(received, "toMatchRun");
    const { pass, message } = judgeReplay(replayed);
    return { pass, message: () => withOutput(message, replayed) };
  },
  toCallTool(received: unknown, name: string, expected?: ExpectedArguments): Result {
    const { pass, message } = matchToolCall(replayOf(received, "toCallTool").toolCalls, name, expected);
    return { pass, message: () => message };
  },
};

function replayOf(received: unknown, matcher: string): FixtureReplay {
  if (typeof received === "object" && received !== null && "fixture" in received && "report" in received)
    return received as FixtureReplay;
  throw new TypeError(
    `${matcher}() takes what replay() resolves to: expect(await replay("runs/checkout")).${matcher}()`,
  );
}
