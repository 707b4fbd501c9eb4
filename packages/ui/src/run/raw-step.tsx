import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { call, type StepDetail, type ViewStep } from "../api/call.ts";
import { FailurePage } from "../failure/failure-page.tsx";
import { number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { PartView } from "./part-view.tsx";
import { StepChoice } from "./step-choice.tsx";

interface RawStepProps {
  readonly run: string;
  readonly steps: readonly ViewStep[];
  readonly step: ViewStep | null;
  readonly select: (step: number) => void;
}

/** One step as it was recorded: exchange, values with their digests, attributes, redactions. */
export function RawStep({ run, steps, step, select }: RawStepProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ["step", run, step?.id, step?.ended],
    queryFn: ({ signal }) => call("getStep", { path: { run, step: step!.id }, signal }),
    enabled: step !== null,
  });
  if (step === null) return null;
  return (
    <section className="raw" aria-label="Raw">
      <StepChoice steps={steps} step={step} select={select} />
      {error ? (
        <FailurePage error={error} retry={() => void refetch()} />
      ) : (
        data && <Detail run={run} step={data.step} />
      )}
    </section>
  );
}

function Detail({ run, step }: { run: string; step: StepDetail }) {
  const { exchange, redacted, lossy, source, slot, attributes } = step;
  return (
    <>
      {exchange && (
        <Block title="Exchange">
          <p className="exchange">
            <code>
              {exchange.method} <RecordedText>{exchange.url}</RecordedText>
            </code>
            <span className="muted">
              {exchange.status === null ? "no answer" : `status ${exchange.status}`} · {number(exchange.chunks)} chunks
              · {exchange.end}
            </span>
          </p>
          <Pairs title="Request headers" pairs={exchange.requestHeaders} />
          <Pairs title="Response headers" pairs={exchange.responseHeaders} />
        </Block>
      )}
      <Block title="Values">
        {step.parts.map((part) => (
          <PartView key={`${part.name} ${part.digest}`} run={run} step={step.id} part={part} />
        ))}
      </Block>
      {redacted.length > 0 && (
        <Block title={`Redacted (${number(redacted.length)})`}>
          <Pairs pairs={redacted.map(({ at, rule, type, n }) => [at, `${n} × ${type}, rule ${rule}`])} />
        </Block>
      )}
      <Block title="Span">
        <Pairs
          pairs={[
            ["span", step.id],
            ...(slot === null ? [] : [["slot", slot] as const]),
            ...(source === null ? [] : [["source", source] as const]),
            ...lossy.map((each) => ["not kept", each] as const),
            ...Object.entries(attributes).map(([key, value]) => [key, String(value)] as const),
          ]}
        />
      </Block>
    </>
  );
}

function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="block">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Pairs({ title, pairs }: { title?: string; pairs: readonly (readonly [string, string])[] }) {
  const list = (
    <dl className="pairs">
      {pairs.map(([name, value], at) => (
        <div key={at}>
          <dt>
            <RecordedText>{name}</RecordedText>
          </dt>
          <dd>
            <RecordedText>{value}</RecordedText>
          </dd>
        </div>
      ))}
    </dl>
  );
  if (title === undefined) return list;
  return (
    <details className="folded">
      <summary>
        {title} ({pairs.length})
      </summary>
      {list}
    </details>
  );
}
