import { expect, test } from "vitest";
import { ATTR } from "../schema/attributes.ts";
import { encodeTraces } from "../otlp/encode-traces.ts";
import { scanTraces } from "../otlp/scan-traces.ts";
import { plainSpan } from "../otlp/span.ts";
import { readEnvelope } from "./read-envelope.ts";
import { writeEnvelope } from "./write-envelope.ts";

const traceId = "c".repeat(32);
const NONE = { resource: new Uint8Array(), resourceSchemaUrl: "", scope: new Uint8Array(), scopeSchemaUrl: "" };

interface Given {
  readonly id: number;
  readonly at: number;
  readonly attributes?: Record<string, unknown>;
}

/** User and session of a run with a root and these spans; `own`: the root is one of ours. */
function metadataOf(root: Record<string, unknown>, spans: readonly Given[], own: boolean) {
  const ours = own
    ? {
        [ATTR.runId]: traceId,
        [ATTR.schema]: 1,
        [ATTR.kind]: "AGENT",
        [ATTR.root]: '{"v":1,"name":"a","steps":0,"lanes":{}}',
      }
    : { "openinference.span.kind": "AGENT" };
  const all = [{ id: 1, at: 0, attributes: { ...ours, ...root } }, ...spans].map(({ id, at, attributes = {} }) =>
    plainSpan({
      traceId,
      spanId: id.toString(16).padStart(16, "0"),
      parentSpanId: id === 1 ? null : "1".padStart(16, "0"),
      name: "x",
      startUnixNano: BigInt(1e18 + at * 1e9),
      endUnixNano: BigInt(1e18 + (at + 1) * 1e9),
      attributes: attributes as never,
    }),
  );
  const scanned = all.flatMap((each) => scanTraces(encodeTraces(each, NONE)));
  const { manifest } = readEnvelope(writeEnvelope({ spans: scanned.toReversed(), run: traceId }).bytes);
  return [manifest.user, manifest.session];
}

test.each([true, false])("user and session are the root's, else those of the span that began first; own: %s", (own) => {
  const late: Given = { id: 2, at: 9, attributes: { "user.id": "late", "session.id": "s9" } };
  const early: Given = { id: 5, at: 3, attributes: { "user.id": "EMAIL_abcd_kqzjwhtrmxbvnpds" } };
  expect(metadataOf({ "user.id": "root" }, [late, early], own)).toEqual(["root", "s9"]);
  expect(metadataOf({}, [late, early], own)).toEqual(["EMAIL_abcd_kqzjwhtrmxbvnpds", "s9"]);
  const twin: Given = { id: 3, at: 3, attributes: { "user.id": "smaller id" } };
  expect(metadataOf({}, [early, late, twin], own)[0]).toBe("smaller id");
  expect(metadataOf({ "user.id": "", "session.id": 7 }, [late], own)).toEqual(["late", "s9"]);
  expect(metadataOf({}, [], own)).toEqual([undefined, undefined]);
});

test("the names that the semantic conventions have are read where ours are missing", () => {
  const span: Given = { id: 2, at: 1, attributes: { "enduser.id": "u1", "gen_ai.conversation.id": "c1" } };
  expect(metadataOf({}, [span], false)).toEqual(["u1", "c1"]);
  const both: Given = { id: 2, at: 1, attributes: { "enduser.id": "u1", "user.id": "u2" } };
  expect(metadataOf({}, [both], false)[0]).toBe("u2");
});
