import type { Attributes } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";

type Resource = ReadableSpan["resource"];

/** A resource of the SDK's interface that knows all of its attributes from the start. */
export function fixedResource(attributes: Attributes): Resource {
  const resource: Resource = {
    asyncAttributesPending: false,
    attributes,
    merge: (other) => (other === null ? resource : fixedResource({ ...attributes, ...other.attributes })),
    getRawAttributes: () => Object.entries(attributes),
  };
  return resource;
}
