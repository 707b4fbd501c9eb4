import { useMutation } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { ApiFailure } from "../api/api-failure.ts";
import { type Answer, call } from "../api/call.ts";
import { dollars } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import type { ReplayChanges } from "./replay-changes.ts";

type What = "as it is" | "prompt" | "system" | "model" | "params";
type Plan = Answer<"planReplay">["plan"];

const WHATS: Readonly<Record<What, string>> = {
  "as it is": "nothing: ask again",
  prompt: "the prompt of this step",
  system: "the system prompt",
  model: "the model",
  params: "a parameter",
};

interface LiveFormProps {
  readonly run: string;
  readonly step: number;
  readonly live: NonNullable<Answer<"getWorkbench">["live"]>;
  readonly changes: ReplayChanges;
  readonly started: (replay: Answer<"startPlan">["replay"]) => void;
  readonly close: () => void;
}

/** Changes a request, says what would be sent to whom, and sends it once that is confirmed. */
export function LiveForm({ run, step, live, changes, started, close }: LiveFormProps) {
  const field = useId();
  const [what, setWhat] = useState<What>("as it is");
  const [name, setName] = useState("temperature");
  const [value, setValue] = useState("");
  const plan = useMutation({
    mutationFn: async (also: ReplayChanges) => {
      const edits = what === "as it is" ? [] : [{ what, name: what === "params" ? name : null, value }];
      return (await call("planReplay", { body: { run, fork: step, edits, ...also } })).plan;
    },
  });
  // a tool or a result that was changed elsewhere on the page is not in what was described
  const isDescribed = JSON.stringify(plan.variables) === JSON.stringify(changes);
  const edited =
    <Value,>(set: (value: Value) => void) =>
    (next: Value) => {
      // what was described is not what would be sent any more
      plan.reset();
      set(next);
    };
  return (
    <form
      className="live-form"
      onSubmit={(event) => {
        event.preventDefault();
        plan.mutate(changes);
      }}
    >
      <p>
        <label htmlFor={field}>Change</label>{" "}
        <select id={field} value={what} onChange={({ target }) => edited(setWhat)(target.value as What)}>
          {Object.entries(WHATS).map(([each, words]) => (
            <option key={each} value={each}>
              {words}
            </option>
          ))}
        </select>
      </p>
      {what === "params" && (
        <label>
          Name{" "}
          <input value={name} onChange={({ target }) => edited(setName)(target.value)} pattern="[\w.\-]+" required />
        </label>
      )}
      {what !== "as it is" && (
        <label className="live-value">
          {what === "params" ? "Value, as JSON" : "New text"}
          <textarea
            rows={what === "prompt" || what === "system" ? 6 : 1}
            value={value}
            onChange={({ target }) => edited(setValue)(target.value)}
            required
            spellCheck={false}
          />
        </label>
      )}
      {plan.error && <Refused error={plan.error} />}
      {plan.data === undefined || !isDescribed ? (
        <div className="step-editor-bar">
          <span className="muted">
            {dollars(live.left)} of {dollars(live.limit)} are left
          </span>
          <button type="button" className="button" onClick={close}>
            Close
          </button>
          <button className="button primary" disabled={plan.isPending}>
            {plan.isPending ? "Looking …" : "Show what would be sent"}
          </button>
        </div>
      ) : (
        <Confirmation plan={plan.data} changes={changes} started={started} back={plan.reset} />
      )}
    </form>
  );
}

interface ConfirmationProps {
  readonly plan: Plan;
  /** with which it was described */
  readonly changes: ReplayChanges;
  readonly started: LiveFormProps["started"];
  readonly back: () => void;
}

function Confirmation({ plan, changes, started, back }: ConfirmationProps) {
  const start = useMutation({
    mutationFn: async () => (await call("startPlan", { path: { plan: plan.id }, body: {} })).replay,
    onSuccess: started,
  });
  const heading = useRef<HTMLHeadingElement>(null);
  // read out, and not the button: Enter must not confirm what nobody has read
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="live-confirm" aria-label="What would be sent">
      <h2 ref={heading} tabIndex={-1}>
        Send real requests?
      </h2>
      <ul>
        {plan.recipients.map(({ host, provider, variables, isAllowed }) => (
          <li key={`${provider} ${host}`}>
            <strong>
              <RecordedText>{host}</RecordedText>
            </strong>{" "}
            {isAllowed ? (
              <>
                gets calls of {provider}, with the key in {namesOf(variables)}
              </>
            ) : (
              <>
                gets nothing: no option of <code>reenact up</code> and no variable of yours names it
              </>
            )}
          </li>
        ))}
        {plan.recipients.length === 0 && <li>By the record no call of a model would be sent.</li>}
        <li>
          Where your code asks another model now, it may also send to the own hosts of that model's provider
          {plan.alsoAllowed.length > 0 && (
            <>
              , and to <RecordedText>{plan.alsoAllowed.join(", ")}</RecordedText>
            </>
          )}
          .
        </li>
        {changes.runTools.length > 0 && (
          <li>
            The code of <RecordedText>{changes.runTools.join(", ")}</RecordedText> runs, with all that it does.
          </li>
        )}
        {changes.set.length > 0 && (
          <li>
            Other results than recorded: <RecordedText>{changes.set.map(({ name }) => name).join(", ")}</RecordedText>.
          </li>
        )}
        <li>
          Nothing more is sent once <strong>{dollars(plan.maxCost)}</strong> are spent. Calls that are under way then
          are paid in full.
        </li>
      </ul>
      {start.error && <Refused error={start.error} />}
      <div className="step-editor-bar">
        <button type="button" className="button" onClick={back}>
          Back
        </button>
        <button type="button" className="button danger" disabled={start.isPending} onClick={() => start.mutate()}>
          Send real requests
        </button>
      </div>
    </section>
  );
}

function namesOf(variables: Plan["recipients"][number]["variables"]): string {
  if (variables.length === 0) return "no variable";
  return variables
    .map(({ name, isSet }) => (isSet ? name : `${name} (not set, or shorter than 8 characters)`))
    .join(" or ");
}

function Refused({ error }: { error: Error }) {
  const next = error instanceof ApiFailure ? error.next : "";
  return (
    <p role="alert" className="problem">
      <RecordedText>{error.message}</RecordedText>
      {next !== "" && <span className="muted">. Next: {next}</span>}
    </p>
  );
}
