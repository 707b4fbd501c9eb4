import { useQuery } from "@tanstack/react-query";
import { memo, useState } from "react";
import { call, type Item, type ViewStep } from "../api/call.ts";
import { duration, number, pretty } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { Status } from "./status.tsx";
import { StepLink } from "./step-link.tsx";

interface StepCardProps {
  readonly run: string;
  readonly step: ViewStep;
  readonly isSelected: boolean;
  /** another attempt followed: it is shown without its messages, which come again */
  readonly isRepeated: boolean;
  /** without its messages, by choice */
  readonly isFolded: boolean;
  readonly select: () => void;
}

const sameCard = (a: StepCardProps, b: StepCardProps) =>
  a.step === b.step && a.isSelected === b.isSelected && a.isRepeated === b.isRepeated && a.isFolded === b.isFolded;

/** One step of a transcript. */
export const StepCard = memo(function StepCard({ run, step, isSelected, isRepeated, isFolded, select }: StepCardProps) {
  const classes = ["card", step.kind.toLowerCase(), step.status, ...(isSelected ? ["selected"] : [])];
  return (
    // the number in its head is the same by keyboard
    <article
      className={classes.join(" ")}
      style={{ marginInlineStart: `${Math.min(step.depth, 6) * 1.25}rem` }}
      onClick={(event) => {
        if (!(event.target instanceof Element) || event.target.closest("a, button, summary")) return;
        if (getSelection()?.isCollapsed !== false) select();
      }}
      aria-current={isSelected ? "true" : undefined}
    >
      <header>
        <StepLink step={step.step} className="step-number" label={`Step ${step.step}`} />
        <span className="kind">{step.kind || "STEP"}</span>
        <h3>
          <RecordedText>{step.name}</RecordedText>
        </h3>
        {step.model !== null && (
          <span className="muted model">
            <RecordedText>{step.model}</RecordedText>
          </span>
        )}
        <span className="step-facts">
          {step.attempt !== null && step.attempt > 0 && <span className="badge">attempt {step.attempt + 1}</span>}
          {isRepeated && <span className="badge">repeated</span>}
          {step.answeredBy !== null && <span className="badge">{step.answeredBy}</span>}
          {step.tokens["total"] !== undefined && <span>{number(step.tokens["total"])} tokens</span>}
          {step.durationMs !== null && <span>{duration(step.durationMs)}</span>}
          <Status status={step.status} short={step.status === "ok"} />
        </span>
      </header>
      {step.error && (
        <p className="step-error">
          {step.error.class !== "" && <strong>{step.error.class}: </strong>}
          <RecordedText>{step.error.message}</RecordedText>
        </p>
      )}
      {!isRepeated && !isFolded && <Body run={run} step={step} />}
    </article>
  );
}, sameCard);

function Body({ run, step }: { run: string; step: ViewStep }) {
  const [whole, setWhole] = useState(false);
  const isCut = [...step.input, ...step.output].some(({ text, length }) => text.length < length);
  const { data, isFetching } = useQuery({
    queryKey: ["items", run, step.id, step.ended],
    queryFn: ({ signal }) => call("getItems", { path: { run, step: step.id }, signal }),
    enabled: whole && isCut,
    staleTime: Infinity,
  });
  const { input, output } = data ?? step;
  return (
    <>
      {step.kind === "LLM" ? <Messages input={input} output={output} /> : <Call input={input} output={output} />}
      {isCut && !data && (
        <button type="button" className="more" onClick={() => setWhole(true)} disabled={isFetching}>
          {isFetching ? "Reading …" : "Show more"}
        </button>
      )}
    </>
  );
}

/** A model call: what is new of the request, then the answer. Results were shown with their tools already, so they are folded. */
function Messages({ input, output }: Pick<ViewStep, "input" | "output">) {
  const results = input.filter(({ is }) => is === "result");
  return (
    <>
      {input
        .filter(({ is }) => is !== "result")
        .map((item, at) => (
          <Message key={at} item={item} />
        ))}
      {results.length > 0 && (
        <details className="folded">
          <summary>
            read {results.length} tool {results.length === 1 ? "result" : "results"}
          </summary>
          {results.map((item, at) => (
            <Message key={at} item={item} />
          ))}
        </details>
      )}
      {output.map((item, at) => (
        <Message key={at} item={item} />
      ))}
    </>
  );
}

function Message({ item }: { item: Item }) {
  const { is, role, name } = item;
  switch (is) {
    case "call":
      return (
        <p className="message call">
          <span aria-hidden="true">→ </span>
          <span className="sr-only">calls </span>
          <code>
            <RecordedText>{name ?? "tool"}</RecordedText>
          </code>{" "}
          <code className="arguments">
            <RecordedText>{item.text}</RecordedText>
          </code>
          <Rest item={item} />
        </p>
      );
    case "reasoning":
      return (
        <details className="message reasoning">
          <summary>reasoning</summary>
          <LongText item={item} />
        </details>
      );
    case "text":
    case "result":
      if (role === "system")
        return (
          <details className="message system">
            <summary>system prompt</summary>
            <LongText item={item} />
          </details>
        );
      return (
        <div className={`message ${role}`}>
          <span className="role">{is === "result" ? <RecordedText>{name ?? "result"}</RecordedText> : role}</span>
          <LongText item={item} />
        </div>
      );
  }
}

function LongText({ item }: { item: Item }) {
  return (
    <div className="text">
      <RecordedText>{item.text}</RecordedText>
      <Rest item={item} />
    </div>
  );
}

/** How much of a text is not shown. */
function Rest({ item: { text, length } }: { item: Item }) {
  if (text.length >= length) return null;
  return <span className="rest"> … {number(length - text.length)} more characters</span>;
}

/** A tool call, or any other step: what went in and what came out. */
function Call({ input, output }: Pick<ViewStep, "input" | "output">) {
  return (
    <div className="in-out">
      {[
        ["in", input],
        ["out", output],
      ].map(([label, items]) => (
        <Values key={label as string} label={label as string} items={items as readonly Item[]} />
      ))}
    </div>
  );
}

function Values({ label, items }: { label: string; items: readonly Item[] }) {
  return items.map((item, at) => (
    <div key={at} className="value">
      <span className="role">{label}</span>
      <pre tabIndex={0} aria-label={label === "in" ? "Arguments" : "Result"}>
        <RecordedText>{item.text.length < item.length ? item.text : pretty(item.text)}</RecordedText>
        <Rest item={item} />
      </pre>
    </div>
  ));
}
