import {
  type CallbackFunction,
  recordedValue,
  guarded,
  here,
  type Hook,
  inReplay,
  live,
  orderCallback,
  orderPromise,
  type PromiseFunction,
  replaceMethod,
} from "@reenact/capture/hook";

const PACKAGES = [
  "otlp-exporter-base",
  "sdk-trace",
  "sdk-trace-base",
  "sdk-trace-node",
  "sdk-logs",
  "sdk-metrics",
  "sdk-metrics-base",
].map((name) => `@opentelemetry/${name}`);

/** Classes by the names of their files. */
const CLASSES = [
  "OTLPExporterBase",
  "BatchSpanProcessorBase",
  "BatchLogRecordProcessorBase",
  "SimpleSpanProcessor",
  "SimpleLogRecordProcessor",
  "PeriodicExportingMetricReader",
];

/** `ExportResultCode` of `@opentelemetry/core` */
const [SUCCESS, FAILED] = [0, 1];

interface ExportError extends Error {
  code?: unknown;
}

interface ExportResult {
  code: number;
  error?: ExportError;
}

/** What gathers spans, log records or measures for an exporter. */
interface Processor {
  _exporter?: object;
}

type Method = (this: Processor, ...args: unknown[]) => unknown;

/**
 * What the agent's own OpenTelemetry exports over OTLP speaks of the run and is no part of it. It goes out as ever, over
 * HTTP or gRPC, and nothing of that is recorded but when and how it ended, since the agent may wait for it; in a replay it
 * goes nowhere. The processors before such an exporter, with their timers, are no part of the run either: spans of
 * connections end in our own work, and a replay has none of them.
 */
export const opentelemetry: Hook = {
  name: "telemetry/opentelemetry",
  title: "what OpenTelemetry exports",
  files: [
    ...CLASSES.map((name) => ({ packages: PACKAGES, path: new RegExp(`/${name}\\.[cm]?js$`), value: name })),
    { packages: PACKAGES, path: /\/Instruments\.[cm]?js$/, value: "SyncInstrument" },
  ],
  patch: watchClass,
};

const bases: object[] = [];

function toOtlp({ _exporter: to }: Processor): boolean {
  return to !== undefined && bases.some((base) => Object.prototype.isPrototypeOf.call(base, to));
}

function watchClass({ prototype }: { prototype: object }, undos: (() => void)[]): void {
  if (!("export" in prototype)) {
    // measures are taken when memory is collected, too, which is another time in each run
    undos.push(replaceMethod<Method>(prototype, "_record", measureAside));
    for (const name of ["onInitialized", "onEnd", "onEmit"])
      undos.push(replaceMethod<Method>(prototype, name, gatherAside));
    for (const name of ["forceFlush", "shutdown", "onForceFlush", "onShutdown"])
      undos.push(replaceMethod<Method>(prototype, name, flushAside));
    return;
  }
  bases.push(prototype);
  undos.push(
    replaceMethod<CallbackFunction>(prototype, "export", exportOrNot),
    replaceMethod<PromiseFunction>(prototype, "forceFlush", (real) => orderPromise(real, false)),
    replaceMethod<PromiseFunction>(prototype, "shutdown", (real) => orderPromise(real, false)),
    () => void bases.splice(bases.indexOf(prototype), 1),
  );
}

function measureAside(real: Method): Method {
  return function (this: Processor, ...args) {
    return live(() => Reflect.apply(real, this, args));
  };
}

function gatherAside(real: Method): Method {
  return function (this: Processor, ...args) {
    if (!toOtlp(this)) return Reflect.apply(real, this, args);
    return inReplay() ? undefined : live(() => Reflect.apply(real, this, args));
  };
}

function flushAside(real: Method): Method {
  const flush = orderPromise(async function (this: Processor, ...args): Promise<ExportResult> {
    try {
      if (!inReplay()) await Reflect.apply(real, this, args);
      return { code: SUCCESS };
    } catch (error) {
      return { code: FAILED, error: error as Error };
    }
  }, false);
  return function (this: Processor, ...args) {
    if (here() === null || !toOtlp(this)) return Reflect.apply(real, this, args);
    return Reflect.apply(flush, this, args).then((result) => {
      const { error } = asRecorded(result as ExportResult);
      if (error !== undefined) throw error;
    });
  };
}

function exportOrNot(real: CallbackFunction): CallbackFunction {
  const recorded = orderCallback(real, false);
  return function (this: unknown, ...args) {
    const [items, done] = args as [unknown, (result: ExportResult) => unknown];
    if (typeof done !== "function") return Reflect.apply(real, this, args);
    const send = inReplay() ? replayed : recorded;
    return Reflect.apply(send, this, [items, (result: ExportResult) => done(asRecorded(result))]);
  };
}

/** An export may not have ended when the process did: nothing waits for it that was not waited for. */
const replayed = orderCallback((_items, done) => setImmediate(done as CallbackFunction, { code: SUCCESS }), false);

/** A failure is a value that the agent may read: it is kept with the measures of the machine. */
function asRecorded(result: ExportResult): ExportResult {
  const now = textOf(result);
  const then: unknown = recordedValue("M", () => now, true);
  if (then === now || typeof then !== "string") return result;
  if (then === "") return { code: SUCCESS };
  const facts = guarded("telemetry", {}, () => JSON.parse(then) as Partial<ExportError>);
  return { code: FAILED, error: Object.assign(new Error(facts.message), facts) };
}

function textOf({ code, error }: ExportResult): string {
  return code === SUCCESS ? "" : JSON.stringify({ name: error?.name, message: error?.message, code: error?.code });
}
