import { afterEach, beforeEach, expect, test } from "vitest";
import { installGuard } from "./guard.ts";
import { RefusedEffect } from "./refusal.ts";

const refused: string[] = [];
const deaths: string[] = [];
let undo: () => void;

beforeEach(() => {
  undo = installGuard({
    applies: () => true,
    onSocket: () => {},
    threadPreload: null,
    onOwnDeath: (signal) => void deaths.push(signal),
    refuse(kind, target) {
      refused.push(`${kind} ${target}`);
      return new RefusedEffect(kind, target);
    },
  });
});
afterEach(() => undo());

test("a signal for another process is refused: whose number was recorded may be anybody by now", () => {
  expect(() => process.kill(1, "SIGTERM")).toThrow(RefusedEffect);
  expect(() => process.kill(-1, 9)).toThrow(RefusedEffect);
  expect(refused).toEqual(["signal SIGTERM to process 1", "signal SIGKILL to process -1"]);
  expect(process.kill(process.ppid, 0)).toBe(true);
});

test("a signal for itself is not sent: the record has it, or the program ends by it", async () => {
  let heard = 0;
  const listener = (): void => void heard++;
  process.on("SIGUSR2", listener);
  expect(process.kill(process.pid, "SIGUSR2")).toBe(true);
  process.off("SIGUSR2", listener);
  process.kill(process.pid, "SIGWINCH");
  expect(deaths).toEqual([]);
  process.kill(process.pid, "SIGUSR2");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([heard, deaths]).toEqual([0, ["SIGUSR2"]]);
  expect(() => process.kill(process.pid, "SIGNONE" as never)).toThrow("Unknown signal");
});
