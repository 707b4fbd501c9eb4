import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import { stepsOf, unrecordedTools } from "@reenact/view";
import type { Store } from "../e2e/reenact.ts";
import { type Program, record, type Recorded, replay } from "../fidelity/trial.ts";
import type { Subject } from "./subjects.ts";

/** One case of one subject. */
export interface Cell {
  readonly subject: Subject;
  readonly which: string;
}

export interface TriedCell extends Cell {
  readonly steps: number;
  /** null: recorded, replayed the same with nobody listening, and shown with its names and tokens */
  readonly problem: string | null;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const drivers = { provider: "provider-case.mjs", framework: "framework-case.mjs" } as const;

export const cellsOf = (subjects: readonly Subject[]): Cell[] =>
  subjects.flatMap((subject) => subject.cases.map((which) => ({ subject, which })));

function programOf({ subject, which }: Cell, port: number): Program {
  const { name, host, file, kind } = subject;
  const url = `http://${host ?? "127.0.0.1"}:${port}`;
  const preload = host === undefined ? [] : ["--import", join(root, "test/programs/host-on-loopback.mjs")];
  return {
    name: `${name}: ${which}`,
    command: [process.execPath, ...preload, join(root, "test/matrix", drivers[kind]), file, name, which],
    env: { PROVIDER_URL: url, ...(host !== undefined && { LOOPBACK_HOST: host }) },
  };
}

export const recordCell = (cell: Cell, port: number, store: Store): Promise<Recorded> =>
  record(programOf(cell, port), store);

/** Call it when nobody answers any more. */
export async function replayCell(cell: Cell, recorded: Recorded, store: Store): Promise<TriedCell> {
  const { summary, code, stderr } = recorded.ended;
  if (code !== 0) return { ...cell, steps: 0, problem: `the program ended with ${code}: ${stderr.slice(-1000)}` };
  if (summary.run === null) return { ...cell, steps: 0, problem: "no run was recorded" };
  const envelope = readEnvelope(readFileSync(store.path(summary.run)));
  const { problem, sockets, steps } = await replay(recorded, store);
  const unseen = unseenIn(cell, envelope);
  return { ...cell, steps, problem: problem ?? (sockets > 0 ? `${sockets} sockets in the replay` : unseen) };
}

/** What the pages and `show` would miss: the tools of an answer by name, its tokens, a tool that nobody recorded. */
function unseenIn({ subject, which }: Cell, envelope: Envelope): string | null {
  const steps = stepsOf(envelope);
  const models = steps.filter(({ kind }) => kind === "LLM");
  if (models.length === 0) return "no step is shown as a model's";
  if (which === "plain" && subject.tokens && !models.some(({ tokens }) => (tokens?.output ?? 0) > 0))
    return "no tokens are shown";
  if (subject.kind === "framework") {
    const { calls, named } = unrecordedTools(envelope);
    if (calls > 0) return `tools were not recorded: ${named}`;
    if (/^(?:parallel|failing)$/.test(which) && !steps.some(({ kind }) => kind === "TOOL")) return "no tool is shown";
  }
  return null;
}
