/** How a field is written in OTLP/JSON. */
export type FieldType =
  | "id"
  | "string"
  | "bool"
  | "enum"
  | "uint32"
  | "int64"
  | "fixed64"
  | "fixed32"
  | "double"
  | "bytes";

export interface Field {
  readonly name: string;
  readonly type: FieldType | (() => Message);
  readonly repeated?: true;
  /** names that a JSON writer may use for an enum's numbers */
  readonly values?: readonly string[];
}
/** Field numbers of a message. */
export type Message = Readonly<Record<number, Field>>;

const KEY_VALUE: Message = { 1: { name: "key", type: "string" }, 2: { name: "value", type: () => ANY_VALUE } };
const attributes: Field = { name: "attributes", type: () => KEY_VALUE, repeated: true };
const dropped: Field = { name: "droppedAttributesCount", type: "uint32" };

export const ANY_VALUE: Message = {
  1: { name: "stringValue", type: "string" },
  2: { name: "boolValue", type: "bool" },
  3: { name: "intValue", type: "int64" },
  4: { name: "doubleValue", type: "double" },
  5: { name: "arrayValue", type: () => ({ 1: { name: "values", type: () => ANY_VALUE, repeated: true } }) },
  6: { name: "kvlistValue", type: () => ({ 1: { name: "values", type: () => KEY_VALUE, repeated: true } }) },
  7: { name: "bytesValue", type: "bytes" },
};

export const SPAN: Message = {
  1: { name: "traceId", type: "id" },
  2: { name: "spanId", type: "id" },
  3: { name: "traceState", type: "string" },
  4: { name: "parentSpanId", type: "id" },
  5: { name: "name", type: "string" },
  6: {
    name: "kind",
    type: "enum",
    values: [
      "SPAN_KIND_UNSPECIFIED",
      "SPAN_KIND_INTERNAL",
      "SPAN_KIND_SERVER",
      "SPAN_KIND_CLIENT",
      "SPAN_KIND_PRODUCER",
      "SPAN_KIND_CONSUMER",
    ],
  },
  7: { name: "startTimeUnixNano", type: "fixed64" },
  8: { name: "endTimeUnixNano", type: "fixed64" },
  9: attributes,
  10: dropped,
  11: {
    name: "events",
    repeated: true,
    type: () => ({
      1: { name: "timeUnixNano", type: "fixed64" },
      2: { name: "name", type: "string" },
      3: attributes,
      4: dropped,
    }),
  },
  12: { name: "droppedEventsCount", type: "uint32" },
  13: {
    name: "links",
    repeated: true,
    type: () => ({
      1: { name: "traceId", type: "id" },
      2: { name: "spanId", type: "id" },
      3: { name: "traceState", type: "string" },
      4: attributes,
      5: dropped,
      6: { name: "flags", type: "fixed32" },
    }),
  },
  14: { name: "droppedLinksCount", type: "uint32" },
  15: {
    name: "status",
    type: () => ({
      2: { name: "message", type: "string" },
      3: { name: "code", type: "enum", values: ["STATUS_CODE_UNSET", "STATUS_CODE_OK", "STATUS_CODE_ERROR"] },
    }),
  },
  16: { name: "flags", type: "fixed32" },
};

export const RESOURCE: Message = { 1: attributes, 2: dropped };
export const SCOPE: Message = {
  1: { name: "name", type: "string" },
  2: { name: "version", type: "string" },
  3: attributes,
  4: dropped,
};

/** opentelemetry.proto.trace.v1.TracesData, which ExportTraceServiceRequest equals on the wire. */
export const TRACES_DATA: Message = {
  1: {
    name: "resourceSpans",
    repeated: true,
    type: () => ({
      1: { name: "resource", type: () => RESOURCE },
      2: {
        name: "scopeSpans",
        repeated: true,
        type: () => ({
          1: { name: "scope", type: () => SCOPE },
          2: { name: "spans", type: () => SPAN, repeated: true },
          3: { name: "schemaUrl", type: "string" },
        }),
      },
      3: { name: "schemaUrl", type: "string" },
    }),
  },
};
