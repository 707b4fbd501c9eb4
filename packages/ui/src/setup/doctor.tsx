import { useQuery } from "@tanstack/react-query";
import { type Answer, call } from "../api/call.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { CopyLine } from "./copy-line.tsx";
import { DemoButton } from "./demo-button.tsx";

/** The demo run, and what `reenact doctor` finds in the project; of a collector over no project, the lines that do both. */
export function Doctor() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["checks"],
    queryFn: ({ signal }) => call("getChecks", { signal }),
    // each look starts a program
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
  const project = data?.project ?? null;
  return (
    <>
      {data !== undefined && <DemoButton isAdmitted={data.admitted} place={data.place} />}
      <section className="doctor" aria-labelledby="doctor-title" aria-busy={isFetching}>
        <h2 id="doctor-title">{project === null ? "Nothing comes?" : <>Checks of {project}</>}</h2>
        {error !== null && (
          <p role="alert" className="problem">
            {error.message}
          </p>
        )}
        {data === undefined && error === null && <p className="muted">Checking …</p>}
        {data !== undefined && project !== null && (
          <>
            <ul className="checks">
              {data.checks.map((check, at) => (
                <CheckRow key={`${check.id}-${at}`} check={check} />
              ))}
            </ul>
            <button type="button" className="button" disabled={isFetching} onClick={() => void refetch()}>
              {isFetching ? "Checking …" : "Check again"}
            </button>
          </>
        )}
        <DoctorLines isOverProject={project !== null} place={data?.place ?? ""} />
      </section>
    </>
  );
}

function CheckRow({ check: { id, ok, line, fix } }: { check: Answer<"getChecks">["checks"][number] }) {
  return (
    <li className={ok ? "check" : "check failed"}>
      <span className="check-state">
        <span aria-hidden="true">{ok ? "✓" : "✗"}</span>
        <span className="sr-only">{ok ? "passed" : "failed"}</span>
      </span>
      <span className="check-id">{id}</span>
      <span className="check-line">
        <RecordedText>{line}</RecordedText>
        {fix !== null && (
          <span className="check-fix">
            Next: <RecordedText>{fix}</RecordedText>
          </span>
        )}
      </span>
    </li>
  );
}

/** What a page cannot check itself, as lines for a terminal. */
function DoctorLines({ isOverProject, place }: { isOverProject: boolean; place: string }) {
  return (
    <>
      <p className="muted">
        {isOverProject
          ? "With your program, in a terminal: records it once, and says what of it is not recorded."
          : "In the folder of your program: checks the program, the store and the way to this collector, each with its remedy."}
      </p>
      <CopyLine what="to find out why">{`npx reenact doctor${place} -- node agent.js`}</CopyLine>
      {!isOverProject && (
        <>
          <p className="muted">Where this collector runs: checks its brokers, database and store.</p>
          <CopyLine what="to check the collector">reenact-collector --config collector.yaml --check</CopyLine>
        </>
      )}
    </>
  );
}
