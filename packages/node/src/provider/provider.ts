import type { Attributes, Context } from "@opentelemetry/api";
import type { SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace";
import { ATTR } from "@reenact/envelope";
import type { EndedSpan } from "@reenact/capture";
import type { RedactingScrubber } from "@reenact/redaction";
import { redactionPackage } from "../lazy-packages.ts";
import { encodeReadableSpan } from "./encode-readable-span.ts";
import { fixedResource } from "./fixed-resource.ts";
import { RecordedSpan } from "./recorded-span.ts";

export interface Provider {
  /** Ends one span: every processor sees it, then it is written. */
  end(span: EndedSpan): void;
}

export interface ProviderOptions {
  scrubber: RedactingScrubber;
  resource: Attributes;
  scope: { name: string; version: string };
  /** `run` 32 hex, `bytes` one OTLP TracesData message */
  write(run: string, bytes: Uint8Array): void;
  /** further processors; they see spans behind fence 1 */
  spanProcessors?: readonly SpanProcessor[];
}

/**
 * The recorder's own tracer provider; nobody's global. It speaks the SDK's processor and exporter interfaces without
 * loading the SDK, which costs an agent more time than all of its recording.
 */
export function createProvider(options: ProviderOptions): Provider {
  const { redactingExporter, RedactionProcessor } = redactionPackage();
  const vouched: Vouched = new Map();
  const scrubber = vouchingFor(vouched, options.scrubber);
  const exporter = redactingExporter(spoolExporter(options.write), scrubber);
  const processors: SpanProcessor[] = [
    new RedactionProcessor({ scrubber }),
    ...(options.spanProcessors ?? []),
    exporting(exporter),
  ];
  const resource = fixedResource(options.resource);
  return {
    end(ended) {
      const span = new RecordedSpan(ended, resource, options.scope);
      try {
        vouch(span.attributes, vouched);
        if (span.status.message !== undefined) vouchFor(span.status.message, "", vouched);
        for (const p of processors) p.onStart(span, ROOT_CONTEXT);
        for (const p of processors) p.onEnding?.(span);
        span.end();
        for (const p of processors) p.onEnd(span);
      } finally {
        vouched.clear();
      }
    },
  };
}

/**
 * Fence 0 has made these texts, so the fences behind it need not scan them again. They are known by content: what a
 * processor changes is scanned. The span's name is not among them.
 */
function vouchingFor(vouched: Vouched, scrubber: RedactingScrubber): RedactingScrubber {
  const { passed } = scrubber;
  return {
    policy: scrubber.policy,
    rules: scrubber.rules,
    kid: scrubber.kid,
    scrub: (text, hint) => scrubber.scrub(text, hint),
    unread: (text, hint) => scrubber.unread(text, hint),
    addKnown: (value, type) => scrubber.addKnown(value, type),
    // nothing more need be remembered, and hashing every text would cost more than all of the fences
    passed: {
      has: (text, hint) => vouched.get(hint?.key ?? "")?.has(text) === true || passed.has(text, hint),
      add: (text, hint) => passed.add(text, hint),
      watch: () => {},
    },
  };
}

/** Texts by the attribute that they stand in. */
type Vouched = Map<string, Set<string>>;

function vouch(attributes: Attributes, vouched: Vouched): void {
  for (const [key, value] of Object.entries(attributes))
    for (const text of Array.isArray(value) ? value : [value])
      if (typeof text === "string") vouchFor(text, key, vouched);
}

function vouchFor(text: string, key: string, vouched: Vouched): void {
  const texts = vouched.get(key);
  if (texts === undefined) vouched.set(key, new Set([text]));
  else texts.add(text);
}

/** Synchronous: a process that exits has no turn left to wait for an exporter. */
function exporting(exporter: SpanExporter): SpanProcessor {
  return {
    onStart() {},
    onEnd: (span) => exporter.export([span], () => {}),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
}

function spoolExporter(write: ProviderOptions["write"]): SpanExporter {
  return {
    export(spans, done) {
      for (const span of spans) {
        const run = span.attributes[ATTR.runId];
        if (typeof run === "string") write(run, encodeReadableSpan(span));
      }
      done({ code: 0 });
    },
    shutdown: async () => {},
  };
}

const ROOT_CONTEXT: Context = {
  getValue: () => undefined,
  setValue: () => ROOT_CONTEXT,
  deleteValue: () => ROOT_CONTEXT,
};
