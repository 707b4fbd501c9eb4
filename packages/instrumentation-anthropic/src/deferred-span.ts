import {
  context,
  INVALID_SPAN_CONTEXT,
  trace,
  type Context,
  type Span,
  type SpanContext,
  type SpanOptions,
  type TimeInput,
  type Tracer,
} from "@opentelemetry/api";

/**
 * A span that is created only when it ends, with the times and attributes that were set, unless it was dropped before.
 * Until then its context is that of its parent, so that its child spans have a parent that is exported.
 */
export class DeferredSpan implements Span {
  readonly #make: () => Span;
  readonly #parent: SpanContext;
  readonly #facts: ((span: Span) => void)[] = [];
  #state: "held" | "dropped" | "ended" = "held";

  constructor(tracer: Tracer, name: string, options: SpanOptions = {}, parent: Context = context.active()) {
    this.#parent = (options.root === true ? undefined : trace.getSpanContext(parent)) ?? INVALID_SPAN_CONTEXT;
    const startTime = options.startTime ?? Date.now();
    this.#make = () => tracer.startSpan(name, { ...options, startTime }, parent);
  }

  /** For a call that another span describes: this one is not created. */
  drop(): void {
    if (this.#state === "held") this.#state = "dropped";
    this.#facts.length = 0;
  }

  spanContext(): SpanContext {
    return this.#parent;
  }

  isRecording(): boolean {
    return this.#state !== "ended";
  }

  end(time: TimeInput = Date.now()): void {
    const { length } = this.#facts;
    const wanted = this.#state === "held";
    this.#state = "ended";
    if (!wanted) return;
    const span = this.#make();
    for (const fact of this.#facts.splice(0, length)) fact(span);
    span.end(time);
  }

  setAttribute(...args: Parameters<Span["setAttribute"]>): this {
    return this.#keep((span) => span.setAttribute(...args));
  }

  setAttributes(...args: Parameters<Span["setAttributes"]>): this {
    return this.#keep((span) => span.setAttributes(...args));
  }

  addEvent(...[name, detail, time]: Parameters<Span["addEvent"]>): this {
    const at = time ?? Date.now();
    return this.#keep((span) => (isTime(detail) ? span.addEvent(name, detail) : span.addEvent(name, detail, at)));
  }

  addLink(...args: Parameters<Span["addLink"]>): this {
    return this.#keep((span) => span.addLink(...args));
  }

  addLinks(...args: Parameters<Span["addLinks"]>): this {
    return this.#keep((span) => span.addLinks(...args));
  }

  setStatus(...args: Parameters<Span["setStatus"]>): this {
    return this.#keep((span) => span.setStatus(...args));
  }

  updateName(name: string): this {
    return this.#keep((span) => span.updateName(name));
  }

  recordException(...[exception, time = Date.now()]: Parameters<Span["recordException"]>): void {
    this.#keep((span) => span.recordException(exception, time));
  }

  #keep(fact: (span: Span) => unknown): this {
    if (this.#state === "held") this.#facts.push(fact);
    return this;
  }
}

function isTime(detail: Parameters<Span["addEvent"]>[1]): detail is TimeInput {
  return typeof detail === "number" || Array.isArray(detail) || detail instanceof Date;
}
