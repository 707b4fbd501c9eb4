import { encodeValue } from "@reenact/envelope";
import { expect, test } from "vitest";
import { childOutput } from "./child-output.ts";

const shown = (events: readonly unknown[], op = "process:git"): string | null =>
  childOutput({ op, call: { args: "[]", yields: events.map((event) => encodeValue(event).text) } });

test("what a child printed is shown by stream, with an end that was not well", () => {
  const events = [{ stdout: "a " }, { stderr: "bad\n" }, { stdout: "b\n" }, { ended: 1 }];
  expect(shown([...events, { exit: 3, signal: null }])).toBe("a b\nstderr: bad\nexit code 3");
  expect(shown([{ exit: null, signal: "SIGTERM" }])).toBe("ended by SIGTERM");
  expect(shown([{ stdout: "fine" }, { exit: 0, signal: null }])).toBe("fine");
});

test("other steps, and values that are none, have no such text", () => {
  expect(shown([{ stdout: "a" }], "mcp:incoming")).toBeNull();
  expect(shown([{ exit: 0, signal: null }])).toBeNull();
  expect(childOutput({ op: "process:git", call: { args: "[]", yields: ["UNSCANNED_9"] } })).toBeNull();
});
