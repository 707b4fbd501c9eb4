import type { ViewStep } from "../api/call.ts";
import { number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";

interface StepChoiceProps {
  readonly steps: readonly ViewStep[];
  readonly step: ViewStep;
  readonly select: (step: number) => void;
}

/** Which step a view shows. */
export function StepChoice({ steps, step, select }: StepChoiceProps) {
  return (
    <p className="step-choice">
      <label htmlFor="step-choice">Step</label>{" "}
      <input
        id="step-choice"
        type="number"
        min={1}
        max={steps.at(-1)?.step}
        value={step.step}
        onChange={(event) => {
          const next = Number(event.target.value);
          if (steps.some((each) => each.step === next)) select(next);
        }}
      />{" "}
      <span className="muted">
        of {number(steps.length)} · <RecordedText>{step.name}</RecordedText>
      </span>
    </p>
  );
}
