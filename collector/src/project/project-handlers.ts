import { dollars } from "@reenact/view/text";
import type { ApiDeps } from "../query/api-deps.ts";
import { ApiError } from "../query/api-error.ts";
import { type Ask, bodyOf, type Handler } from "../query/ask.ts";
import { noBody } from "../query/system-schema.ts";
import { admission, busy } from "./admission.ts";
import { planBody, replayBody } from "./project-schema.ts";
import { type SetupName, setupHandlers } from "./setup-handlers.ts";
import { type TestsName, testsHandlers } from "./tests-handlers.ts";
import type { ReplayState, Workbench } from "./workbench.ts";

type ReplaysName = "getWorkbench" | "startReplay" | "planReplay" | "startPlan" | "getReplay" | "cancelReplay";

/** Answers about the project over which the collector runs, its tests, and replays of its runs. */
export const projectHandlers = (
  deps: Pick<ApiDeps, "projectOf" | "log">,
): Record<TestsName | SetupName | ReplaysName, Handler> => ({
  ...testsHandlers(deps),
  ...setupHandlers(deps),
  ...replayHandlers(deps),
});

function replayHandlers({ projectOf, log }: Pick<ApiDeps, "projectOf" | "log">): Record<ReplaysName, Handler> {
  const { projectFor, isAdmitted, knownWorkbench, openedWorkbench } = admission(projectOf);

  /** Throws unless real requests may be sent, too. */
  function liveWorkbench(ask: Ask): Workbench {
    const workbench = openedWorkbench(ask);
    const budget = workbench.live();
    if (budget === null) throw new ApiError("NO_LIVE", "this collector was started without --allow-live");
    if (budget.left <= 0)
      throw new ApiError(
        "SPENT",
        `the ${dollars(budget.limit)} that pages may spend are spent, or may be: of one replay the cost is not known`,
      );
    return workbench;
  }

  function replayNamed(ask: Ask, workbench: Workbench): ReplayState {
    const id = ask.req.param("replay") ?? "";
    const found = workbench.find(id);
    if (found === null) throw new ApiError("NO_REPLAY", `there is no replay ${JSON.stringify(id.slice(0, 40))}`);
    return found;
  }

  return {
    getWorkbench: (ask) => {
      const project = projectFor(ask);
      const workbench = project?.workbench ?? null;
      return ask.json({
        schemaVersion: 1,
        project: project?.name ?? null,
        command: workbench?.command ?? null,
        admitted: workbench !== null && isAdmitted(ask, workbench),
        running: workbench?.running() ?? null,
        live: workbench?.live() ?? null,
      });
    },
    startReplay: async (ask) => {
      const workbench = openedWorkbench(ask);
      const { run, ...options } = await bodyOf(ask, replayBody);
      const replay = workbench.start(run, options);
      if (replay === null) throw busy(workbench);
      log("info", "workbench.replay", { run, replay: replay.id, caller: ask.get("caller") });
      return ask.json({ schemaVersion: 1, replay });
    },
    planReplay: async (ask) => {
      const workbench = liveWorkbench(ask);
      const { run, ...replay } = await bodyOf(ask, planBody);
      const plan = await workbench.plan(run, replay).catch((cause: unknown) => {
        throw new ApiError("BAD_PLAN", cause instanceof Error ? cause.message : String(cause), { cause });
      });
      if (plan === null) throw busy(workbench);
      return ask.json({ schemaVersion: 1, plan });
    },
    startPlan: async (ask) => {
      const workbench = liveWorkbench(ask);
      await bodyOf(ask, noBody);
      const replay = workbench.startPlan(ask.req.param("plan") ?? "");
      if (replay === null) throw busy(workbench);
      if (replay === "no-plan") throw new ApiError("NO_PLAN", "this replay was started already, or is too old");
      log("warn", "workbench.live-replay", { run: replay.run, replay: replay.id, caller: ask.get("caller") });
      return ask.json({ schemaVersion: 1, replay });
    },
    getReplay: (ask) => ask.json({ schemaVersion: 1, replay: replayNamed(ask, knownWorkbench(ask)) }),
    cancelReplay: async (ask) => {
      const workbench = openedWorkbench(ask);
      await bodyOf(ask, noBody);
      const { id } = replayNamed(ask, workbench);
      workbench.cancel(id);
      return ask.json({ schemaVersion: 1, replay: replayNamed(ask, workbench) });
    },
  };
}
