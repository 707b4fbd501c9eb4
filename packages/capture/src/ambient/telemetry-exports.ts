import { here } from "../context.ts";
import { guarded } from "../guard.ts";
import { type LoadWatch, withLine } from "../module-loading.ts";
import { draw } from "./draw.ts";
import { type CallbackFunction, orderCallback, orderPromise, type PromiseFunction } from "./ordered-operations.ts";
import { replaceMethod, undoAll } from "./replace-method.ts";

const FILE = /[/\\]@opentelemetry[/\\]otlp-exporter-base[/\\].*[/\\]OTLPExporterBase\.[cm]?js$/;
/** where the line that is appended to the module finds us */
const SEAM = Symbol.for("reenact.otlp/1");
const LINE = `process[Symbol.for("${SEAM.description}")]?.(OTLPExporterBase);`;
/** `ExportResultCode` of `@opentelemetry/core` */
const [SUCCESS, FAILED] = [0, 1];

interface ExportError extends Error {
  code?: unknown;
}

interface ExportResult {
  code: number;
  error?: ExportError;
}

/**
 * What the agent's own OpenTelemetry exports over OTLP speaks of the run and is no part of it. It goes out as ever, over
 * HTTP or gRPC, and nothing of that is recorded but when and how it ended, since the agent may wait for it; in a replay it
 * goes nowhere.
 */
export function watchTelemetryExports(): LoadWatch {
  const undos: (() => void)[] = [];
  const watch = ({ prototype }: { prototype: object }): void => {
    undos.push(
      replaceMethod<CallbackFunction>(prototype, "export", exportOrNot),
      replaceMethod<PromiseFunction>(prototype, "forceFlush", orderPromise),
      replaceMethod<PromiseFunction>(prototype, "shutdown", orderPromise),
    );
  };
  const value = (base: { prototype: object }): void => guarded("telemetry", undefined, () => watch(base));
  Object.defineProperty(process, SEAM, { value, configurable: true });
  return {
    loaded(url, output) {
      return FILE.test(url) ? withLine(url, output, LINE) : output;
    },
    undo() {
      undoAll(undos)();
      Reflect.deleteProperty(process, SEAM);
    },
  };
}

function exportOrNot(real: CallbackFunction): CallbackFunction {
  const recorded = orderCallback(real);
  return function (this: unknown, ...args) {
    const [items, done] = args as [unknown, (result: ExportResult) => unknown];
    const run = here()?.run ?? null;
    if (run === null || typeof done !== "function") return Reflect.apply(real, this, args);
    const send = run.source.virtualTimers ? replayed : recorded;
    return Reflect.apply(send, this, [items, (result: ExportResult) => done(asRecorded(result))]);
  };
}

const replayed = orderCallback((_items, done) => setImmediate(done as CallbackFunction, { code: SUCCESS }));

/** A failure is a value that the agent may read: it is kept with the measures of the machine. */
function asRecorded(result: ExportResult): ExportResult {
  const now = textOf(result);
  const then: unknown = draw("M", () => now, true);
  if (then === now || typeof then !== "string") return result;
  if (then === "") return { code: SUCCESS };
  const facts = guarded("telemetry", {}, () => JSON.parse(then) as Partial<ExportError>);
  return { code: FAILED, error: Object.assign(new Error(facts.message), facts) };
}

function textOf({ code, error }: ExportResult): string {
  return code === SUCCESS ? "" : JSON.stringify({ name: error?.name, message: error?.message, code: error?.code });
}
