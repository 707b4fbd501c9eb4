import { attachInstrumentation, type ApiTracerProvider } from "./attach.ts";
import type { Dialect } from "../span/dialect.ts";

export interface InstrumentationConfig {
  /** default true: active from construction on */
  enabled?: boolean;
  /** default false: spans carry the redacted view only; true adds `reenact.record` */
  record?: boolean;
}

/** Spans that an SDK makes of its own calls, so that a call would have two. */
export interface OwnSpans {
  /** Withholds the SDK's spans of recorded calls that come from this provider. Returns the undo. */
  mute(provider: ApiTracerProvider): () => void;
  /** The call that is being made is recorded; called where its span would be the active one. */
  recorded(): void;
}

export interface DialectParts {
  readonly name: string;
  readonly version: string;
  readonly dialect: Dialect;
  /** OpenTelemetry's global provider, for callers that set none */
  globalProvider(): ApiTracerProvider;
  readonly ownSpans?: OwnSpans;
}

/**
 * An OpenTelemetry `Instrumentation` by its shape, for a user's own NodeSDK; a provider's package derives its class
 * from it. Spans are redacted before any attribute is set, and carry no payload while no redaction policy is loaded.
 * Such runs do not replay: only the recorder of `@reenact/node` sees tools, clock and order.
 */
export class DialectInstrumentation {
  readonly instrumentationName: string;
  readonly instrumentationVersion: string;
  readonly #parts: DialectParts;
  #config: Required<InstrumentationConfig>;
  #provider: ApiTracerProvider | null = null;
  #undo: (() => void)[] = [];

  constructor(parts: DialectParts, config: InstrumentationConfig) {
    this.instrumentationName = parts.name;
    this.instrumentationVersion = parts.version;
    this.#parts = parts;
    this.#config = { enabled: true, record: false, ...config };
    if (this.#config.enabled) this.enable();
  }

  /** Does nothing when already active. */
  enable(): void {
    if (this.#undo.length > 0) return;
    const { dialect, globalProvider, ownSpans } = this.#parts;
    const detach = attachInstrumentation({
      dialect,
      record: this.#config.record,
      tracerProvider: () => this.#provider ?? globalProvider(),
      ...(ownSpans === undefined ? {} : { onRecorded: () => ownSpans.recorded() }),
    });
    this.#undo.push(detach);
    this.#mute(globalProvider());
    if (this.#provider !== null) this.#mute(this.#provider);
  }

  disable(): void {
    for (const undo of this.#undo.splice(0).reverse()) undo();
  }

  setTracerProvider(provider: ApiTracerProvider): void {
    this.#provider = provider;
    if (this.#undo.length > 0) this.#mute(provider);
  }

  /** There are no metrics: token counts stand on the spans. */
  setMeterProvider(_provider: unknown): void {}

  /** Takes effect at once when active. */
  setConfig(config: InstrumentationConfig): void {
    const active = this.#undo.length > 0;
    this.disable();
    this.#config = { enabled: true, record: false, ...config };
    if (active) this.enable();
  }

  getConfig(): InstrumentationConfig {
    return this.#config;
  }

  #mute(provider: ApiTracerProvider): void {
    const { ownSpans } = this.#parts;
    if (ownSpans !== undefined) this.#undo.push(ownSpans.mute(provider));
  }
}
