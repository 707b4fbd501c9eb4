import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { ApiFailure } from "../api/api-failure.ts";
import { call, type Run } from "../api/call.ts";
import { offline } from "../api/offline.ts";
import { rereadRun } from "./use-run-view.ts";

type Open = "flag" | "feedback" | null;

/** Keeps a run for ever, flags it, or says whether it was good. Only for who may change runs. */
export function RunMarks({ run, steps }: { run: Run; steps: number }) {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: ["who"],
    queryFn: ({ signal }) => call("whoAmI", { signal }),
    retry: false,
    enabled: offline === null,
  });
  const [open, setOpen] = useState<Open>(null);
  const mark = useMutation({
    mutationFn: async (marks: readonly (() => Promise<unknown>)[]) => {
      // oxlint-disable-next-line no-await-in-loop -- one after another: a second one is of the first
      for (const each of marks) await each();
      await rereadRun(client, run.run, steps, AbortSignal.timeout(10_000));
    },
    onSuccess: () => setOpen(null),
  });
  if (run.state !== "sealed" || data?.scopes.includes("admin") !== true) return null;
  const path = { run: run.run };
  const flag = (form: FormData) =>
    mark.mutate([() => call("flagRun", { path, body: { reason: textOf(form, "reason") } })]);
  const feedback = (form: FormData) => {
    const comment = textOf(form, "comment").trim();
    const value = form.get("rating") === "good" ? 1 : -1;
    mark.mutate([
      () => call("giveFeedback", { path, body: { name: "rating", value } }),
      ...(comment === "" ? [] : [() => call("giveFeedback", { path, body: { name: "comment", value: comment } })]),
    ]);
  };
  const toggle = (what: Open) => setOpen((now) => (now === what ? null : what));
  return (
    <>
      <KeepButton
        run={run}
        isBusy={mark.isPending}
        keep={() => mark.mutate([() => call("keepRun", { path, body: {} })])}
      />
      <button type="button" className="button" aria-expanded={open === "flag"} onClick={() => toggle("flag")}>
        Flag …
      </button>
      <button type="button" className="button" aria-expanded={open === "feedback"} onClick={() => toggle("feedback")}>
        Feedback …
      </button>
      {open === "flag" && (
        <Form submit={flag} send="Flag it" isBusy={mark.isPending}>
          <label>
            Reason <input name="reason" required maxLength={200} />
          </label>
        </Form>
      )}
      {open === "feedback" && (
        <Form submit={feedback} send="Send feedback" isBusy={mark.isPending}>
          <fieldset>
            <legend className="sr-only">This run was</legend>
            <label>
              <input type="radio" name="rating" value="good" required /> good
            </label>{" "}
            <label>
              <input type="radio" name="rating" value="bad" required /> bad
            </label>
          </fieldset>
          <label>
            Comment <input name="comment" maxLength={200} />
          </label>
        </Form>
      )}
      {mark.error && <Problem error={mark.error} />}
      <span className="sr-only" role="status">
        {mark.isSuccess ? "Done" : ""}
      </span>
    </>
  );
}

function KeepButton({ run, isBusy, keep }: { run: Run; isBusy: boolean; keep: () => void }) {
  const isKept = run.class === "keep";
  // a badge names the rule that keeps it, and there is nothing to do
  if (isKept && run.rule !== null && run.rule !== "pinned") return null;
  return (
    <button
      type="button"
      className="button"
      disabled={isKept || isBusy}
      onClick={keep}
      title={isKept ? "This run does not expire" : "This run does not expire any more"}
    >
      {isKept ? "Kept" : "Keep for ever"}
    </button>
  );
}

function Problem({ error }: { error: Error }) {
  return (
    <p role="alert" className="problem">
      {error.message}
      {error instanceof ApiFailure && error.next !== "" && <span className="muted">. Next: {error.next}</span>}
    </p>
  );
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

interface FormProps {
  readonly submit: (form: FormData) => void;
  readonly send: string;
  readonly isBusy: boolean;
  readonly children: ReactNode;
}

function Form({ submit, send, isBusy, children }: FormProps) {
  return (
    <form
      className="run-form"
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      {children}
      <button className="button primary" disabled={isBusy}>
        {send}
      </button>
    </form>
  );
}
