import type { ReplayPlan } from "../child/plan.ts";
import { placesHere } from "./places-here.ts";
import type { FormerFile } from "./scratch.ts";
import { formerFiles } from "./former-files.ts";
import { filesOfDatabase, type MadeFact, madeByRuns } from "./made-by-runs.ts";
import type { Tape } from "../tape/tape.ts";
import { originalsOf } from "../tape/tape-vault.ts";
import { toolPlan } from "../tools/tool-plan.ts";
import { listed } from "../verdict/listed.ts";

/** How a replay makes the disk look as it did when the recorded process began. */
export interface RecordedDisk {
  /** paths that the program does not see: the recorded runs have made them */
  readonly hidden: readonly string[];
  /** files that it finds with other bytes than they have here */
  readonly former: readonly FormerFile[];
  /** for the report */
  readonly notes: readonly string[];
}

const MOST_NAMED = 5;

/** For the runs of one process. Files that only the bodies of tools wrote that are served now stay as they lie here. */
export function recordedDisk(tapes: readonly Tape[], plan: Pick<ReplayPlan, "runTools" | "serveTools">): RecordedDisk {
  const hidden: string[] = [];
  const former: FormerFile[] = [];
  const names: string[] = [];
  const notes: string[] = [];
  const known = new Set<string>();
  const inOrder = [...tapes].sort((a, b) => (a.root.sequence ?? 0) - (b.root.sequence ?? 0));
  for (const tape of inOrder) {
    const { files, databases, leaks = [], process: facts = {} } = tape.root;
    const here = placesHere(facts);
    const runs = bodiesThatRun(tape, plan);
    const written = files?.written ?? [];
    const made = [...written, ...(databases?.opened ?? []).flatMap(filesOfDatabase)];
    hidden.push(
      ...madeByRuns(
        made.map((fact) => (fact.tools?.every(runs) === true ? withoutTools(fact) : fact)),
        here,
      ),
    );
    const read = new Set(leaks.flatMap(({ kind, target }) => (kind === "read" ? [target] : [])));
    const own = written.filter(({ path, tools }) => !known.has(path) && (tools === undefined || tools.some(runs)));
    const found = formerFiles(own, here, originalsOf(tape)?.root.files ?? {}, (place) => read.has(place));
    former.push(...found.files);
    names.push(...found.names);
    notes.push(...found.missing);
    for (const { path } of written) known.add(path);
  }
  if (names.length > 0) {
    notes.unshift(`files as the recorded run found them, not as they lie here: ${listed(names, MOST_NAMED)}`);
  }
  return { hidden, former, notes };
}

/** The fact of a file that a body of a tool made which runs in this replay, as of one that the agent itself made. */
function withoutTools(fact: MadeFact): MadeFact {
  const { tools: _, ...rest } = fact;
  return rest;
}

/** Whether the body of the tool step with this number runs in this replay; -1: outside of every body. */
function bodiesThatRun(tape: Tape, plan: Pick<ReplayPlan, "runTools" | "serveTools">): (scope: number) => boolean {
  const { served } = toolPlan(tape, {
    mode: "observe",
    runTools: new Set(plan.runTools),
    serveTools: new Set(plan.serveTools),
  });
  return (scope) => {
    for (let step = tape.steps.get(scope); step !== undefined; step = tape.steps.get(step.record.under ?? -1))
      if (served.has(step.index)) return false;
    return true;
  };
}
