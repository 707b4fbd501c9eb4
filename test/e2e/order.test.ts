import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { scale } from "../scale.ts";
import { LOADS } from "./load.ts";
import { Store } from "./reenact.ts";
import { difference, tryOut } from "./trial.ts";

/** Turn cases: programs in which what happens between two turns decides about the output. */
const PROGRAMS = [
  "abort-storm",
  "aborted-body",
  "before-exit",
  "buffered-stream",
  "cancelled-body",
  "deadline-loop",
  "drawn-beside-fetch",
  "dropped-call",
  "dropped-call-beside-server",
  "exit-in-flight",
  "files-beside-turns",
  "generator-bodies",
  "instant-tool",
  "late-draws",
  "log-thread",
  "long-sleep",
  "mixed-draws",
  // on an older Node a hook for native resources would be one for every promise, too
  ...(Number(process.versions.node.split(".")[0]) >= 24 ? ["native-wake-ups"] : []),
  "open-folder",
  "output-only",
  "own-server",
  "own-server-closed",
  "polling-loops",
  "same-value",
  "sent-streams",
  "shared-settle",
  "signals",
  "throwing-callbacks",
  "throwing-timers",
  "tick-mix",
  "timer-contexts",
  "timers-crossed",
  "tool-bodies",
  "two-chunks",
  "unheard-deadline",
  "watched-files",
  "worker-threads",
  "zlib-streams",
];

const logs = mkdtempSync(join(tmpdir(), "order-"));
const store = new Store();
let provider: ChildProvider;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(logs, "provider.jsonl") });
});

afterAll(async () => {
  await provider.stop();
  store.remove();
  rmSync(logs, { recursive: true, force: true });
});

// the small scale takes each program once, and a few of them under load; CI's takes each once, two of three under load
const times = scale(1, 1, 10);
const loaded = (n: number): (typeof LOADS)[number] => (n % 6 === 0 ? "recording" : n % 6 === 3 ? "replaying" : "none");
const loadsOf = (n: number): readonly (typeof LOADS)[number][] =>
  scale([loaded(n)], [LOADS[n % LOADS.length] ?? "none"], LOADS);
const cases = PROGRAMS.flatMap((program, n) => loadsOf(n).map((load) => ({ program, load })));

test.each(cases)(
  "$program replays identically (load: $load)",
  { timeout: times * 60_000 },
  async ({ program, load }) => {
    for (let i = 0; i < times; i++) {
      const { recorded, replayed } = await tryOut(store, { program, load, env: { PROVIDER_URL: provider.url } });
      expect(difference(recorded, replayed) ?? "").toBe("");
    }
  },
);
