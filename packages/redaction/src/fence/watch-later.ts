import type { Span } from "@opentelemetry/sdk-trace";
import type { RedactingScrubber } from "../scrubber.ts";
import { redactedAttributes, type Attributes } from "./attributes.ts";
import { put } from "./put.ts";
import { redactName, redactText, redactValue } from "./redact-value.ts";

type Value = Parameters<Span["setAttribute"]>[1];
type Given = Parameters<Span["setAttributes"]>[0];
type Link = Span["links"][number];
type Thrown = Parameters<Span["recordException"]>[0];
type Time = NonNullable<Parameters<Span["recordException"]>[1]>;

/** Processors behind this one may still add text to the span: each of its setters redacts from here on. */
export function watchLater(span: Span, scrubber: RedactingScrubber): void {
  const text = (value: string): string => redactText(value, "", scrubber);
  const attributes = <T extends object | undefined>(given: T): T =>
    given === undefined ? given : (redactedAttributes(given as Attributes, scrubber) as T);
  const { setAttribute, setAttributes, addEvent, addLink, addLinks, updateName, setStatus, recordException } = span;
  const guarded = <A extends unknown[]>(name: string, work: (...given: A) => unknown): void =>
    put(span, name, (...given: A) => {
      try {
        work(...given);
      } catch {
        // what cannot be redacted is not added
      }
      return span;
    });
  guarded("setAttribute", (key: string, value: Value) =>
    setAttribute.call(span, redactName(key, scrubber), redactValue(value, key, scrubber)),
  );
  guarded("setAttributes", (given: Given) => setAttributes.call(span, attributes(given)));
  guarded("addEvent", (name: string, given?: Given | Time, time?: Time) =>
    addEvent.call(span, text(name), isTime(given) ? given : attributes(given), time),
  );
  guarded("addLink", (link: Link) => addLink.call(span, { ...link, attributes: attributes(link.attributes ?? {}) }));
  guarded("addLinks", (links: Link[]) =>
    addLinks.call(
      span,
      links.map((link) => ({ ...link, attributes: attributes(link.attributes ?? {}) })),
    ),
  );
  guarded("updateName", (name: string) => updateName.call(span, text(name)));
  guarded("setStatus", ({ code, message }: Span["status"]) =>
    setStatus.call(span, message === undefined ? { code } : { code, message: text(message) }),
  );
  // made of events by the SDK itself, through `addEvent`, which redacts
  guarded("recordException", (exception: Thrown, time?: Time) => recordException.call(span, exception, time));
}

function isTime(value: unknown): value is Time {
  return typeof value === "number" || Array.isArray(value) || value instanceof Date;
}
