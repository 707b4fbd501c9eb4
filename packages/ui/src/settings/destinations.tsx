import { useQuery } from "@tanstack/react-query";
import { type Answer, call } from "../api/call.ts";
import { CopyLine } from "../setup/copy-line.tsx";
import { bytes, duration, number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";

/** The destinations are read again so often, milliseconds. */
const LOOK = 5000;
type Destination = Answer<"listDestinations">["destinations"][number];

/** Where spans go besides: how far behind each destination is, and what it did not take. */
export function Destinations({ settings }: { settings: Answer<"getSettings">["destinations"] }) {
  const { data } = useQuery({
    queryKey: ["destinations"],
    queryFn: ({ signal }) => call("listDestinations", { signal }),
    refetchInterval: LOOK,
  });
  const states = new Map(data?.destinations.map((each) => [each.name, each]));
  return (
    <section className="settings-part" aria-labelledby="forwards-title">
      <h2 id="forwards-title">Forwards</h2>
      {settings.length === 0 && (
        <>
          <p className="muted">Nothing is forwarded. To send every span to another OpenTelemetry backend too:</p>
          <CopyLine what="that forwards">npx reenact up --forward http://127.0.0.1:6006</CopyLine>
        </>
      )}
      {settings.length > 0 && (
        <ul className="settings-list">
          {settings.map(({ name, url, view, filter, classes, isRedacted }) => (
            <li key={name}>
              <header>
                <State state={states.get(name) ?? null} />
                <h3>{name}</h3>
                <code>{url}</code>
              </header>
              <p className="muted">
                {view === "full" ? "all attributes" : "OpenInference attributes only"}
                {filter !== null && `, runs that fit ${filter}`}
                {classes !== null && `, of ${classes.join(", ")}`}
                {isRedacted && ", redacted once more by a policy of its own"}
              </p>
              {states.has(name) && <Facts state={states.get(name)!} />}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function State({ state }: { state: Destination | null }) {
  if (state === null) return <span className="status">…</span>;
  const style = { working: "ok", waiting: "aborted", stopped: "failed" }[state.state];
  return <span className={`status ${style}`}>{state.state}</span>;
}

function Facts({ state }: { state: Destination }) {
  const { lagMs, behindBytes, sent, rejected, dropped, deadLetters, retries, lastFailure } = state;
  const facts = [
    ["Lag", lagMs === 0 ? "none" : `${duration(lagMs)}, ${bytes(behindBytes)}`],
    ["Sent", `${number(sent)} spans`],
    ["Rejected", number(rejected)],
    ["Dropped", number(dropped)],
    ["Given up", deadLetters.letters === 0 ? "0" : `${number(deadLetters.letters)}, ${bytes(deadLetters.bytes)}`],
    ["Retries", number(retries)],
  ] as const;
  return (
    <>
      <dl className="settings-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {lastFailure !== null && (
        <p className="test-cause">
          <RecordedText>{lastFailure}</RecordedText>
        </p>
      )}
    </>
  );
}
