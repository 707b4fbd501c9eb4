import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readEnvelope } from "@reenact/envelope/file";
import { launch, Store } from "../e2e/reenact.ts";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { scale } from "../scale.ts";

const program = fileURLToPath(new URL("ending-agent.mjs", import.meta.url));
const logs = mkdtempSync(join(tmpdir(), "endings-"));
let provider: ChildProvider;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(logs, "provider.jsonl") });
});

afterAll(async () => {
  await provider.stop();
  rmSync(logs, { recursive: true, force: true });
});

interface Ending {
  how: string;
  /** of `reenact run`, which ends as its child does */
  code: number | null;
  signal: string | null;
  /** in the summary */
  exitCode: number;
  status: string;
  /** what the record says of the two calls in the middle of which the process ended */
  open: string[];
  error: RegExp;
}

const DIED = ["process died", "process died"];
const endings: Ending[] = [
  { how: "exit", code: 3, signal: null, exitCode: 3, status: "failed", open: ["open", "open"], error: /exit code 3/ },
  { how: "throw", code: 1, signal: null, exitCode: 1, status: "failed", open: ["open", "open"], error: /it broke/ },
  {
    how: "reject",
    code: 1,
    signal: null,
    exitCode: 1,
    status: "failed",
    open: ["open", "open"],
    error: /nobody caught this/,
  },
  { how: "handler", code: 0, signal: null, exitCode: 0, status: "ok", open: ["open", "open"], error: /^null$/ },
  { how: "SIGTERM", code: null, signal: "SIGTERM", exitCode: 143, status: "aborted", open: DIED, error: /^null$/ },
  { how: "SIGINT", code: null, signal: "SIGINT", exitCode: 130, status: "aborted", open: DIED, error: /^null$/ },
  { how: "SIGHUP", code: null, signal: "SIGHUP", exitCode: 129, status: "aborted", open: DIED, error: /^null$/ },
  { how: "SIGKILL", code: 137, signal: null, exitCode: 137, status: "aborted", open: DIED, error: /^null$/ },
  { how: "abort", code: null, signal: "SIGABRT", exitCode: 134, status: "aborted", open: DIED, error: /^null$/ },
];

describe("an end in the middle of a call", () => {
  it.each(endings.filter((_, n) => scale(n % 2 === 0 ? 1 : 0, 1, 1) === 1))(
    "$how: what had ended is whole, what had not is shown as such",
    async ({ how, code, signal, exitCode, status, open, error }) => {
      const store = new Store();
      const plain = await launch([process.execPath, program, how], { env: { PROVIDER_URL: provider.url } });
      const recorded = await store.run([process.execPath, program, how], { env: { PROVIDER_URL: provider.url } });
      expect({ code: recorded.code, signal: recorded.signal }).toEqual({ code, signal });
      expect(recorded.stdout.split("\n").length).toBe(plain.stdout.split("\n").length);
      const { run, ...summary } = recorded.summary;
      expect(summary).toMatchObject({ status, exitCode, steps: 4 });
      const envelope = readEnvelope(readFileSync(store.path(run as string)));
      expect(envelope.steps.map(({ span }) => span.status.code)).toEqual(open === DIED ? [1, 1, 2, 2] : [1, 1, 1, 1]);
      const [first, tool, ...rest] = envelope.steps;
      expect(first?.span.attributes["output.value"]).toContain("You said: first");
      expect(tool?.record.call?.result).toContain("looked at it");
      expect(rest.map(({ span, record }) => (open === DIED ? span.status.message : record.exchange?.end))).toEqual(
        open,
      );
      for (const { record, span } of rest)
        expect(JSON.stringify([record, span.attributes["input.value"]])).toMatch(/answered/);
      expect(String(envelope.manifest.error?.message ?? null)).toMatch(error);
      expect(envelope.incompleteReasons).toEqual(open === DIED ? ["the process died before the run ended"] : []);
      const { steps } = JSON.parse((await store.command("show", run as string, "--json")).stdout) as {
        steps: { status: string }[];
      };
      expect(steps.map(({ status: shown }) => shown)).toEqual([
        "ok",
        "ok",
        ...(open === DIED ? ["error", "error"] : ["open", "open"]),
      ]);
      // what was recorded up to there replays
      const replayed = await store.replay(run as string, [process.execPath, program, how]);
      const verdict = open === DIED ? "incomplete" : "identical";
      expect(replayed, replayed.stderr).toMatchObject({
        code: open === DIED ? 11 : 0,
        stdout: recorded.stdout,
        report: { verdict, sockets: 0, live: 0 },
      });
      store.remove();
    },
  );
});
