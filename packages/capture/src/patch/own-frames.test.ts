import { join } from "node:path";
import { expect, test } from "vitest";
import { programFrames } from "./own-frames.ts";

const OWN = join(import.meta.dirname, "run.ts");

/** A trace by the files of its frames; `~` before a file: an asynchronous frame. */
const trace = (...files: string[]): NodeJS.CallSite[] =>
  files.map(
    (file) =>
      ({
        getFileName: () => file.replace("~", ""),
        isAsync: () => file.startsWith("~"),
        getFunctionName: () => null,
      }) as unknown as NodeJS.CallSite,
  );
const shown = (...files: string[]): unknown[] => programFrames(trace(...files)).map((site) => site.getFileName());

test("a trace without frames of ours stays as it is", () => {
  const plain = trace("agent.js", "node:internal/timers");
  expect(programFrames(plain)).toBe(plain);
});

test("frames of ours go, with what Node calls between them and what calls them", () => {
  expect(shown("agent.js", "node:async_hooks", OWN, OWN, "node:internal/timers")).toEqual(["agent.js"]);
  expect(shown("tool.js", "node:internal/async_local_storage/x", OWN, "", OWN, "agent.js", "node:main")).toEqual([
    "tool.js",
    "agent.js",
    "node:main",
  ]);
});

test("what Node puts below queueMicrotask for async hooks goes, wherever the trace is cut", () => {
  const site = (file: string, name: string | null): NodeJS.CallSite =>
    ({ getFileName: () => file, getFunctionName: () => name, isAsync: () => false }) as unknown as NodeJS.CallSite;
  const below = [
    site("agent.js", "later"),
    site("node:internal/process/task_queues", null),
    site("node:async_hooks", "runInAsyncScope"),
    site("node:internal/process/task_queues", "runMicrotask"),
    site("node:internal/process/task_queues", "processTicksAndRejections"),
  ];
  const files = (of: readonly NodeJS.CallSite[]): unknown[] => programFrames(of).map((each) => each.getFileName());
  expect(files(below)).toEqual(["agent.js", "node:internal/process/task_queues"]);
  expect(files(below.slice(0, 4))).toEqual(["agent.js"]);
  expect(files(below.slice(0, 3))).toEqual(["agent.js"]);
  // a scope of the program's own
  const own = [site("agent.js", "later"), site("node:async_hooks", "runInAsyncScope")];
  expect(files(own)).toEqual(["agent.js", "node:async_hooks"]);
});

test("what Node does for a call of the agent's through ours stays", () => {
  expect(shown("node:internal/url", "node:internal/deps/undici/undici", OWN, "agent.js")).toEqual([
    "node:internal/url",
    "node:internal/deps/undici/undici",
    "agent.js",
  ]);
  expect(shown("agent.js", "node:internal/process/task_queues", `~${OWN}`, "~agent.js")).toEqual([
    "agent.js",
    "node:internal/process/task_queues",
    "agent.js",
  ]);
});
