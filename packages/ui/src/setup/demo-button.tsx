import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ApiFailure } from "../api/api-failure.ts";
import { call } from "../api/call.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { CopyLine } from "./copy-line.tsx";

/** Records the run of `reenact demo`; a page that may not start programs shows the line for a terminal. */
export function DemoButton({ isAdmitted, place }: { isAdmitted: boolean; place: string }) {
  const client = useQueryClient();
  const demo = useMutation({
    mutationFn: () => call("startDemo", { body: {} }),
    onSettled: () => client.invalidateQueries({ queryKey: ["newest"] }),
  });
  const failure = demo.error?.message ?? demo.data?.failure ?? null;
  const run = demo.data?.run ?? null;
  const next = demo.error instanceof ApiFailure ? demo.error.next : "";
  return (
    <section className="demo" aria-labelledby="demo-title">
      <h2 id="demo-title">No agent at hand?</h2>
      <p className="muted">
        The demo is a small agent that cancels the wrong order. Its model is scripted and answers on this machine: it
        needs no network and no key.
      </p>
      {isAdmitted ? (
        <button type="button" className="button" disabled={demo.isPending} onClick={() => demo.mutate()}>
          {demo.isPending ? "Recording …" : "Record the demo run"}
        </button>
      ) : (
        <CopyLine what="for the demo run">{`npx reenact demo${place}`}</CopyLine>
      )}
      <div role="status">
        {run !== null && (
          <p>
            The demo run is recorded.{" "}
            <Link to="/r/$run" params={{ run }}>
              Open it
            </Link>
          </p>
        )}
      </div>
      {failure !== null && (
        <p role="alert" className="problem">
          <RecordedText>{failure}</RecordedText>
          {next !== "" && <span className="muted">. Next: {next}</span>}
        </p>
      )}
    </section>
  );
}
