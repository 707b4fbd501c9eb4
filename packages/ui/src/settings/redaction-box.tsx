import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type Answer, call } from "../api/call.ts";
import { RecordedText } from "../text/recorded-text.tsx";

const MOST = 20_000;
const FORMS = [
  ["text/plain", "plain text"],
  ["application/json", "JSON"],
  ["text/event-stream", "server-sent events"],
  ["application/x-www-form-urlencoded", "form"],
] as const;

type Tried = Answer<"tryRedaction">;

/** A text in; out comes what would be recorded of it, and which rule replaced what. The text is kept nowhere, not in the address either. */
export function RedactionBox() {
  const [text, setText] = useState("");
  const [mime, setMime] = useState<string>(FORMS[0][0]);
  // of the text that was sent: the field may have changed since
  const [sent, setSent] = useState("");
  const tried = useMutation({
    mutationFn: (given: { text: string; mime: string }) => call("tryRedaction", { body: given }),
    gcTime: 0,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(text);
    tried.mutate({ text, mime });
  };
  return (
    <section className="settings-part" aria-labelledby="redaction-title">
      <h2 id="redaction-title">Redaction</h2>
      <p className="muted">
        What would be replaced in a text before it is recorded. The text is neither stored nor logged.
      </p>
      <form className="try-redaction" onSubmit={submit} aria-label="Try redaction">
        <label htmlFor="try-text" className="sr-only">
          Text
        </label>
        <textarea
          id="try-text"
          rows={4}
          value={text}
          maxLength={MOST}
          onChange={({ target }) => setText(target.value)}
          placeholder="Paste a prompt, a request body, a tool’s result …"
          spellCheck={false}
          autoComplete="off"
        />
        <div>
          <label>
            Read as{" "}
            <select value={mime} onChange={({ target }) => setMime(target.value)}>
              {FORMS.map(([type, name]) => (
                <option key={type} value={type}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <button className="button primary" disabled={text === "" || tried.isPending}>
            Try
          </button>
        </div>
        <p role="alert" className="problem">
          {tried.error?.message}
        </p>
      </form>
      {tried.data && <Result tried={tried.data} text={sent} />}
    </section>
  );
}

function Result({ tried: { text: recorded, hits, policy }, text }: { tried: Tried; text: string }) {
  const rules = policy === "project" ? "the policy of this project" : "the default rules";
  return (
    <div className="tried" role="status">
      <p>
        {hits.length === 0
          ? `Nothing would be replaced, by ${rules}.`
          : `${hits.length} ${hits.length === 1 ? "value" : "values"} would be replaced, by ${rules}:`}
      </p>
      {hits.length > 0 && (
        <>
          <pre tabIndex={0} aria-label="As it would be recorded">
            <RecordedText>{recorded}</RecordedText>
          </pre>
          <div className="table-scroll" role="region" aria-label="Replaced values" tabIndex={0}>
            <table className="step-table">
              <thead>
                <tr>
                  <th scope="col">Value</th>
                  <th scope="col">Type</th>
                  <th scope="col">Rule</th>
                  <th scope="col">Why</th>
                </tr>
              </thead>
              <tbody>
                {hits.map(({ type, rule, why, at, start, end }) => (
                  <tr key={`${start} ${end} ${rule}`}>
                    <td>
                      <code>
                        <RecordedText>{text.slice(start, Math.min(end, start + 60))}</RecordedText>
                      </code>
                      {at !== "" && <span className="muted"> at {at}</span>}
                    </td>
                    <td>{type}</td>
                    <td>
                      <code>{rule}</code>
                    </td>
                    <td>{why}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </div>
  );
}
