import type { ApiDeps } from "../query/api-deps.ts";
import { bodyOf, type Handler } from "../query/ask.ts";
import { noBody } from "../query/system-schema.ts";
import { admission, busy } from "./admission.ts";
import type { ProjectCheck } from "./project.ts";

export type SetupName = "getChecks" | "startDemo";

/** Answers about the set-up of the project, and the recording of the demo run. */
export function setupHandlers({ projectOf, log }: Pick<ApiDeps, "projectOf" | "log">): Record<SetupName, Handler> {
  const { projectFor, isAdmitted, openedWorkbench } = admission(projectOf);
  return {
    getChecks: async (ask) => {
      const project = projectFor(ask);
      const workbench = project?.workbench ?? null;
      return ask.json({
        schemaVersion: 1,
        project: project?.name ?? null,
        place: project?.place ?? "",
        checks: (await project?.checks().catch(unasked)) ?? [],
        admitted: workbench !== null && isAdmitted(ask, workbench),
      });
    },
    startDemo: async (ask) => {
      const workbench = openedWorkbench(ask);
      await bodyOf(ask, noBody);
      const recording = workbench.recordDemo();
      if (recording === null) throw busy(workbench);
      log("info", "workbench.demo", { caller: ask.get("caller") });
      return ask.json({ schemaVersion: 1, ...(await recording) });
    },
  };
}

function unasked(error: unknown): ProjectCheck[] {
  const why = error instanceof Error ? error.message : String(error);
  return [{ id: "doctor", ok: false, line: why, fix: "reenact doctor" }];
}
