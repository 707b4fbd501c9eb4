import { recorder, type RunContext, type Sink } from "@reenact/capture/recorder";

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

interface Collector {
  readonly target: () => RunContext | null;
  readonly found: { step: number; call: ToolCall }[];
}

/** One for each replay of this process that is under way: several may be at once. */
const collectors = new Set<Collector>();
/** the sink of the process before the first of them */
let before: Sink | null = null;

/** Collects the tool calls of a run of this process; whatever else is recorded of the process goes on. `end` returns them. */
export function collectToolCalls(target: () => RunContext | null): { end(): ToolCall[] } {
  const collector: Collector = { target, found: [] };
  if (collectors.size === 0) {
    before = recorder.sink;
    recorder.sink = collecting(before);
  }
  collectors.add(collector);
  return {
    end() {
      collectors.delete(collector);
      if (collectors.size === 0) recorder.sink = before;
      return collector.found.toSorted((a, b) => a.step - b.step).map(({ call }) => call);
    },
  };
}

function collecting(sink: Sink | null): Sink {
  return {
    started: (run) => sink?.started(run),
    begin: (step) => sink?.begin(step),
    settle: (run, step, position, at) => sink?.settle(run, step, position, at),
    request: (draft) => sink?.request(draft),
    yielded: (run, step, at, value) => sink?.yielded(run, step, at, value),
    step(draft, operation) {
      for (const { target, found } of collectors)
        if (draft.kind === "TOOL" && draft.run === target()?.id)
          found.push({ step: draft.record.step, call: toolCall(draft.name, textOf(draft.input)) });
      return sink?.step(draft, operation) ?? false;
    },
    metadata: (run, metadata) => sink?.metadata(run, metadata),
    input: (run, input) => sink?.input(run, input),
    span: (span) => sink?.span(span),
    answered: (span, isWhole) => sink?.answered(span, isWhole) ?? false,
    over: (run) => sink?.over(run),
  };
}

function textOf(text: string | Uint8Array | null): string | null {
  return text === null || typeof text === "string" ? text : Buffer.from(text).toString();
}
