import type { ApiDeps } from "../query/api-deps.ts";
import { ApiError } from "../query/api-error.ts";
import { bodyOf, type Handler } from "../query/ask.ts";
import { noBody } from "../query/system-schema.ts";
import { admission, busy } from "./admission.ts";
import type { Project } from "./project.ts";
import { testsBody } from "./project-schema.ts";

export type TestsName = "listTests" | "startTests" | "cancelTests";

/** Answers about the tests of the project, and runs of them. */
export function testsHandlers({ projectOf, log }: Pick<ApiDeps, "projectOf" | "log">): Record<TestsName, Handler> {
  const { projectFor, isAdmitted, openedWorkbench } = admission(projectOf);
  return {
    listTests: (ask) => {
      const project = projectFor(ask);
      const workbench = project?.workbench ?? null;
      return ask.json({
        schemaVersion: 1,
        project: project?.name ?? null,
        command: project?.testCommand ?? "reenact test",
        place: project?.place ?? "",
        tests: project?.tests() ?? [],
        admitted: workbench !== null && isAdmitted(ask, workbench),
        run: workbench?.testsRun() ?? null,
      });
    },
    startTests: async (ask) => {
      const workbench = openedWorkbench(ask);
      const { files } = await bodyOf(ask, testsBody);
      const run = workbench.startTests(runnable(projectFor(ask), files));
      if (run === null) throw busy(workbench);
      log("info", "workbench.tests", { run: run.id, tests: run.files.length, caller: ask.get("caller") });
      return ask.json({ schemaVersion: 1, run });
    },
    cancelTests: async (ask) => {
      const workbench = openedWorkbench(ask);
      await bodyOf(ask, noBody);
      if (workbench.testsRun()?.id !== ask.req.param("tests"))
        throw new ApiError("NO_TEST", "these tests were not the last ones that were started");
      workbench.cancelTests();
      return ask.json({ schemaVersion: 1, run: workbench.testsRun() });
    },
  };
}

/** A request names tests that the project has, and nothing else of the disk. Throws `NO_TEST`. */
function runnable(project: Project | null, wanted: readonly string[]): string[] {
  const known = (project?.tests() ?? []).filter(({ command }) => command !== null).map(({ file }) => file);
  const unknown = wanted.find((file) => !known.includes(file));
  if (unknown !== undefined)
    throw new ApiError(
      "NO_TEST",
      `${JSON.stringify(unknown.slice(0, 200))} is no test of this project that can be run`,
    );
  if (known.length === 0) throw new ApiError("NO_TEST", "this project has no test that can be run");
  return wanted.length === 0 ? known : [...new Set(wanted)];
}
