import { recorder, type RunContext, type Sink } from "@reenact/capture";

/** A call of a recorded tool, as the code of now makes it. */
export interface ToolCall {
  name: string;
  /** redacted; the tool's own arguments in order, or what could not be read as JSON */
  arguments: unknown;
}

/** A tool call from the redacted JSON of its arguments. */
export function toolCall(name: string, input: string | null): ToolCall {
  if (input === null) return { name, arguments: [] };
  try {
    return { name, arguments: JSON.parse(input) as unknown };
  } catch {
    return { name, arguments: input };
  }
}

interface Hearer {
  readonly target: () => RunContext | null;
  readonly heard: { step: number; call: ToolCall }[];
}

/** Replays of this process that are under way: several may be at once. */
const hearers = new Set<Hearer>();
/** what else is recorded of this process, while there are hearers */
let before: Sink | null = null;

/** Listens to the tool calls of a run of this process, whatever else is recorded of it. `end` stops it and returns them. */
export function hearTools(target: () => RunContext | null): { end(): ToolCall[] } {
  const hearer: Hearer = { target, heard: [] };
  if (hearers.size === 0) {
    before = recorder.sink;
    recorder.sink = hearing(before);
  }
  hearers.add(hearer);
  return {
    end() {
      hearers.delete(hearer);
      if (hearers.size === 0) recorder.sink = before;
      return hearer.heard.toSorted((a, b) => a.step - b.step).map(({ call }) => call);
    },
  };
}

function hearing(sink: Sink | null): Sink {
  return {
    started: (run) => sink?.started(run),
    begin: (step) => sink?.begin(step),
    settle: (run, step, position, at) => sink?.settle(run, step, position, at),
    request: (draft) => sink?.request(draft),
    step(draft, operation) {
      for (const { target, heard } of hearers)
        if (draft.kind === "TOOL" && draft.run === target()?.id)
          heard.push({ step: draft.record.step, call: toolCall(draft.name, textOf(draft.input)) });
      return sink?.step(draft, operation) ?? false;
    },
    metadata: (run, metadata) => sink?.metadata(run, metadata),
    span: (span) => sink?.span(span),
    over: (run) => sink?.over(run),
  };
}

function textOf(text: string | Uint8Array | null): string | null {
  return text === null || typeof text === "string" ? text : Buffer.from(text).toString();
}
