import type { ApiDeps } from "../query/api-deps.ts";
import { ApiError } from "../query/api-error.ts";
import type { Ask } from "../query/ask.ts";
import { isLoopback } from "../receive/allow-list.ts";
import type { Project } from "./project.ts";
import type { Workbench } from "./workbench.ts";

/** Header with the token of a page that was opened by the printed link. A page of another origin cannot send it. */
const TOKEN = "x-reenact-token";
/** Set by whatever passes requests on from another machine. */
const PASSED_ON = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/** Who may start something on this machine: a page of this machine that knows the token. */
export function admission(projectOf: ApiDeps["projectOf"]) {
  const projectFor = (ask: Ask): Project | null => projectOf(ask.get("tenant"));

  function knownWorkbench(ask: Ask): Workbench {
    const workbench = projectFor(ask)?.workbench ?? null;
    if (workbench === null) throw new ApiError("NO_COMMAND", "this collector was started without a command");
    return workbench;
  }

  return {
    projectFor,
    isAdmitted,
    knownWorkbench,
    /** Throws unless a page of this machine that knows the token asks. */
    openedWorkbench(ask: Ask): Workbench {
      const workbench = knownWorkbench(ask);
      if (isAdmitted(ask, workbench)) return workbench;
      throw new ApiError("NO_TOKEN", "only a page that was opened by the link of this collector may start programs");
    },
  };
}

export function busy(workbench: Workbench): ApiError {
  const replay = workbench.running();
  return new ApiError(
    "BUSY",
    replay === null ? "tests or the demo still run, or a replay is prepared" : `replay ${replay} still runs`,
  );
}

/** A name that is not this machine's is that of a proxy, or of a page that has turned its name to this address. */
function isAdmitted(ask: Ask, workbench: Workbench): boolean {
  const name = (ask.req.header("host") ?? "").replace(/:\d*$/, "");
  if (!isLoopback(name) || PASSED_ON.some((header) => ask.req.header(header) !== undefined)) return false;
  return workbench.admits(ask.req.header(TOKEN) ?? "");
}
