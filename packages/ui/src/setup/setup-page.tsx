import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useRef } from "react";
import { call, type Run } from "../api/call.ts";
import { FailurePage } from "../failure/failure-page.tsx";
import { useTitle } from "../layout/use-title.ts";
import { runName } from "../run/run-name.ts";
import { Status } from "../run/status.tsx";
import { stepCount } from "../run/step-count.ts";
import { age, number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { CopyLine } from "./copy-line.tsx";
import { Doctor } from "./doctor.tsx";

/** The newest run is looked for so often, milliseconds. */
const LOOK = 1500;

/** How to record a first run, and that run the moment it comes. */
export function SetupPage() {
  useTitle("Setup");
  const who = useQuery({ queryKey: ["who"], queryFn: ({ signal }) => call("whoAmI", { signal }) });
  const newest = useQuery({
    queryKey: ["newest"],
    queryFn: async ({ signal }) => (await call("listRuns", { query: { limit: 1, order: "started" }, signal })).runs,
    refetchInterval: LOOK,
  });
  if (newest.error && !newest.data) return <FailurePage error={newest.error} retry={() => void newest.refetch()} />;
  const root = new URL(".", document.baseURI).href.replace(/\/$/, "");
  const key = who.data !== undefined && who.data.key !== "anybody" ? " REENACT_API_KEY=<key>" : "";
  return (
    <div className="setup">
      <header className="page-head">
        <h1>Setup</h1>
        <p className="muted">Record a run with one of these lines. It appears here by itself.</p>
      </header>
      {newest.data && <FirstRun newest={newest.data[0] ?? null} />}
      <ol className="ways">
        <Way
          title="Node, on this machine"
          note="Runs the program and records every LLM and tool call. Change nothing in it."
        >
          <CopyLine what="for Node">npx reenact run -- node agent.js</CopyLine>
        </Way>
        <Way
          title="Node, in production"
          note="Without the command line: the recorder is loaded before the program, and sends each run here."
        >
          <CopyLine what="for production, to install">npm install @reenact/node</CopyLine>
          <CopyLine what="for production">{`REENACT_ENDPOINT=${root}${key} node --import @reenact/node/register agent.js`}</CopyLine>
        </Way>
        <Way
          title="Python, and every other language"
          note="What sends OpenTelemetry spans of models and tools (OpenInference, OpenLLMetry, gen_ai) shows as a transcript. It is not replayed."
        >
          <CopyLine what="for OpenTelemetry">
            {`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${root}/v1/traces OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf${key === "" ? "" : " OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer%20<key>"} python agent.py`}
          </CopyLine>
        </Way>
      </ol>
      <Doctor />
    </div>
  );
}

/** The newest run if it came while the page was open, else what is waited for. */
function FirstRun({ newest }: { newest: Run | null }) {
  const before = useRef(newest?.run ?? null);
  const came = newest !== null && newest.run !== before.current;
  return (
    <section className={came ? "first-run came" : "first-run"} aria-live="polite" aria-label="The next run">
      {came ? (
        <>
          <p className="first-run-title">
            <Status status={newest.state === "open" ? "open" : newest.status} />
            <strong>{before.current === null ? "Your first run is here." : "A run has come."}</strong>
          </p>
          <p>
            <Link to="/r/$run" params={{ run: newest.run }} className="button primary">
              Open <RecordedText>{runName(newest)}</RecordedText>
            </Link>{" "}
            <span className="muted">
              {number(stepCount(newest))} steps, {number(newest.llm)} model, {number(newest.toolCalls)} tool
            </span>
          </p>
        </>
      ) : (
        <p className="first-run-title">
          <span className="pulse" aria-hidden="true" />
          <span>
            {newest === null ? "Waiting for the first run …" : "Waiting for a run …"}
            {newest !== null && (
              <span className="muted">
                {" "}
                the last one,{" "}
                <Link to="/r/$run" params={{ run: newest.run }}>
                  <RecordedText>{runName(newest)}</RecordedText>
                </Link>
                , came {age(newest.received, Date.now())} ago
              </span>
            )}
          </span>
        </p>
      )}
    </section>
  );
}

function Way({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <li className="way">
      <h2>{title}</h2>
      <p className="muted">{note}</p>
      {children}
    </li>
  );
}
