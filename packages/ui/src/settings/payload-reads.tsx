import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "../api/call.ts";
import { age, moment } from "../text/format.ts";

const MOST = 100;
/** The log is read again so often, milliseconds. */
const LOOK = 10_000;

/** Who has read which payloads. */
export function PayloadReads() {
  const { data } = useQuery({
    queryKey: ["payload reads"],
    queryFn: ({ signal }) => call("listPayloadReads", { query: { limit: MOST }, signal }),
    refetchInterval: LOOK,
  });
  return (
    <section className="settings-part" aria-labelledby="reads-title">
      <h2 id="reads-title">Reads of payloads</h2>
      <p className="muted">
        {data === undefined
          ? "Reading the log …"
          : `The last ${MOST} since ${moment(data.since)}, when the collector was started. All of them are in its log, as api.payload-read.`}
      </p>
      {data?.reads.length === 0 && <p className="settings-empty">Nobody has read a payload yet.</p>}
      {data !== undefined && data.reads.length > 0 && (
        <div className="table-scroll settings-reads" role="region" aria-label="Reads" tabIndex={0}>
          <table className="step-table">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Key</th>
                <th scope="col">Run</th>
                <th scope="col">What</th>
              </tr>
            </thead>
            <tbody>
              {data.reads.map(({ at, caller, run, what }, n) => (
                <tr key={`${data.reads.length - n} ${at}`}>
                  <td>
                    <time dateTime={new Date(at).toISOString()} title={moment(at)}>
                      {age(at, Date.now())} ago
                    </time>
                  </td>
                  <td>{caller}</td>
                  <td>
                    <Link to="/r/$run" params={{ run }}>
                      <code>{run.slice(0, 12)}</code>
                    </Link>
                  </td>
                  <td>{what.replace(/[0-9a-f]{16,}/, (id) => id.slice(0, 12))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
