import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call, partBegin, type ViewStep } from "../api/call.ts";
import { bytes } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import type { EditedValue } from "./edited-values.ts";
import { ValueEditor } from "./value-editor.tsx";

/** A longer value is set in a terminal, from a file. */
const MOST = 256 * 1024;

interface StepEditorProps {
  readonly run: string;
  readonly step: ViewStep;
  readonly target: Omit<EditedValue, "value" | "isJson">;
  /** as it was edited before; null: it was not */
  readonly before: EditedValue | null;
  readonly use: (value: EditedValue) => void;
  readonly close: () => void;
}

/** Edits what a call returns in the next replay. */
export function StepEditor({ run, step, target, before, use, close }: StepEditorProps) {
  const { data, error } = useQuery({
    queryKey: ["recorded value", run, step.id],
    queryFn: ({ signal }) => recordedValue(run, step.id, signal),
    staleTime: Infinity,
  });
  return (
    <section className="step-editor" aria-label={`Answer of step ${step.step}`}>
      {error && <p className="problem">{error.message}</p>}
      {step.error !== null && (
        <p className="muted">
          It threw{" "}
          <RecordedText>{[step.error.class, step.error.message].filter((each) => each !== "").join(": ")}</RecordedText>
          . In the replay it returns this value instead:
        </p>
      )}
      {data && data.text === null && (
        <p>
          The recorded value has {bytes(data.bytes)}. Put another one into a file, and replay in a terminal with{" "}
          <code>
            --set {target.form}.<RecordedText>{target.name}</RecordedText>@{target.n}=@file.json
          </code>
          .
        </p>
      )}
      {data && data.text !== null && (
        <Editing recorded={data.text} isJson={data.isJson} target={target} before={before} use={use} close={close} />
      )}
      {data?.text === null && (
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      )}
    </section>
  );
}

interface RecordedValue {
  /** null: it is too long */
  readonly text: string | null;
  readonly bytes: number;
  readonly isJson: boolean;
}

async function recordedValue(run: string, step: string, signal: AbortSignal): Promise<RecordedValue> {
  const detail = (await call("getStep", { path: { run, step }, signal })).step;
  const part = detail.parts.find(({ name }) => name === "output");
  // it threw, or returned nothing
  if (part === undefined) return { text: "null", bytes: 0, isJson: true };
  if (part.bytes > MOST) return { text: null, bytes: part.bytes, isJson: false };
  const text = new TextDecoder().decode(await partBegin({ run, step, digest: part.digest }, MOST, signal));
  const value = parsed(text);
  // a tool that returned a text has it as it is
  const isJson = part.type.startsWith("application/json") && value !== undefined;
  return { text: isJson ? JSON.stringify(value, null, 2) : text, bytes: part.bytes, isJson };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

interface EditingProps extends Omit<StepEditorProps, "run" | "step"> {
  readonly recorded: string;
  readonly isJson: boolean;
}

function Editing({ recorded, isJson: wasJson, target, before, use, close }: EditingProps) {
  const [text, setText] = useState(before?.value ?? recorded);
  const [isJson, setJson] = useState(before?.isJson ?? wasJson);
  const problem = isJson ? jsonProblem(text) : null;
  return (
    <>
      <ValueEditor label={`Value of step ${target.step}`} recorded={recorded} text={text} changed={setText} />
      <p role="alert" className="problem">
        {problem}
      </p>
      <div className="step-editor-bar">
        <label className="only-new">
          <input type="checkbox" checked={isJson} onChange={({ target: { checked } }) => setJson(checked)} /> JSON, not
          a text
        </label>
        <button type="button" className="button" onClick={close}>
          Cancel
        </button>
        <button
          type="button"
          className="button primary"
          disabled={problem !== null}
          onClick={() => use({ ...target, value: text, isJson })}
        >
          Use this value
        </button>
      </div>
    </>
  );
}

function jsonProblem(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
