import type { ExplainedCall } from "../api/call.ts";
import { number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { StepLink } from "./step-link.tsx";

type Value = ExplainedCall["values"][number];
type Source = Value["sources"][number];

/** Further texts that hold a value, after the first. */
const MOST_SOURCES = 3;
const FORMS = { value: "", "other form": "in another form", part: "in part" } as const;

/** Where each value in the arguments of a call came from. `isOwn`: the step shown is the call itself. */
export function Explanation({ call, isOwn }: { call: ExplainedCall; isOwn: boolean }) {
  const { name, askedBy, values, more } = call;
  return (
    <section className="block">
      <h2>
        Where the values of{" "}
        <code>
          <RecordedText>{name}</RecordedText>
        </code>{" "}
        came from
      </h2>
      {isOwn && (
        <p className="muted">
          {askedBy === null ? (
            "The program made this call by itself."
          ) : (
            <StepLink step={askedBy} words="The model asked for it in step " />
          )}
        </p>
      )}
      {values.length === 0 && <p className="muted">It has no arguments.</p>}
      <dl className="origins">
        {values.map((value) => (
          <div key={value.pointer}>
            <dt>
              <code className="muted">
                <RecordedText>{value.pointer.slice(1) || "argument"}</RecordedText>
              </code>
              <code>
                <RecordedText>{JSON.stringify(value.value)}</RecordedText>
              </code>
            </dt>
            <dd>
              <Origin value={value} askedBy={askedBy} />
            </dd>
          </div>
        ))}
      </dl>
      {more > 0 && <p className="muted">… {number(more)} more values</p>}
    </section>
  );
}

function Origin({ value: { value, by, short, sources }, askedBy }: { value: Value; askedBy: number | null }) {
  const [first, ...others] = sources;
  if (first === undefined) return <NoOrigin value={value} by={by} askedBy={askedBy} />;
  const shown = others.slice(0, MOST_SOURCES);
  const isQuoted = first.pointer === null || first.match !== "value";
  return (
    <>
      <Place source={first} /> {FORMS[first.match]}
      {isQuoted && (
        <q>
          <RecordedText>{first.excerpt}</RecordedText>
        </q>
      )}
      {short && first.pointer === null && <span className="muted">a short value: it may stand there by chance</span>}
      {shown.length > 0 && (
        <span className="muted also">
          also in{" "}
          {shown.map((source, at) => (
            <span key={at}>
              {at > 0 && ", "}
              <Place source={source} />
            </span>
          ))}
          {others.length > shown.length && ` and ${others.length - shown.length} more`}
        </span>
      )}
    </>
  );
}

function NoOrigin({ value, by, askedBy }: { value: Value["value"]; by: Value["by"]; askedBy: number | null }) {
  if (by === "program")
    return <span className="muted">no earlier step holds it: the program has it or computed it</span>;
  if (typeof value === "boolean" || value === null)
    return <span className="muted">chosen by the model in step {askedBy}</span>;
  return (
    <strong className="nowhere">in no text that the model had read: the model made it up in step {askedBy}</strong>
  );
}

function Place({ source: { kind, step, name, pointer } }: { source: Source }) {
  return (
    <>
      {step === null ? kind : <StepLink step={step} words={`${kind} of step `} />}
      {name !== "" && (
        <>
          {step === null ? " of " : ", "}
          <code>
            <RecordedText>{name}</RecordedText>
          </code>
        </>
      )}
      {pointer !== null && pointer !== "" && (
        <>
          {" "}
          at{" "}
          <code>
            <RecordedText>{pointer}</RecordedText>
          </code>
        </>
      )}
    </>
  );
}
