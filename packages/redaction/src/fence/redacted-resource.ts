import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import type { RedactingScrubber } from "../scrubber.ts";
import { redactedAttributes, type Attributes, blankedAttributes } from "./attributes.ts";
import { redactText } from "./redact-value.ts";

type Resource = ReadableSpan["resource"];

const views = new WeakMap<RedactingScrubber, WeakMap<Resource, Resource>>();

/**
 * A view of a resource with redacted attributes: one view for one resource, since exporters group spans by it.
 * Attributes that are still awaited are redacted when they are read.
 */
export function redactedResource(resource: Resource, scrubber: RedactingScrubber): Resource {
  let own = views.get(scrubber);
  if (own === undefined) views.set(scrubber, (own = new WeakMap()));
  let view = own.get(resource);
  if (view === undefined) {
    view = viewOf(
      resource,
      (attributes) => redacted(attributes, scrubber),
      (text) => redactText(text, "", scrubber),
    );
    own.set(resource, view);
    own.set(view, view);
  }
  return view;
}

/** A view without any text. */
export function blankedResource(resource: Resource): Resource {
  return viewOf(resource, blankedAttributes, (text) => `UNSCANNED_${text.length}`);
}

function redacted(attributes: Readonly<Attributes>, scrubber: RedactingScrubber): Attributes {
  try {
    return redactedAttributes(attributes, scrubber);
  } catch {
    return blankedAttributes(attributes);
  }
}

function viewOf(
  resource: Resource,
  on: (attributes: Readonly<Attributes>) => Attributes,
  onText: (text: string) => string,
): Resource {
  let seen: unknown = null;
  let made: Attributes = {};
  const attributesNow = (): Attributes => {
    const given = resource.attributes;
    if (given !== seen) [made, seen] = [on(given), given];
    return made;
  };
  return {
    get asyncAttributesPending() {
      return resource.asyncAttributesPending === true;
    },
    get attributes() {
      return attributesNow();
    },
    ...(resource.schemaUrl === undefined ? {} : { schemaUrl: onText(resource.schemaUrl) }),
    waitForAsyncAttributes: async () => resource.waitForAsyncAttributes?.(),
    merge: (other: Resource | null) => viewOf(resource.merge(other), on, onText),
    getRawAttributes: () => Object.entries(attributesNow()) as ReturnType<Resource["getRawAttributes"]>,
  };
}
