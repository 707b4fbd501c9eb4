import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Answer } from "../api/call.ts";
import { usePlace } from "../api/use-place.ts";
import { CopyLine } from "../setup/copy-line.tsx";
import { LiveForm } from "./live-form.tsx";
import type { ReplayChanges } from "./replay-changes.ts";

const route = getRouteApi("/r/$run/replay");

interface LiveRequestProps {
  readonly run: string;
  readonly step: number;
  readonly bench: Answer<"getWorkbench">;
  /** what else the replay does not serve as recorded */
  readonly changes: ReplayChanges;
  readonly close: () => void;
}

/** How to ask a model once more with another request: from here where `reenact up` was told that pages may, else in a terminal. */
export function LiveRequest({ run, step, bench, changes, close }: LiveRequestProps) {
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const started = (replay: Answer<"startPlan">["replay"]) => {
    client.setQueryData(["replay", replay.id], replay);
    void client.invalidateQueries({ queryKey: ["workbench"] });
    close();
    void navigate({ search: (before) => ({ ...before, replay: replay.id }), replace: true });
  };
  return (
    <section className="step-editor" aria-label={`Ask the model anew at step ${step}`}>
      <p>
        A recorded answer does not change with its request. From step {step} on this sends{" "}
        <strong>real requests</strong>: they need a key and the network, and cost money. What comes before is served
        from the record.
      </p>
      {bench.admitted && bench.live !== null ? (
        <LiveForm run={run} step={step} live={bench.live} changes={changes} started={started} close={close} />
      ) : (
        <InTerminal run={run} step={step} bench={bench} close={close} />
      )}
    </section>
  );
}

function InTerminal({ run, step, bench, close }: Omit<LiveRequestProps, "changes">) {
  const place = usePlace(true) ?? "";
  const replay = `npx reenact replay ${run.slice(0, 12)}${place} --fork ${step}`;
  const program = `-- ${bench.command ?? "node agent.js"}`;
  return (
    <>
      <CopyLine what="with another prompt">{`${replay} --set prompt.${step}=@prompt.txt ${program}`}</CopyLine>
      <CopyLine what="with another system prompt">{`${replay} --set system=@system.txt ${program}`}</CopyLine>
      <CopyLine what="with another model and parameter">
        {`${replay} --set model=MODEL --set params.temperature=0 ${program}`}
      </CopyLine>
      <p className="muted">To send them from this page, start the collector so that its pages may:</p>
      <CopyLine what="that starts a collector whose pages may send">
        {`npx reenact up --allow-live --max-cost 0.50 --prices prices.json ${program}`}
      </CopyLine>
      <div className="step-editor-bar">
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </div>
    </>
  );
}
