import { getRouteApi } from "@tanstack/react-router";
import { offline } from "../api/offline.ts";
import { useKeys } from "../layout/use-keys.ts";
import { isReplayable } from "./run-head.tsx";
import type { LoadedRun } from "./use-run-view.ts";
import type { useSelection } from "./use-selection.ts";

const route = getRouteApi("/r/$run");

/** The keys of a run's page. */
export function useRunKeys(
  { run, failed }: LoadedRun,
  selection: ReturnType<typeof useSelection>,
  copyLink: () => void,
): void {
  const { go, move, toError, open, compare, back } = selection;
  const navigate = route.useNavigate();
  const replay = () => void navigate({ to: "/r/$run/replay", params: { run: run.run }, search: {} });
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ...(failed.length > 0 && {
      n: { does: "Go to the next error", act: () => toError(1) },
      p: { does: "Go to the previous error", act: () => toError(-1) },
    }),
    Enter: open,
    "/": { does: "Find in this run", act: () => go({ find: "" }, true) },
    "[": { does: "Fold all messages", act: () => go({ tab: undefined, fold: true }, true) },
    "]": { does: "Unfold all messages", act: () => go({ fold: undefined }, true) },
    ...(offline === null && { y: { does: "Copy a link to this step", act: copyLink } }),
    ...(offline === null && { d: { does: "Compare this run", act: compare } }),
    ...(offline === null && isReplayable(run) && { r: { does: "Replay this run", act: replay } }),
    Escape: back,
    "1": { does: "Show the transcript", act: () => go({ tab: undefined }) },
    "2": { does: "Show the timeline", act: () => go({ tab: "timeline" }) },
    "3": { does: "Show the context", act: () => go({ tab: "context" }) },
    "4": { does: "Show the cost", act: () => go({ tab: "cost" }) },
    "5": { does: "Show the raw record", act: () => go({ tab: "raw" }) },
  });
}
