import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { call, type StepContext, type ViewStep } from "../api/call.ts";
import { FailurePage } from "../failure/failure-page.tsx";
import { number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { ContextRow, MARKS } from "./context-row.tsx";
import { Explanation } from "./explanation.tsx";
import { StepChoice } from "./step-choice.tsx";
import { StepLink } from "./step-link.tsx";
import type { LoadedRun } from "./use-run-view.ts";

interface ContextTabProps {
  readonly view: LoadedRun;
  readonly step: ViewStep | null;
  readonly select: (step: number) => void;
}

/** What the model had read at a step, against the call before, and where the values of the step's calls came from. */
export function ContextTab({ view: { run, steps }, step, select }: ContextTabProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ["context", run.run, step?.id],
    queryFn: ({ signal }) => call("getContext", { path: { run: run.run, step: step!.id }, signal }),
    enabled: step !== null,
    staleTime: run.state === "sealed" ? Infinity : 0,
  });
  if (step === null) return null;
  return (
    <section className="context" aria-label="Context">
      <StepChoice steps={steps} step={step} select={select} />
      {error && <FailurePage error={error} retry={() => void refetch()} />}
      {!error && !data && <p className="muted">Reading the context …</p>}
      {!error && data && (
        <>
          {data.calls.map((each, at) => (
            <Explanation key={at} call={each} isOwn={each.askedBy !== data.step} />
          ))}
          {data.context ? (
            <Texts context={data.context} isOwn={data.context.step === data.step} />
          ) : (
            <p className="muted">
              {step.kind === "LLM"
                ? "The request of this call is not recorded."
                : "No recorded model call asked for this step."}
            </p>
          )}
        </>
      )}
    </section>
  );
}

function Texts({ context, isOwn }: { context: StepContext; isOwn: boolean }) {
  const { step, model, tokens, before, length, lengthBefore, texts, continues } = context;
  const more = lengthBefore === null ? 0 : length - lengthBefore;
  return (
    <section className="block">
      <h2>
        What the model read at step {isOwn ? step : <StepLink step={step} />}
        {!isOwn && <span className="muted">, which asked for this call</span>}
      </h2>
      <p className="muted facts">
        {model !== null && <RecordedText>{model}</RecordedText>}
        {tokens !== null && <span>{number(tokens)} tokens</span>}
        <span>{number(length)} characters</span>
        {before === null ? (
          <span>{continues ? "continues a conversation that was not recorded" : "first call of its conversation"}</span>
        ) : (
          <span>
            {`${number(Math.abs(more))} ${more < 0 ? "fewer" : "more"} than at step `}
            <StepLink step={before} />
          </span>
        )}
      </p>
      {continues && <p className="muted">The provider adds messages that it keeps, which the request does not hold.</p>}
      <SizeBar context={context} />
      <Counts context={context} />
      <ol className="context-texts">
        {texts.map((text, at) => (
          <ContextRow key={at} text={text} whole={length} tokens={tokens} isFirst={before === null} />
        ))}
      </ol>
    </section>
  );
}

/** One bar for each text, as wide as its share of all characters. The list below says the same in words. */
function SizeBar({ context: { texts, length, before } }: { context: StepContext }) {
  if (length === 0) return null;
  return (
    <svg className="size-bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
      {
        texts
          .filter(({ status }) => status !== "removed")
          .reduce<{ at: number; bars: ReactNode[] }>(
            ({ at, bars }, { status, kind, is }, n) => {
              const width = (is.length / length) * 1000;
              const isOld = before !== null && status === "kept";
              const bar = (
                <rect
                  key={n}
                  className={`${kind.replaceAll(" ", "-")}${isOld ? " old" : ""}`}
                  x={at}
                  width={Math.max(width - 1, 0.5)}
                  height={10}
                />
              );
              return { at: at + width, bars: [...bars, bar] };
            },
            { at: 0, bars: [] },
          ).bars
      }
    </svg>
  );
}

function Counts({ context: { texts, before } }: { context: StepContext }) {
  if (before === null) return null;
  const counts = (["added", "changed", "removed", "kept"] as const).flatMap((status) => {
    const n = texts.filter((each) => each.status === status).length;
    return n === 0 ? [] : [`${number(n)} ${MARKS[status][1]}`];
  });
  return <p className="context-counts">{counts.join(" · ")}</p>;
}
