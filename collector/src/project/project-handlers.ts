import type { ApiDeps } from "../query/api-deps.ts";
import { ApiError } from "../query/api-error.ts";
import { type Ask, bodyOf, type Handler } from "../query/ask.ts";
import { dollars } from "@reenact/view/text";
import { noBody } from "../query/system-schema.ts";
import { isLoopback } from "../receive/allow-list.ts";
import { planBody, replayBody } from "./project-schema.ts";
import type { ReplayState, Workbench } from "./workbench.ts";

/** Header with the token of a page that was opened by the printed link. A page of another origin cannot send it. */
const TOKEN = "x-reenact-token";
/** Set by whatever passes requests on from another machine. */
const PASSED_ON = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

type Name = "listTests" | "getWorkbench" | "startReplay" | "planReplay" | "startPlan" | "getReplay" | "cancelReplay";

/** Answers about the project over which the collector runs, and replays of its runs. */
export function projectHandlers({ projectOf, log }: Pick<ApiDeps, "projectOf" | "log">): Record<Name, Handler> {
  const projectFor = (ask: Ask) => projectOf(ask.get("tenant"));

  /** Throws unless a page of this machine that knows the token asks. */
  function openedWorkbench(ask: Ask): Workbench {
    const workbench = knownWorkbench(ask);
    if (!isAdmitted(ask, workbench))
      throw new ApiError("NO_TOKEN", "only a page that was opened by the link of this collector may replay");
    return workbench;
  }

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

  const busy = (workbench: Workbench) => new ApiError("BUSY", `replay ${workbench.running() ?? ""} still runs`);

  function knownWorkbench(ask: Ask): Workbench {
    const workbench = projectFor(ask)?.workbench ?? null;
    if (workbench === null) throw new ApiError("NO_COMMAND", "this collector was started without a command");
    return workbench;
  }

  function replayNamed(ask: Ask, workbench: Workbench): ReplayState {
    const id = ask.req.param("replay") ?? "";
    const found = workbench.find(id);
    if (found === null) throw new ApiError("NO_REPLAY", `there is no replay ${JSON.stringify(id.slice(0, 40))}`);
    return found;
  }

  return {
    listTests: (ask) => {
      const project = projectFor(ask);
      return ask.json({
        schemaVersion: 1,
        project: project?.name ?? null,
        command: project?.testCommand ?? "reenact test",
        place: project?.place ?? "",
        tests: project?.tests() ?? [],
      });
    },
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

/** A name that is not this machine's is that of a proxy, or of a page that has turned its name to this address. */
function isAdmitted(ask: Ask, workbench: Workbench): boolean {
  const name = (ask.req.header("host") ?? "").replace(/:\d*$/, "");
  if (!isLoopback(name) || PASSED_ON.some((header) => ask.req.header(header) !== undefined)) return false;
  return workbench.admits(ask.req.header(TOKEN) ?? "");
}
