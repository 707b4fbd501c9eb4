import { setImmediate as turnEnds } from "node:timers/promises";
import { expect, test } from "vitest";
import { here, within } from "../../run/context.ts";
import type { Run } from "../../run/run.ts";
import { left, recordingRun, replayingRun } from "../fake-replay.test.fixture.ts";
import { orderedCompletion } from "./ordered-completion.ts";
import { orderedTurn } from "./ordered-turn.ts";

const journalOf = (run: Run): string => run.journal.cut()?.events ?? "";

/** Gives a delivery to the run, and waits until the run has had a turn for it. */
async function deliver(run: Run, said: string[], what: string): Promise<void> {
  orderedCompletion(run.frame)(() => said.push(what));
  await turnEnds();
  await turnEnds();
}

test("a turn that comes in the code that asked for it is no event, and gives what the function returns", () => {
  const run = recordingRun();
  const take = orderedTurn(run.frame);
  const later: unknown[] = [];
  expect(
    within(run.frame, () =>
      take(
        () => "now",
        (result) => later.push(result),
      ),
    ),
  ).toBe("now");
  expect([later, journalOf(run)]).toEqual([[], ""]);
});

test("a turn that another run gives is an event of the run that asked, in the scope of the code that gave it", async () => {
  const [run, other] = [recordingRun(), recordingRun()];
  const later: unknown[] = [];
  const take = orderedTurn(run.frame);
  const given = within(other.frame, () =>
    take(
      () => here()?.run === other,
      (result) => later.push(result),
    ),
  );
  await turnEnds();
  expect([given, later]).toEqual([undefined, [true]]);
  expect([journalOf(run), journalOf(other)]).toEqual(["o", ""]);
});

test("a turn that comes behind a delivery of the run keeps that place in a replay, where it comes at once", async () => {
  const recorded = recordingRun();
  const said: string[] = [];
  const take = orderedTurn(recorded.frame);
  await deliver(recorded, said, "answer");
  within(recorded.frame, () =>
    take(
      () => said.push("turn"),
      () => {},
    ),
  );
  await turnEnds();
  await turnEnds();
  expect(said).toEqual(["answer", "turn"]);
  const events = journalOf(recorded);
  expect(events).toBe("o1o0");

  const replayed = replayingRun(events);
  const again: string[] = [];
  const takeAgain = orderedTurn(replayed.frame);
  within(replayed.frame, () =>
    takeAgain(
      () => again.push("turn"),
      () => {},
    ),
  );
  await turnEnds();
  expect(again).toEqual([]);
  await deliver(replayed, again, "answer");
  await turnEnds();
  expect(again).toEqual(["answer", "turn"]);
  expect(left(replayed)).toEqual([]);
});
