import { usePlace } from "../api/use-place.ts";
import { CopyLine } from "../setup/copy-line.tsx";

interface LiveRequestProps {
  readonly run: string;
  readonly step: number;
  /** of the program; null: it is not known here */
  readonly command: string | null;
  readonly close: () => void;
}

/** How to ask a model once more with another request. Pages start nothing that sends: it costs money, and needs a key. */
export function LiveRequest({ run, step, command, close }: LiveRequestProps) {
  const place = usePlace(true) ?? "";
  const replay = `npx reenact replay ${run.slice(0, 12)}${place} --fork ${step}`;
  const program = `-- ${command ?? "node agent.js"}`;
  return (
    <section className="step-editor" aria-label={`Ask the model anew at step ${step}`}>
      <p>
        A recorded answer does not change with its request. From step {step} on these lines send{" "}
        <strong>real requests</strong>: they need a key and the network, and cost money. What comes before is served
        from the record.
      </p>
      <CopyLine what="with another prompt">{`${replay} --set prompt.${step}=@prompt.txt ${program}`}</CopyLine>
      <CopyLine what="with another system prompt">{`${replay} --set system=@system.txt ${program}`}</CopyLine>
      <CopyLine what="with another model and parameter">
        {`${replay} --set model=MODEL --set params.temperature=0 ${program}`}
      </CopyLine>
      <div className="step-editor-bar">
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </div>
    </section>
  );
}
